# SPDX-License-Identifier: GPL-2.0
# One line a memory block: its name, state, zones, and the nodes of its links.
# shellcheck shell=sh
. /guest/lib.sh

list_blocks()
{
	for block in /sys/devices/system/memory/memory[0-9]*; do
		[ -d "$block" ] || continue
		name=${block##*/}
		nodes=
		for node in "$block"/node[0-9]*; do
			node=${node##*/}
			[ -d "/sys/devices/system/node/$node/$name" ] ||
				node=$node-without-link
			nodes="$nodes $node"
		done
		echo "$name $(cat "$block/state") $(cat "$block/valid_zones")$nodes"
	done
}

section blocks list_blocks
