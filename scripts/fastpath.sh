#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The fast path of readers of percpu rw-semaphores is the same instructions in
# build/stock and in build/patched, by functions that hardly do anything else.

. "$(dirname "$0")/lib.sh"

ok=0
bad=0

# Addresses go, as all lies elsewhere in another kernel; what symbol and which
# offset in it stays.
disassemble()
{
	objdump -d --no-show-raw-insn --disassemble="$2" "$BUILD/$1/vmlinux" |
		sed -n '/^[0-9a-f]* <'"$2"'>:$/,/^$/p' |
		sed -e 's/^[0-9a-f]*[ :]*//' -e 's/[0-9a-f]* </</' \
		    -e 's/0x[0-9a-f]*(%rip)/(%rip)/' \
		    -e 's/[$]0xffffffff8[0-9a-f]*/address/'
}

for function in get_online_mems put_online_mems; do
	for kind in stock patched; do
		disassemble $kind $function >"$LOGS/$function-$kind.s"
	done
	lines=$(wc -l <"$LOGS/$function-stock.s")
	if [ "$lines" -gt 5 ] && cmp -s "$LOGS/$function-stock.s" "$LOGS/$function-patched.s"; then
		say "ok - $function: the same $lines lines of disassembly as stock"
		ok=$((ok + 1))
	else
		say "not ok - $function: another disassembly than stock, $lines lines"
		diff "$LOGS/$function-stock.s" "$LOGS/$function-patched.s" || :
		bad=$((bad + 1))
	fi
done
say "$ok passed, $bad failed"
[ $bad = 0 ]
