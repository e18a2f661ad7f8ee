#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What takes longer than make check; adds its result to results/deep.txt, with
# the id of the patches it was made with.

. "$(dirname "$0")/lib.sh"

RESULTS=$TOP/results/deep.txt

series_id()
{
	cat "$TOP"/patches/*/*.patch | git patch-id --stable |
		cut -d' ' -f1 | sha256sum | cut -c1-12
}

# The pipes hide the exit codes; the last lines of both tell.
"$TOP/scripts/build.sh" stock
"$TOP/scripts/build.sh" debug
mkdir -p "$(dirname "$RESULTS")"
{ "$TOP/scripts/docs.sh" || :; "$TOP/scripts/check-guest.py" deep || :; } 2>&1 | tee "$LOGS/deep.log"
code=0
[ "$(grep -c ' passed, 0 failed$' "$LOGS/deep.log")" = 2 ] || code=1
{
	echo "$(date -u +%F) make deep, patches $(series_id)"
	grep -E '^(not )?ok|passed' "$LOGS/deep.log" | sed 's/^/  /'
} >>"$RESULTS"
say "==> added to results/deep.txt"
exit $code
