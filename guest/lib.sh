# SPDX-License-Identifier: GPL-2.0
# Sourced by the jobs of the guest.
# shellcheck shell=sh

# section NAME COMMAND...: run one program, its output between two marks.
section()
{
	section_name=$1
	shift
	echo "=== begin $section_name"
	"$@"
	echo "=== end $section_name $?"
}

# sync_host WORD: tell the host's side that the guest is ready for its move.
sync_host()
{
	echo "=== host $1"
}

blocks()
{
	set -- /sys/devices/system/memory/memory[0-9]*
	[ -d "$1" ] && echo $# || echo 0
}

# argument NAME DEFAULT: what the host said by sysfs_scale.NAME=
argument()
{
	argument_value=$2
	# shellcheck disable=SC2013 # words are wanted
	for argument_word in $(cat /proc/cmdline); do
		case $argument_word in
		sysfs_scale."$1"=*) argument_value=${argument_word#*=} ;;
		esac
	done
	echo "$argument_value"
}
