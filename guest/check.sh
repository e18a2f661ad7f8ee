# SPDX-License-Identifier: GPL-2.0
# The kselftest at a size for make check, after what the kernel says of itself.
# shellcheck shell=sh
. /guest/lib.sh

cd /kselftest/sysfs_scale || exit
export SYSFS_SCALE_STRICT=1
section memory_dirs ./memory_dirs
section mount_latency ./mount_latency -d /dev/vda -n 3
section reader_cost ./reader_cost -d /dev/vda -n 2 -t 100
section fsfreeze ./fsfreeze
section dir_create ./dir_create -n "$(argument max 300)" -r 1
