# SPDX-License-Identifier: GPL-2.0
# What readers pay, where time is the number of instructions.
# shellcheck shell=sh
. /guest/lib.sh

cd /kselftest/sysfs_scale || exit
export SYSFS_SCALE_STRICT=1
section reader_cost ./reader_cost -d /dev/vda -n 5 -t 200
