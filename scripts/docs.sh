#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Build the folders of Documentation/ that the series touches with sphinx: the
# touched files may give no warning that the base does not give.
#
#	scripts/docs.sh [--tree DIR] [--base REF] [--head REF]

set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
work=$top/build/docs
src=$work/src
tree=$top/build/linux
base=base
head=series
while [ $# -gt 1 ]; do
	case $1 in
	--tree) tree=$2 ;;
	--base) base=$2 ;;
	--head) head=$2 ;;
	*) break ;;
	esac
	shift 2
done
[ $# -eq 0 ] || { echo "usage: $0 [--tree DIR] [--base REF] [--head REF]" >&2; exit 2; }

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8
export PATH="/usr/bin:$PATH"	# sphinx is of the system's python
export MAKEFLAGS=

die() {
	echo "not ok - documents: $*"
	echo "0 passed, 1 failed"
	exit 1
}

need_sphinx() {
	command -v sphinx-build >/dev/null && return
	if [ "$(id -u)" = 0 ]; then
		echo "==> installing sphinx (1 min, log: build/docs/apt.log)"
		{ apt-get update -q && apt-get install -qy --no-install-recommends \
			python3-sphinx python3-yaml graphviz; } >"$work/apt.log" 2>&1 || true
	fi
	command -v sphinx-build >/dev/null ||
		die "sphinx-build is missing: install python3-sphinx python3-yaml graphviz"
}

# checkout REF: files that are equal in both commits stay untouched
checkout() {
	[ -d "$src/.git" ] || git init -q "$src"
	git -C "$tree" rev-parse --path-format=absolute --git-path objects \
		>"$src/.git/objects/info/alternates"
	commit=$(git -C "$tree" rev-parse "$1^{commit}")
	git -C "$src" read-tree --reset -u "$commit" 2>/dev/null || {
		rm -f "$src/.git/index"
		git -C "$src" read-tree --reset -u "$commit"
	}
	git -C "$src" clean -fdxq
}

# The folder that sphinx can build for each document: the nearest with an
# index.  The parameters and the ABI files are shown by the admin guide.
folders() {
	while read -r file; do
		case $file in
		Documentation/ABI/*) folder=Documentation/admin-guide ;;
		*) folder=${file%/*} ;;
		esac
		while [ "$folder" != Documentation ] && [ ! -e "$src/$folder/index.rst" ]; do
			folder=${folder%/*}
		done
		[ "$folder" = Documentation ] && continue
		echo "${folder#Documentation/}"
	done | sort -u | awk '{	# a folder is built with those below it
		for (i in kept) if (index($0, kept[i] "/") == 1) next
		kept[NR] = $0; print }'
}

# warnings REF: those that name a touched file, without line numbers
warnings() {
	checkout "$1"
	dirs=$(folders <"$work/touched" | tr '\n' ' ')
	log=$work/$2.log
	: >"$log"
	if [ -n "$dirs" ]; then
		echo "==> building $dirs(3 to 5 min for the admin guide, log: ${log#"$top"/})" >&2
		rm -rf "$work/out"
		make -C "$src" O="$work/out" PYTHON3=/usr/bin/python3 \
			SPHINXDIRS="$dirs" htmldocs >"$log" 2>&1 || {
			tail -n 5 "$log" >&2
			return 1
		}
	fi
	grep -E 'WARNING|ERROR|SEVERE|CRITICAL|[Ww]arning:' "$log" |
		grep -F -f "$work/touched" |
		sed -e "s|$src/||g" -e 's|\.\./src/||g' -e 's/:[0-9]\{1,\}//g' |
		sort >"$work/$2.warnings" || true
}

mkdir -p "$work"
git -C "$tree" diff --no-renames --diff-filter=d --name-only "$base" "$head" \
	-- Documentation >"$work/touched"
grep -v -e '\.svg$' -e '/translations/' -e 'Documentation/Makefile' "$work/touched" \
	>"$work/touched.new" || true
mv "$work/touched.new" "$work/touched"
[ -s "$work/touched" ] || {
	echo "ok - documents: the series touches none"
	echo "1 passed, 0 failed"
	exit 0
}

key=$(cat "$0" "$work/touched" | sha256sum | cut -c1-16)-$(git -C "$tree" rev-parse "$head^{tree}")
if [ ! -e "$work/passed-$key" ]; then
	need_sphinx
	warnings "$head" series || die "htmldocs fails (log: build/docs/series.log)"
	: >"$work/new"
	if [ -s "$work/series.warnings" ]; then
		warnings "$base" base || die "htmldocs of the base fails (log: build/docs/base.log)"
		comm -23 "$work/series.warnings" "$work/base.warnings" >"$work/new"
	fi
	if [ -s "$work/new" ]; then
		sed 's/^/#   /' "$work/new"
		die "$(wc -l <"$work/new") new warnings in touched files (log: build/docs/series.log)"
	fi
	: >"$work/passed-$key"
fi
echo "ok - documents: $(wc -l <"$work/touched") touched files, no new warning"
echo "1 passed, 0 failed"
