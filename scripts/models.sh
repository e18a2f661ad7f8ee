#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The models of part 1.  Spin searches all states of models/rcu_sync.pml, and
# then of each broken variant of it, which must fail in the way that is named
# here: a model that finds no error could just be blind.  herd7 runs the litmus
# tests of the kernel tree, which say themselves what must come out.
#
#	scripts/models.sh [TREE]	(about 3 minutes, 3 GB of memory)

. "$(dirname "$0")/lib.sh"

tree=${1:-$TREE}
model=$TOP/models/rcu_sync.pml
work=$BUILD/models
passed=0
failed=0

# result CODE TEXT LOG
result()
{
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
		say "ok - $2"
	else
		failed=$((failed + 1))
		say "not ok - $2 (log: ${3#"$TOP"/})"
		tail -n 20 "$3" 2>/dev/null | sed 's/^/#   /'
	fi
}

# search DIR DEFINE...
search()
{
	cd "$1" || return
	shift
	# gcc -w: what spin writes is not for us to mend
	spin -a "$@" "$model" &&
		gcc -w -O2 -DSAFETY -DCOLLAPSE -DMEMLIM=8192 -o pan pan.c &&
		./pan -m10000 -w26
}

# spin_check EXPECTED TEXT DEFINE...: EXPECTED is the error, or "errors: 0"
spin_check()
{
	expected=$1
	text=$2
	shift 2
	dir=$work/spin$(printf '%s' "$@")
	log=$dir/log
	code=0
	rm -rf "$dir"
	mkdir -p "$dir"
	(search "$dir" "$@") 2>&1 | tr -s ' ' >"$log"
	grep -qF "$expected" "$log" || code=1
	# Only without an error are all states searched; then it must be all.
	if [ "$expected" = 'errors: 0' ]; then
		! grep -qE 'Search not completed|max search depth|out of memory' "$log" || code=1
	fi
	states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored$/\1/p' "$log")
	seconds=$(sed -n 's/^pan: elapsed time \([0-9.]*\) seconds$/\1/p' "$log")
	result $code "spin: $text (${states:-no} states, ${seconds:-?} s)" "$log"
	[ $code != 0 ] || rm -f "$dir"/pan*
}

# litmus_check FILE
litmus_check()
{
	name=$(basename "$1" .litmus)
	log=$work/herd/$name.log
	expected=$(sed -n 's/^ \* Result: //p' "$1")
	code=0
	(cd "$tree/tools/memory-model" && "$herd" -conf linux-kernel.cfg "$1") \
		>"$log" 2>&1 || code=1
	grep -q "^Observation $name $expected " "$log" || code=1
	result $code "herd7: $name: ${expected:-no result named}" "$log"
}

"$TOP/scripts/setup.sh" models
"$TOP/scripts/sid.sh" herdtools7
herd=$BUILD/sid/bin/herd7

exclusion='assertion violated ( !(writing)&&(reading==0))'
visible='assertion violated ((stale&(1<<me))==0)'
spin_check 'errors: 0' 'no error'
spin_check "$exclusion" 'finish that does not wait fails' -DBREAK_NOGP
spin_check "$exclusion" 'cookie taken before the state is stored fails' -DBREAK_COOKIE_EARLY
spin_check "$exclusion" 'cookie of an entry that was given up fails' -DBREAK_COOKIE_KEEP
spin_check 'assertion violated (cb==0)' 'cookie over a queued callback fails' -DBREAK_COOKIE_ALWAYS
spin_check 'invalid end state' 'start that makes others wait for the starter fails' -DBREAK_OWNER
spin_check "$exclusion" 'giving up a start by EXIT fails' -DBREAK_EXIT_START
spin_check 'assertion violated (gp_state==0)' 'giving up a start that stays START fails' -DBREAK_EXIT_STAY
spin_check 'assertion violated (exp_debt==0)' 'exit without grace period fails: too many expedited ones' -DBREAK_EXIT_IDLE
spin_check "$visible" 'exit without grace period fails: readers miss a write' -DBREAK_EXIT_IDLE -DNO_RULE
spin_check "$visible" 'second exit during the grace period of the first fails without REPLAY' -DBREAK_REPLAY
spin_check 'assertion violated (gp_state==0)' 'dtor that leaves REPLAY fails' -DBREAK_DTOR_REPLAY
spin_check 'assertion violated !(freed)' 'dtor without rcu_barrier() fails' -DBREAK_DTOR_BARRIER
spin_check 'assertion violated (gp_state==0)' 'dtor that lets the callback be queued again fails' -DBREAK_DTOR_EXPEDITED
spin_check 'assertion violated (exp_debt==0)' 'exit after any kind of grace period fails: too many expedited ones' -DBREAK_KIND

rm -rf "$work/herd"
mkdir -p "$work/herd"
for litmus in "$tree"/Documentation/litmus-tests/percpu-rwsem/*.litmus; do
	if [ -e "$litmus" ]; then
		litmus_check "$(realpath "$litmus")"
	else
		result 1 "herd7: there are litmus tests in ${tree#"$TOP"/}" /dev/null
	fi
done

say "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
