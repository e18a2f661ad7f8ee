#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# build.sh stock|patched|debug|kcsan: build a kernel in its own worktree below
# build/. stock is the base, the others the series. The timing lines of
# measure.patch go into all of them, and are never committed.

. "$(dirname "$0")/lib.sh"

KIND=${1:?stock, patched, debug or kcsan}
SRC=$BUILD/$KIND
CONFIGS=$TOP/configs/guest.config
COMMIT=series
case $KIND in
stock)	COMMIT=base ;;
patched) ;;
debug)	CONFIGS="$CONFIGS $TOP/configs/debug.config" ;;
kcsan)	CONFIGS="$TOP/configs/torture.config $TOP/configs/kcsan.config" ;;
*)	die "unknown kernel '$KIND': stock, patched, debug or kcsan" ;;
esac

PATH=/usr/lib/ccache:$PATH
export KBUILD_BUILD_USER=sysfs-scale KBUILD_BUILD_HOST=guest \
       KBUILD_BUILD_TIMESTAMP='2026-01-01' LOCALVERSION="-$KIND"

stamp()
{
	git -C "$TREE" rev-parse "$COMMIT"
	# shellcheck disable=SC2086 # a list of files
	cat $CONFIGS "$TOP/scripts/measure.patch" "$0" | sha256sum
	gcc --version | head -n 1
}

# A clean checkout touches only what changed, so that make rebuilds little.
lay_source()
{
	git -C "$TREE" worktree prune
	[ -e "$SRC/.git" ] || git -C "$TREE" worktree add -q --detach "$SRC" "$COMMIT"
	git -C "$SRC" checkout -q -f --detach "$(git -C "$TREE" rev-parse "$COMMIT")"
	git -C "$SRC" clean -q -f -d
	git -C "$SRC" apply "$TOP/scripts/measure.patch"
}

configure()
{
	# shellcheck disable=SC2086 # a list of files
	cat $CONFIGS >"$SRC/.config.wanted"
	make -C "$SRC" -s allnoconfig KCONFIG_ALLCONFIG=.config.wanted
	grep -E '^CONFIG_' "$SRC/.config.wanted" | while read -r line; do
		case $line in
		*=n) ! grep -q "^${line%=n}=" "$SRC/.config" ;;
		*) grep -qxF "$line" "$SRC/.config" ;;
		esac || echo "$line"
	done >"$SRC/.config.lost"
	[ ! -s "$SRC/.config.lost" ] || {
		cat "$SRC/.config.lost"
		echo "these options of configs/ did not take effect"
		return 1
	}
}

# One build a tree: a second one waits and then finds it done.
exec 9>"$BUILD/$KIND.lock"
flock 9

wanted=$(stamp)
if [ "$wanted" = "$(cat "$BUILD/$KIND.built" 2>/dev/null)" ]; then
	say "==> build/$KIND is built"
	exit 0
fi
rm -f "$BUILD/$KIND.built"
step "$KIND-source.log" "laying out build/$KIND (20 s)" lay_source
step "$KIND-config.log" "configuring build/$KIND (15 s)" configure
step "$KIND-build.log" "building build/$KIND (10 to 20 min on 2 cores when new)" \
	make -C "$SRC" -j"$(nproc)" bzImage
echo "$wanted" >"$BUILD/$KIND.built"
