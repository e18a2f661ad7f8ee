#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The series applies to the base with a plain git am of all its files, and
# make refresh of what that gives reproduces patches/ byte for byte.

. "$(dirname "$0")/lib.sh"

SCRATCH=$BUILD/series
ok=0
bad=0

check()
{
	check_name=$1
	shift
	if "$@" >"$LOGS/series.log" 2>&1; then
		say "ok - $check_name"
		ok=$((ok + 1))
	else
		say "not ok - $check_name (log: build/log/series.log)"
		tail -n 5 "$LOGS/series.log"
		bad=$((bad + 1))
	fi
}

plain_am()
{
	rm -rf "$SCRATCH"
	git -C "$TREE" worktree prune
	git -C "$TREE" worktree add -q --detach "$SCRATCH" base
	git -C "$SCRATCH" am -q "$TOP"/patches/*/*.patch
	test "$(git -C "$SCRATCH" rev-parse 'HEAD^{tree}')" = \
	     "$(git -C "$TREE" rev-parse 'series^{tree}')"
}

same_patches()
{
	rm -rf "$BUILD/refreshed"
	"$TOP/scripts/refresh.sh" "$BUILD/refreshed"
	for part in $(parts); do
		mkdir -p "$BUILD/refreshed/$part"
		cp "$TOP/patches/$part"/cover-letter.txt "$BUILD/refreshed/$part"
	done
	diff -r "$TOP/patches" "$BUILD/refreshed"
}

check 'git am patches/*/*.patch on the base' plain_am
check 'make refresh reproduces patches/' same_patches
rm -rf "$SCRATCH"
git -C "$TREE" worktree prune
say "$ok passed, $bad failed"
[ $bad = 0 ]
