# SPDX-License-Identifier: GPL-2.0
# Freezing of file systems, in images in memory.
# shellcheck shell=sh
. /guest/lib.sh

cd /kselftest/sysfs_scale || exit
export SYSFS_SCALE_STRICT=1
section fsfreeze ./fsfreeze
