# SPDX-License-Identifier: GPL-2.0
# What else do mounts and their like wait for? Each uninterruptible wait of an
# operation's own tasks, by its call chain; those of kernel threads are left out.
# shellcheck shell=sh
. /guest/lib.sh

tracing=/sys/kernel/tracing

chains()
{
	awk '
	function flush() {
		if (chain != "" && chain !~ / < kthread( |$)/ && chain !~ /^kthread /)
			print chain
		chain = ""
		frames = 0
		open = 0
	}
	/<stack trace>/ { open = 1; next }
	open && $1 == "=>" {
		if ($2 ~ /^(__schedule|schedule|schedule_timeout|io_schedule|io_schedule_timeout|trace_event_|__traceiter_|stacktrace_trigger|event_triggers_)/)
			next
		if (frames++ < 9)
			chain = chain (chain == "" ? "" : " < ") $2
		next
	}
	open { flush() }
	END { flush() }' "$tracing/trace" | sort | uniq -c
}

# operation NAME COMMAND...
operation()
{
	operation_name=$1
	shift
	sleep 0.3
	echo >"$tracing/trace"
	# The shell tells its own number, and what it starts inherits the trace.
	sh -c 'echo $$ >/sys/kernel/tracing/set_event_pid
	       echo 1 >/sys/kernel/tracing/tracing_on
	       "$@"' sh "$@"
	code=$?
	echo 0 >"$tracing/tracing_on"
	echo "--- $operation_name (exit $code)"
	chains
}

memory_block()
{
	for block in /sys/devices/system/memory/memory[0-9]*; do
		last=$block
	done
	echo "$last"
}

trace_waits()
{
	echo 1 >"$tracing/options/event-fork"
	echo 'prev_state & 2' >"$tracing/events/sched/sched_switch/filter"
	echo 'stacktrace if prev_state & 2' >"$tracing/events/sched/sched_switch/trigger"
	echo 1 >"$tracing/events/sched/sched_switch/enable"
	echo 0 >"$tracing/tracing_on"
	block=$(memory_block)
	mkdir -p /tmp/mnt /tmp/other /sys/fs/cgroup/there
	dd if=/dev/zero of=/tmp/image bs=1M count=16 2>/dev/null
	mkfs.ext4 -q /tmp/image

	operation 'mount ext4' mount -t ext4 /dev/vda /tmp/mnt
	operation 'remount' mount -o remount /tmp/mnt
	operation 'remount,ro' mount -o remount,ro /tmp/mnt
	operation 'remount,rw' mount -o remount,rw /tmp/mnt
	operation 'remount,dioread_lock' mount -o remount,dioread_lock /tmp/mnt
	operation 'bind mount' mount --bind /tmp/mnt /tmp/other
	operation 'umount of the bind mount' umount /tmp/other
	operation 'freeze' fsfreeze --freeze /tmp/mnt
	operation 'thaw' fsfreeze --unfreeze /tmp/mnt
	operation 'umount ext4' umount /tmp/mnt
	operation 'losetup' losetup /dev/loop0 /tmp/image
	operation 'mount of a loop device' mount -t ext4 /dev/loop0 /tmp/mnt
	operation 'umount of a loop device' umount /tmp/mnt
	operation 'losetup -d' losetup -d /dev/loop0
	operation 'mount cgroup2' mount -t cgroup2 cgroup2 /tmp/other
	operation 'umount cgroup2' umount /tmp/other
	operation 'mount cgroup v1' mount -t cgroup -o none,name=v1 cgroup /tmp/other
	operation 'umount cgroup v1' umount /tmp/other
	operation 'mount tmpfs' mount -t tmpfs tmpfs /tmp/other
	operation 'umount tmpfs' umount /tmp/other
	operation 'cgroup.procs' sh -c 'echo 0 >/sys/fs/cgroup/there/cgroup.procs'
	operation 'memory offline' sh -c "echo offline >$block/state"
	operation 'memory online' sh -c "echo online >$block/state"
}

section whowaits trace_waits
