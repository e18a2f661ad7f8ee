# SPDX-License-Identifier: GPL-2.0
# Sourced by the other scripts: where things lie and how steps are reported.
# shellcheck shell=sh
# shellcheck disable=SC2034 # used by those who source this

set -eu

TOP=$(cd "$(dirname "$0")/.." && pwd)
BUILD=$TOP/build
TREE=$BUILD/linux
LOGS=$BUILD/log
mkdir -p "$LOGS"

IDENT_NAME='sysfs-scale project'
IDENT_MAIL='sysfs-scale@example.com'

# What git prints must not depend on who runs it.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export LC_ALL=C

say()
{
	printf '%s\n' "$*"
}

die()
{
	printf 'error: %s\n' "$*" >&2
	exit 1
}

# step LOG TEXT COMMAND...: one long step; TEXT says what and how long.
step()
{
	step_log=$LOGS/$1
	step_text=$2
	shift 2
	say "==> $step_text (log: ${step_log#"$TOP"/})"
	step_start=$(date +%s)
	if ! "$@" >"$step_log" 2>&1; then
		tail -n 20 "$step_log" >&2
		die "failed: $step_text; see $step_log"
	fi
	say "    done in $(($(date +%s) - step_start)) s"
}

parts()
{
	for parts_dir in "$TOP"/patches/[0-9]-*/; do
		[ -d "$parts_dir" ] && basename "$parts_dir"
	done
}

# What tree.sh and refresh.sh remember of patches/.
patches_id()
{
	cat "$TOP"/patches/[0-9]-*/*.patch 2>/dev/null | sha256sum | cut -d' ' -f1
}

# group TEXT COMMAND...: tests that print ok / not ok lines and end with
# "N passed, M failed"; groups_passed and groups_failed add them up. A group
# that fails does not stop the next.
groups_passed=0
groups_failed=0

group()
{
	group_name=$1
	shift
	say "==> $group_name"
	group_start=$(date +%s)
	group_log=$LOGS/group-$(basename "$1" | sed 's/\.[a-z]*$//').log
	group_code=0
	{ "$@" 2>&1 || echo "group exit $?"; } | tee "$group_log" | grep -v '^group exit' || :
	! grep -q '^group exit' "$group_log" || group_code=1
	counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$group_log" | tail -n 1)
	[ -n "$counts" ] || counts="0 passed, 1 failed"
	# shellcheck disable=SC2086 # four words
	set -- $counts
	[ "$3" -gt 0 ] || [ $group_code = 0 ] || set -- "$1" passed, 1 failed
	groups_passed=$((groups_passed + $1))
	groups_failed=$((groups_failed + $3))
	say "    $group_name: $1 passed, $3 failed, $(($(date +%s) - group_start)) s"
}
