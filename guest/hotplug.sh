# SPDX-License-Identifier: GPL-2.0
# Memory comes and goes: a DIMM, a virtio-mem device, the probe file. Before
# each line the host is asked to make its move; blocks and MemTotal are told.
# shellcheck shell=sh
. /guest/lib.sh

memory=/sys/devices/system/memory

state()
{
	echo "$1 blocks=$(blocks) total=$(awk '/MemTotal/ { print $2 }' /proc/meminfo)"
}

# settle COUNT: until there are COUNT blocks, or 10 s.
settle()
{
	tries=0
	while [ "$(blocks)" != "$1" ] && [ $tries -lt 100 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
}

set_state()
{
	for block in "$memory"/memory[0-9]*; do
		case " $kept " in
		*" ${block##*/} "*) ;;
		*) echo "$1" >"$block/state" || echo "cannot set $block to $1" ;;
		esac
	done
}

plug()
{
	kept=$(cd "$memory" && echo memory[0-9]*)
	before=$(blocks)
	[ "$before" = 0 ] && more=0 || more=$((before + 2))
	state "$1-before"
	sync_host "$1-add"
	if [ "$more" = 0 ]; then sleep 3; else settle "$more"; fi
	state "$1-added"
	if [ "$more" != 0 ]; then
		set_state online_movable
		state "$1-online"
		set_state offline
	fi
	sync_host "$1-remove"
	if [ "$more" = 0 ]; then sleep 3; else settle "$before"; fi
	state "$1-removed"
}

probe()
{
	echo 0x200000000 >"$memory/probe"
}

# The files of the root directory that mcelog and rasdaemon write.
offline_page()
{
	echo "$1" >"$memory/soft_offline_page"
}

section root ls -1 "$memory"
section dimm plug dimm
section virtio-mem plug virtio-mem
# What it adds is not there: only to see it refused.
[ "$(blocks)" != 0 ] || section probe probe
section absurd-page offline_page 0xfffffffffffff000
section still-works sh -c 'dd if=/dev/zero of=/tmp/file bs=1M count=64 2>/dev/null && rm /tmp/file'
