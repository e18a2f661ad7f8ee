# SPDX-License-Identifier: GPL-2.0
# What writers of percpu rw-semaphores wait for, and what their readers pay.
# shellcheck shell=sh
. /guest/lib.sh

cd /kselftest/sysfs_scale || exit
# Where rcu_normal is set by the command line, not all can be as it should.
[ "$(cat /sys/kernel/rcu_normal)" = 1 ] || export SYSFS_SCALE_STRICT=1
section mount_latency ./mount_latency -d /dev/vda
section reader_cost ./reader_cost -d /dev/vda
