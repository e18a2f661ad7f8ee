#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The whole series builds: the guest's kernel, the checking kernel, the tests.

. "$(dirname "$0")/lib.sh"

ok=0
bad=0

check()
{
	check_name=$1
	shift
	if "$@"; then
		say "ok - $check_name"
		ok=$((ok + 1))
	else
		say "not ok - $check_name"
		bad=$((bad + 1))
	fi
}

no_warnings()
{
	! grep -E '(warning|error): ' "$LOGS/$1-build.log"
}

check 'the patched kernel builds' "$TOP/scripts/build.sh" patched
check 'the patched kernel builds without warnings' no_warnings patched
check 'the checking kernel builds' "$TOP/scripts/build.sh" debug
check 'the checking kernel builds without warnings' no_warnings debug
check 'the selftests build' "$TOP/scripts/initramfs.sh"
say "$ok passed, $bad failed"
[ $bad = 0 ]
