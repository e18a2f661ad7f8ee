# SPDX-License-Identifier: GPL-2.0
# The measuring job of a guest of any size. The cold walk is cold because
# nothing has looked at a block in this boot.
# shellcheck shell=sh
. /guest/lib.sh

cd /kselftest/sysfs_scale || exit
export SYSFS_SCALE_STRICT=1
section memory_dirs ./memory_dirs
