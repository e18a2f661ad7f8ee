# SPDX-License-Identifier: GPL-2.0
# Creating many directories, in a guest whose memory the host really has.
# shellcheck shell=sh
. /guest/lib.sh

cd /kselftest/sysfs_scale || exit
export SYSFS_SCALE_STRICT=1
section dir_create ./dir_create -n "$(argument max 1000)" -r 1
