#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# All tests of make check, one after the other; a failing group does not stop
# the next. The last line counts the single checks of all groups.

. "$(dirname "$0")/lib.sh"

passed=0
failed=0

# A group prints ok / not ok lines and ends with "N passed, M failed".
group()
{
	group_name=$1
	shift
	say "==> $group_name"
	group_start=$(date +%s)
	group_log=$LOGS/check-$(basename "$1" | sed 's/\.[a-z]*$//').log
	group_code=0
	{ "$@" 2>&1 || echo "group exit $?"; } | tee "$group_log" | grep -v '^group exit' || :
	! grep -q '^group exit' "$group_log" || group_code=1
	counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$group_log" | tail -n 1)
	[ -n "$counts" ] || counts="0 passed, 1 failed"
	# shellcheck disable=SC2086 # four words
	set -- $counts
	[ "$3" -gt 0 ] || [ $group_code = 0 ] || set -- "$1" passed, 1 failed
	passed=$((passed + $1))
	failed=$((failed + $3))
	say "    $group_name: $1 passed, $3 failed, $(($(date +%s) - group_start)) s"
}

"$TOP/scripts/setup.sh" run check
"$TOP/scripts/tree.sh"
group 'scripts and texts of the project' "$TOP/scripts/lint.sh"
group 'git am and make refresh' "$TOP/scripts/check-series.sh"
group 'kernels and selftests build' "$TOP/scripts/check-build.sh"
group 'each patch' "$TOP/scripts/check-patches.py"
group 'guests' "$TOP/scripts/check-guest.py"

say "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
