#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# refresh.sh [DIR]: write the commits of build/linux to patches/ (or to DIR).
# The branch part/<name> ends a part; commits above the last one join it.

. "$(dirname "$0")/lib.sh"

DEST=${1:-$TOP/patches}

branches()
{
	git -C "$TREE" for-each-ref --format='%(refname:short)' refs/heads/part/
}

# git am cuts a changelog at these lines and takes the rest for a diff.
check_changelogs()
{
	for commit in $(git -C "$TREE" rev-list base..series); do
		! git -C "$TREE" show -s --format=%B "$commit" |
			grep -nE '^(---$|---[[:space:]]+[^[:space:]-]|diff -|Index: )' ||
			die "the changelog of $commit has a line that ends it for git am"
		git -C "$TREE" show -s --format='%an <%ae>' "$commit" |
			grep -qxF "$IDENT_NAME <$IDENT_MAIL>" ||
			die "the author of $commit is not $IDENT_NAME <$IDENT_MAIL>"
	done
}

write_part()
{
	mkdir -p "$DEST/$2"
	rm -f "$DEST/$2"/*.patch
	git -C "$TREE" format-patch -q --zero-commit --no-signature -N --full-index \
		--diff-algorithm=myers --find-renames -o "$DEST/$2" "$1..part/$2"
}

[ -d "$TREE/.git" ] || die "no build/linux yet: run make tree"
[ -z "$(git -C "$TREE" status --porcelain)" ] || die "build/linux has uncommitted changes"
last=$(branches | tail -n 1)
[ -n "$last" ] || die "build/linux has no branch part/<name>"
git -C "$TREE" merge-base --is-ancestor "$last" series ||
	die "$last is not below series: move it (git branch -f $last <commit>)"
git -C "$TREE" branch -q -f "$last" series

check_changelogs
from=base
for branch in $(branches); do
	git -C "$TREE" merge-base --is-ancestor "$from" "$branch" ||
		die "$branch is not above $from"
	write_part "$from" "${branch#part/}"
	from=$branch
done
say "==> $(git -C "$TREE" rev-list --count base..series) patches in $DEST"
[ "$DEST" != "$TOP/patches" ] || {
	git -C "$TREE" rev-parse series
	patches_id
} >"$TREE/.git/sysfs-scale.applied"
