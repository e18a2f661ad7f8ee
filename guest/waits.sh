# SPDX-License-Identifier: GPL-2.0
# What writers of percpu rw-semaphores wait for, and what their readers pay.
# shellcheck shell=sh
. /guest/lib.sh

cd /kselftest/sysfs_scale || exit
export SYSFS_SCALE_STRICT=1
section mount_latency ./mount_latency -d /dev/vda
section reader_cost ./reader_cost -d /dev/vda
