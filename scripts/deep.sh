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

groups()
{
	group 'documents' "$TOP/scripts/docs.sh"
	group 'models' "$TOP/scripts/models.sh"
	group 'fast path' "$TOP/scripts/fastpath.sh"
	group 'guests' "$TOP/scripts/check-guest.py" deep
	group 'torture' "$TOP/scripts/torture.sh"
	say "$groups_passed passed, $groups_failed failed"
}

for kind in stock patched debug kcsan; do
	"$TOP/scripts/build.sh" $kind
done
groups 2>&1 | tee "$LOGS/deep.log"
mkdir -p "$(dirname "$RESULTS")"
{
	echo "$(date -u +%F) make deep, patches $(series_id)"
	grep -E '^(not )?ok|passed' "$LOGS/deep.log" | sed 's/^/  /'
} >>"$RESULTS"
say "==> added to results/deep.txt"
tail -n 1 "$LOGS/deep.log" | grep -q ' passed, 0 failed$'
