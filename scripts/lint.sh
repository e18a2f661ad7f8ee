#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Lint of the project's own files: shell, Python, spelling of what people read,
# licence lines, and what must not be in a public repository.

set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$top"
work=build/lint
mkdir -p "$work"
passed=0
failed=0

# check TITLE COMMAND...: right when the command succeeds and prints nothing
check() {
	title=$1
	log=$work/$(echo "$title" | tr -c 'a-z0-9\n' -).log
	shift
	if "$@" >"$log" 2>&1 && [ ! -s "$log" ]; then
		passed=$((passed + 1))
		echo "ok - $title"
	else
		failed=$((failed + 1))
		echo "not ok - $title (log: $log)"
		head -n 10 "$log" | sed 's/^/#   /'
	fi
}

project_files() {
	if git rev-parse -q --git-dir >/dev/null 2>&1; then
		git ls-files --cached --others --exclude-standard
	else
		find . -type f | sed 's|^\./||'
	fi | grep -v -e '^build/' -e '^out/' -e '^\.git/' -e '/__pycache__/' |
		while read -r file; do
			[ ! -f "$file" ] || echo "$file"
		done | sort -u
}

# with_shebang WORD SUFFIX: scripts of one language
with_shebang() {
	while read -r file; do
		case $file in
		*.patch) continue ;;
		*"$2") echo "$file" ;;
		*) head -n 1 "$file" | grep -aqE "^#!.*\b($1)\b" && echo "$file" ;;
		esac
	done <"$work/files"
	return 0
}

each() {	# each LIST COMMAND...: once per file of the list
	list=$1
	shift
	status=0
	while read -r file; do
		"$@" "$file" || status=1
	done <"$list"
	return $status
}

compiles() {
	python3 -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' "$1"
}

executable() {
	head -n 1 "$1" | grep -q '^#!' || return 0
	[ -x "$1" ] || echo "$1 has an interpreter line and is not executable"
}

licensed() {
	head -n 3 "$1" | grep -q 'SPDX-License-Identifier: ' || echo "$1"
}

changelog() {
	awk '/^diff --git /{exit} {print}' "$1"
}

# Names of people and header lines are not text to be spelled.
spelling() {
	case $1 in
	*.patch) changelog "$1" | grep -vE '^(From|Date|[A-Z][a-z]+-[a-z-]+:)' ;;
	*) cat "$1" ;;
	esac | codespell - | sed "s|^|$1: |"
}

# added PATTERN FILE: lines of our own that match; of a patch, what it adds
added() {
	case $2 in
	*.patch) awk '/^diff --git /{body = 1} !body || /^\+/' "$2" ;;
	*) cat "$2" ;;
	esac | grep -anE "$1" | sed "s|^|$2:|"
	return 0
}

trailers() {
	changelog "$1" | grep -niE '^(Signed-off|Assisted|Co-developed|Co-authored|Generated)-(by|with):' |
		sed "s|^|$1:|"
	return 0
}

for tool in shellcheck pyflakes3 codespell; do
	check "$tool is installed" sh -c "command -v $tool >/dev/null || echo install $tool"
done

project_files >"$work/files"
with_shebang '(ba|da)?sh' .sh >"$work/shell"
with_shebang 'python3?' .py >"$work/python"
grep -E '\.patch$' "$work/files" >"$work/patches" || true
grep -E '(\.patch|\.md|cover-letter\.txt)$' "$work/files" >"$work/prose" || true
grep -E '^(scripts|configs|guest|\.ci)/|^Makefile$' "$work/files" |
	grep -v '\.patch$' >"$work/licence" || true

check 'shellcheck' each "$work/shell" shellcheck -x -P SCRIPTDIR
check 'python compiles' each "$work/python" compiles
check 'pyflakes3' each "$work/python" pyflakes3
check 'scripts are executable' each "$work/files" executable
check 'every script and config has its licence line' each "$work/licence" licensed
check 'spelling of documents and changelogs' each "$work/prose" spelling
check 'no path of one machine' each "$work/files" \
	added '(^|[^[:alnum:]_.])/(wor[k]|hom[e]/[a-z]+|roo[t])/|/tm[p]/k\b'
check 'no package registry' each "$work/files" \
	added '(de[b]|securit[y]|snapsho[t])\.debian\.or[g]|pyp[i]\.org|npmj[s]\.|prox[y]\.golang|crate[s]\.io'
check 'no sign-off in a patch' each "$work/patches" trailers

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
