#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# All tests of make check, one after the other. The last line counts the single
# checks of all groups.

. "$(dirname "$0")/lib.sh"

"$TOP/scripts/setup.sh" run check
"$TOP/scripts/tree.sh"
group 'scripts and texts of the project' "$TOP/scripts/lint.sh"
group 'git am and make refresh' "$TOP/scripts/check-series.sh"
group 'kernels and selftests build' "$TOP/scripts/check-build.sh"
group 'each patch' "$TOP/scripts/check-patches.py"
group 'guests' "$TOP/scripts/check-guest.py"

say "$groups_passed passed, $groups_failed failed"
[ "$groups_failed" -eq 0 ]
