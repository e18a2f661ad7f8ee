#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# rcutorture, locktorture and refscale on the series, by the kernel's own kvm.sh,
# which builds one small kernel a scenario. Prints ok / not ok lines and, as the
# last line, "N passed, M failed".
#
# LOCK_SECONDS, RCU_SECONDS: how long a lock or RCU scenario runs, without its
# build and boot; TORTURE_COMMIT: test this commit of build/linux instead of
# the series; SCENARIOS: only these.

. "$(dirname "$0")/lib.sh"

LOCK_SECONDS=${LOCK_SECONDS:-420}
RCU_SECONDS=${RCU_SECONDS:-180}
SCENARIOS=${SCENARIOS:-LOCK10 LOCK06 TREE09 TREE05 REFSCALE}
WORK=$BUILD/torture
SRC=$WORK/linux
RESULTS=$WORK/results
TOOLS=tools/testing/selftests/rcutorture/bin
GUEST_CPUS=4

# CPUs come and go soon and often, and the messages that say so are wanted.
LOCK_ARGS='locktorture.onoff_interval=1 locktorture.onoff_holdoff=5 locktorture.verbose=2'

PATH=/usr/lib/ccache:$PATH
export KBUILD_BUILD_USER=sysfs-scale KBUILD_BUILD_HOST=guest \
       KBUILD_BUILD_TIMESTAMP='2026-01-01' LOCALVERSION=-torture \
       KCONFIG_ALLCONFIG="$TOP/configs/torture.config"

passed=0
failed=0

ok()
{
	passed=$((passed + 1))
	say "ok - $*"
}

not_ok()
{
	failed=$((failed + 1))
	say "not ok - $*"
}

# As build.sh does it: only what changed is touched.
lay_source()
{
	commit=$(git -C "$TREE" rev-parse "${TORTURE_COMMIT:-series}")
	git -C "$TREE" worktree prune
	[ -e "$SRC/.git" ] || git -C "$TREE" worktree add -q --detach "$SRC" "$commit"
	git -C "$SRC" checkout -q -f --detach "$commit"
	git -C "$SRC" clean -q -f -d
}

# kvm NAME ARGUMENT...: builds only. When kvm.sh runs the guests itself it
# keeps a CPU busy with waiting, and it insists on KVM. --remote lets a guest
# have more CPUs than this machine.
kvm()
{
	kvm_name=$1
	shift
	rm -rf "${RESULTS:?}/$kvm_name"
	(cd "$SRC" && "$TOOLS/kvm.sh" --remote --cpus "$GUEST_CPUS" --buildonly \
		--trust-make --no-affinity --defconfig allnoconfig \
		--results "$RESULTS" --datestamp "$kvm_name" "$@")
}

use_tcg()
{
	[ ! -e /dev/kvm ] || [ "$(cat "$BUILD/accelerator" 2>/dev/null)" != kvm ] || return 0
	sed -i -e 's/ -enable-kvm / /' -e 's/accel=kvm/accel=tcg/' \
		-e 's/ -cpu kvm64 / -cpu max /' "$1/qemu-cmd"
}

# guest DIRECTORY: what kvm.sh would have done after the build
guest()
{
	use_tcg "$1"
	(
		cd "$SRC"
		PATH=$SRC/$TOOLS:$PATH
		RCUTORTURE=$SRC/tools/testing/selftests/rcutorture
		TORTURE_SUITE=$(cat "$1/../torture_suite")
		export RCUTORTURE TORTURE_SUITE
		kvm-test-1-run-qemu.sh "$1" </dev/null
		kvm-recheck.sh "$(dirname "$1")"
	)
}

# last PATTERN: the number that ends the last match in the console's log
last()
{
	grep -aoE "$1" "$console" | tail -n 1 | grep -oE '[0-9]+$' || echo 0
}

count()
{
	grep -acE "$1" "$console" || :
}

# Say what was done; what is 0 was not tested.
lock_work()
{
	work="$(last 'Writes: *Total: [0-9]+') writes"
	work="$work, $(last 'Reads : *Total: [0-9]+') reads"
	work="$work, $(count 'torture_onoff task: offlined') CPUs off"
	work="$work, $(count 'torture_onoff task: onlined') CPUs on"
}

rcu_work()
{
	work="$(last ' ver: [0-9]+') grace periods"
	[ "$1" != TREE05 ] ||
		work="$work, $(last ' onoff: [0-9]+/[0-9]+:[0-9]+') CPUs off, $(last ' onoff: [0-9]+') CPUs on"
}

# Only says what a reader costs; scripts/fastpath.sh compares kernels.
refscale_work()
{
	work=$(tr -d '\r' <"$console" | sed -n 's/^\[[^]]*\] *//; s/^[0-9]\+\t\([0-9.]\+\)$/\1/p' | sort -n | awk '
		{ ns[NR] = $1 }
		END {
			printf "%d runs", NR
			if (NR)
				printf ", %s ns a reader (minimum %s)", ns[int((NR + 1) / 2)], ns[1]
		}')
}

# judge NAME SCENARIO SECONDS: by what the guest printed
judge()
{
	dir=$RESULTS/$1/$2
	console=$dir/console.log
	why=
	end='End of test: SUCCESS'
	took=" in $3 s"
	case $1 in
	LOCK*) lock_work ;;
	REFSCALE)
		end='END OF TEST'
		took=
		refscale_work
		;;
	*) rcu_work "$1" ;;
	esac
	grep -aq "$end" "$console" || why='no success'
	[ ! -s "$console.diags" ] || why="$(head -n 1 "$console.diags")"
	! grep -q '^!!!' "$dir/Warnings" 2>/dev/null || why=$(grep '^!!!' "$dir/Warnings" | tail -n 1)
	case ", $work" in
	*', 0 '*) why="${why:-something was not tested}" ;;
	esac
	if [ -z "$why" ]; then
		ok "$1: $work$took"
	else
		not_ok "$1: $why: $work (log: ${console#"$TOP"/})"
	fi
}

# scenario NAME SUITE CONFIG SECONDS ARGUMENT...
scenario()
{
	name=$1
	suite=$2
	config=$3
	seconds=$4
	shift 4
	log=$LOGS/torture-$name.log
	start=$(date +%s)
	say "==> $name: building its kernel (2 to 6 min on 2 cores when new; log: ${log#"$TOP"/})"
	if ! kvm "$name" --torture "$suite" --configs "$config" --duration "${seconds}s" "$@" >"$log" 2>&1 ||
	   [ ! -f "$RESULTS/$name/$config/builtkernel" ]; then
		tail -n 20 "$log" | sed 's/^/#   /'
		not_ok "$name: the kernel was not built as it should (log: ${log#"$TOP"/})"
		return
	fi
	say "    done in $(($(date +%s) - start)) s; running it for $seconds s"
	guest "$RESULTS/$name/$config" >>"$log" 2>&1 || say "    kvm-recheck.sh has something to say in ${log#"$TOP"/}"
	judge "$name" "$config" "$seconds"
}

mkdir -p "$WORK"
exec 9>"$WORK.lock"
flock 9

"$TOP/scripts/setup.sh" run torture
[ -n "${TORTURE_COMMIT:-}" ] || "$TOP/scripts/tree.sh"
step torture-source.log 'laying out build/torture/linux (20 s)' lay_source

for wanted in $SCENARIOS; do
	case $wanted in
	LOCK10)	# expedited percpu rw-semaphores; its .boot has the rest
		scenario LOCK10 lock LOCK10 "$LOCK_SECONDS" --bootargs "$LOCK_ARGS" ;;
	LOCK06)	# those that are not, with writers that pause as well
		scenario LOCK06 lock LOCK06 "$RCU_SECONDS" --bootargs \
			"$LOCK_ARGS locktorture.writer_holdoff_ms=50 locktorture.long_hold=1" ;;
	TREE09)	# one CPU
		scenario TREE09 rcu TREE09 "$RCU_SECONDS" ;;
	TREE05)	# lockdep, callback offloading, CPU hotplug
		scenario TREE05 rcu TREE05 "$RCU_SECONDS" --kconfig "CONFIG_NR_CPUS=$GUEST_CPUS" ;;
	REFSCALE) # readers of percpu rw-semaphores; ends by itself
		scenario REFSCALE refscale PREEMPT 120 --kconfig CONFIG_NR_CPUS=2 --bootargs \
			'refscale.scale_type=percpu_rwsem refscale.nreaders=1 refscale.holdoff=2' ;;
	*)	not_ok "$wanted: no such scenario" ;;
	esac
done

say "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
