#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Sparse that this kernel accepts, at build/sid/bin/sparse.  Debian 12 has
# 0.6.4, which does not know __typeof_unqual__(), and kbuild then says "not up
# to date" and goes on without it: so ask the tree's own test here.
#
#	scripts/sparse.sh [LINUX]

set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
linux=${1:-$top/build/linux}
sparse=$top/build/sid/bin/sparse

"$top/scripts/sid.sh" sparse

test=$linux/scripts/checker-valid.sh
if [ -e "$test" ] && [ "$(sh "$test" "$sparse")" != 1 ]; then
	echo "sparse.sh: $("$sparse" --version) is too old for $linux:" \
		"remove build/sid and try again" >&2
	exit 1
fi
echo "sparse.sh: $("$sparse" --version) in $sparse"
