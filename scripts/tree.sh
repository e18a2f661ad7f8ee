#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Lay out build/linux: the base as one commit (branch base), the series on top
# (branch series), and a branch part/<name> at the last commit of each part.

. "$(dirname "$0")/lib.sh"

VERSION=7.3.4
DEBIAN_TARBALL=linux-source-7.3.tar.xz
DEBIAN_SHA256=76df1affb19f24926949369be1d74b60071c963c598ce8780bddd4bbf0fc3bc4
KERNEL_ORG=https://cdn.kernel.org/pub/linux/kernel/v7.x/linux-$VERSION.tar.xz
STATE=$TREE/.git/sysfs-scale

find_tarball()
{
	for tarball in ${BASE_TARBALL:+"$BASE_TARBALL"} \
		       "$TOP/../shared/base/$DEBIAN_TARBALL" \
		       "/usr/src/$DEBIAN_TARBALL"; do
		[ -f "$tarball" ] && return
		[ "$tarball" = "${BASE_TARBALL:-}" ] &&
			die "BASE_TARBALL=$tarball is not there"
	done
	tarball=$BUILD/linux-$VERSION.tar.xz
	[ -f "$tarball" ] && return
	command -v curl >/dev/null || die "no base source found; give LINUX=/path/to/git/tree or BASE_TARBALL=, or install linux-source-7.3 or curl"
	step fetch.log "downloading $KERNEL_ORG (150 MB; its checksum is not pinned here)" \
		curl -fL -o "$tarball.part" "$KERNEL_ORG"
	mv "$tarball.part" "$tarball"
}

check_tarball()
{
	[ "$(basename "$tarball")" = "$DEBIAN_TARBALL" ] || {
		say "    no checksum is known for $tarball"
		return 0
	}
	echo "$DEBIAN_SHA256  $tarball" | sha256sum -c --quiet - ||
		die "$tarball is not the pinned $VERSION source (sha256 differs); fetch it again or give another BASE_TARBALL="
}

# Debian ends .gitignore with a block that hides every file at the top level:
# new files would vanish from git status and from the series.
drop_debian_ignores()
{
	grep -qx '/\*' "$1/.gitignore" || return 0
	sed -i -e '/^# Debian packaging/,$d' "$1/.gitignore"
	sed -i -e '${/^#$/d}' "$1/.gitignore"
	! grep -qx '/\*' "$1/.gitignore" || die "could not drop the Debian block of .gitignore"
}

commit_base()
{
	git -C "$1" init -q -b base
	git -C "$1" add -f -A .
	GIT_AUTHOR_NAME=$IDENT_NAME GIT_AUTHOR_EMAIL=$IDENT_MAIL \
	GIT_COMMITTER_NAME=$IDENT_NAME GIT_COMMITTER_EMAIL=$IDENT_MAIL \
	GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' \
	GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' \
		git -C "$1" commit -q -m "Linux $VERSION"
}

base_from_tarball()
{
	find_tarball
	check_tarball
	rm -rf "$BUILD/tree.new"
	mkdir -p "$BUILD/tree.new"
	step unpack.log "unpacking $(basename "$tarball") (15 s)" \
		tar -xf "$tarball" -C "$BUILD/tree.new" --strip-components=1
	[ "$(make -s -C "$BUILD/tree.new" kernelversion)" = "$VERSION" ] ||
		say "    warning: $tarball is not Linux $VERSION; the series may not apply"
	drop_debian_ignores "$BUILD/tree.new"
	step commit.log "committing the base (1 min)" commit_base "$BUILD/tree.new"
	mv "$BUILD/tree.new" "$TREE"
}

base_from_git()
{
	git -C "$LINUX" rev-parse -q --verify HEAD >/dev/null ||
		die "LINUX=$LINUX is not a git tree with a commit"
	step clone.log "cloning HEAD of $LINUX (1 min)" \
		git clone -q --shared --no-tags "$LINUX" "$TREE"
	git -C "$TREE" checkout -q -B base
	for branch in $(git -C "$TREE" for-each-ref --format='%(refname:short)' refs/heads); do
		[ "$branch" = base ] || git -C "$TREE" branch -q -D "$branch"
	done
}

lay_base()
{
	base_source=${LINUX:-tarball}
	if [ -d "$TREE/.git" ]; then
		[ "$(cat "$STATE.source" 2>/dev/null)" = "$base_source" ] && return
		die "build/linux was made from another base; remove build/linux, build/stock, build/patched and build/debug to change it"
	fi
	if [ -n "${LINUX:-}" ]; then base_from_git; else base_from_tarball; fi
	git -C "$TREE" config user.name "$IDENT_NAME"
	git -C "$TREE" config user.email "$IDENT_MAIL"
	git -C "$TREE" config rebase.updateRefs true
	git -C "$TREE" config gc.auto 0
	echo "$base_source" >"$STATE.source"
}

# git am leaves its reject state in the tree: take it back, say what to do.
apply_part()
{
	git -C "$TREE" am -q "$TOP/patches/$1"/*.patch >"$LOGS/am.log" 2>&1 || {
		tail -n 5 "$LOGS/am.log" >&2
		git -C "$TREE" am --abort
		die "patches/$1 does not apply to this base with git am; the series is made for Linux $VERSION; see $LOGS/am.log"
	}
	git -C "$TREE" branch -f "part/$1"
}

apply_series()
{
	say "==> applying the series with git am"
	git -C "$TREE" checkout -q -f --no-track -B series base
	for part in $(git -C "$TREE" for-each-ref --format='%(refname:short)' refs/heads/part/); do
		git -C "$TREE" branch -q -D "$part"
	done
	for part in $(parts); do
		apply_part "$part"
	done
	say "    $(git -C "$TREE" rev-list --count base..series) patches"
	{ git -C "$TREE" rev-parse series; patches_id; } >"$STATE.applied"
}

# The tree may be ahead of patches/ (somebody edits it) or behind (somebody
# pulled); never throw away commits that make refresh has not seen.
series_state()
{
	git -C "$TREE" rev-parse -q --verify series >/dev/null || { echo fresh; return; }
	[ -f "$STATE.applied" ] || { echo edited; return; }
	{ read -r was_head; read -r was_patches; } <"$STATE.applied"
	if [ -n "$(git -C "$TREE" status --porcelain)" ] ||
	   [ "$(git -C "$TREE" rev-parse series)" != "$was_head" ]; then
		echo edited
	elif [ "$(patches_id)" = "$was_patches" ]; then
		echo same
	else
		echo behind
	fi
}

lay_base
case $(series_state) in
fresh|behind)
	apply_series ;;
same)
	say "==> build/linux is up to date" ;;
edited)
	was_patches=$(sed -n 2p "$STATE.applied" 2>/dev/null) || :
	[ "$(patches_id)" = "$was_patches" ] ||
		die "both build/linux and patches/ have changed; save the commits of build/linux, then remove its branch series"
	say "==> build/linux has changes of its own, used as they are (make refresh takes them over)" ;;
esac
