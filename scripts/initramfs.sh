#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Make what the guest's user space is: build/initramfs.cpio.gz from a static
# busybox, mkfs.ext4, guest/ and the series' selftests, and the ext4 disk
# build/disk.img.

. "$(dirname "$0")/lib.sh"

TESTS=tools/testing/selftests/sysfs_scale
ROOT=$BUILD/initramfs
TARGET=$BUILD/initramfs.cpio.gz

stamp()
{
	git -C "$TREE" rev-parse "series:$TESTS" 2>/dev/null || echo 'no tests'
	cat "$TOP"/guest/* "$0" | sha256sum
}

build_tests()
{
	rm -rf "$BUILD/kselftest" "$ROOT/kselftest"
	mkdir -p "$BUILD/kselftest"
	git -C "$TREE" archive series tools scripts include/uapi |
		tar -x -C "$BUILD/kselftest"
	make -C "$BUILD/kselftest/$TESTS/.." TARGETS=sysfs_scale \
		INSTALL_PATH="$ROOT/kselftest" install
}

# A program that is not static, with its libraries where it looks for them.
copy_program()
{
	program=$(PATH=$PATH:/sbin:/usr/sbin command -v "$1")
	cp "$program" "$ROOT/sbin/"
	ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
		mkdir -p "$ROOT${library%/*}"
		cp -L "$library" "$ROOT$library"
	done
}

lay_root()
{
	rm -rf "$ROOT"
	mkdir -p "$ROOT"
	(cd "$ROOT" && mkdir -p bin sbin dev proc sys tmp mnt guest)
	cp "$(command -v busybox)" "$ROOT/bin/busybox"
	ln -s busybox "$ROOT/bin/sh"
	copy_program mkfs.ext4
	cp "$TOP/guest/init" "$ROOT/init"
	cp "$TOP"/guest/*.sh "$ROOT/guest/"
	chmod +x "$ROOT/init"
}

pack()
{
	(cd "$ROOT" && find . | sort | cpio --quiet -o -H newc -R 0:0 | gzip -1) >"$TARGET"
}

disk()
{
	rm -f "$BUILD/disk.img"
	truncate -s 64M "$BUILD/disk.img"
	mkfs.ext4 -q "$BUILD/disk.img"
}

[ -f "$BUILD/disk.img" ] || step disk.log "making the guest's ext4 disk" disk
if [ "$(stamp)" = "$(cat "$TARGET.built" 2>/dev/null)" ]; then
	say "==> the initramfs is built"
	exit 0
fi
lay_root
! git -C "$TREE" rev-parse -q --verify "series:$TESTS" >/dev/null ||
	step kselftest.log "building the selftests (10 s)" build_tests
step initramfs.log "packing the initramfs" pack
stamp >"$TARGET.built"
