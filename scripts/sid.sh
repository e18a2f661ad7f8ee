#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Programs from Debian sid beside an older Debian, without touching it:
# packages and all their dependencies are fetched by an apt of its own
# (state, cache and sources under build/sid; signatures checked with the
# host's archive keyring) and unpacked, not installed.  Each program of a
# named package gets a wrapper in build/sid/bin that runs it on sid's own
# loader and libraries.  No root needed.
#
#	scripts/sid.sh PACKAGE...	then: build/sid/bin/PROGRAM

set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
sid=$top/build/sid
root=$sid/root
log=$sid/sid.log

die() {
	echo "sid.sh: $*" >&2
	echo "sid.sh: log: $log" >&2
	exit 1
}

# apt-get with its own state, its output in the log
sid_apt() {
	APT_CONFIG=$sid/apt/apt.conf apt-get "$@" >>"$log" 2>&1
}

# shellcheck disable=SC2016 # $(REPO_URI) is apt's
write_apt_conf() {
	mirror=$(apt-get indextargets --format '$(REPO_URI)' \
		'Created-By: Packages' 'Label: Debian' | head -n 1)
	if [ -z "$mirror" ]; then	# no list fetched yet, or no label
		mirror=$(apt-get indextargets --no-release-info \
			--format '$(REPO_URI)' 'Created-By: Packages' |
			grep -v -e security -e backports | head -n 1)
	fi
	[ -n "$mirror" ] || die "no Debian mirror in this machine's apt sources"
	keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	[ -e "$keyring" ] || die "$keyring is missing: install debian-archive-keyring"

	mkdir -p "$sid/apt/lists/partial" "$sid/apt/cache/archives/partial"
	: >"$sid/apt/status"
	echo "deb [signed-by=$keyring] $mirror sid main" >"$sid/apt/sources.list"
	cat >"$sid/apt/apt.conf" <<-CONF
	Dir::Etc::sourcelist "$sid/apt/sources.list";
	Dir::Etc::sourceparts "/dev/null";
	Dir::Etc::preferences "/dev/null";
	Dir::Etc::preferencesparts "/dev/null";
	Dir::State "$sid/apt";
	Dir::State::status "$sid/apt/status";
	Dir::State::lists "$sid/apt/lists";
	Dir::Cache "$sid/apt/cache";
	APT::Install-Recommends "false";
	APT::Sandbox::User "";
	APT::Update::Post-Invoke-Success "";
	Acquire::Languages "none";
	Acquire::Retries "3";
	Debug::NoLocking "true";
	CONF
}

# The packages, and what they need, in an empty system
fetch() {
	echo "sid.sh: fetching $* from sid (about a minute, log: $log)"
	write_apt_conf
	sid_apt update || die "sid's package lists cannot be fetched"
	sid_apt -y --download-only install "$@" ||
		die "sid's $* cannot be fetched"
}

unpack() {
	mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" "$root/usr/lib64"
	for dir in bin sbin lib lib64; do
		[ -e "$root/$dir" ] || ln -s "usr/$dir" "$root/$dir"
	done
	for deb in "$sid"/apt/cache/archives/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" |
			tar -C "$root" --keep-directory-symlink -xf - ||
			die "$deb cannot be unpacked"
	done
}

# wrap PROGRAM: run it on sid's loader and libraries.  herd7 looks for its
# models where the package would have put them, unless it is told.
wrap() {
	case $1 in
	herd7) option=" -set-libdir \"$root/usr/share/herdtools7/herd\"" ;;
	*) option= ;;
	esac
	cat >"$sid/bin/$1" <<-WRAP
	#!/bin/sh
	# made by scripts/sid.sh
	exec "$root/usr/lib64/ld-linux-x86-64.so.2" --library-path \\
		"$root/usr/lib/x86_64-linux-gnu" --argv0 "$1" \\
		"$root/usr/bin/$1"$option "\$@"
	WRAP
	chmod +x "$sid/bin/$1"
}

wrap_programs() {
	mkdir -p "$sid/bin"
	for package in "$@"; do
		for deb in "$sid/apt/cache/archives/${package}_"*.deb; do
			dpkg-deb --fsys-tarfile "$deb" | tar -tf - |
				sed -n 's|^\./usr/bin/\([^/]\{1,\}\)$|\1|p'
		done
	done | while read -r program; do
		# scripts run on the host's interpreter
		case $(head -c 4 "$root/usr/bin/$program" | tr -d '\0\177') in
		ELF) wrap "$program" ;;
		*) ln -sf "$root/usr/bin/$program" "$sid/bin/$program" ;;
		esac
	done
}

[ $# -gt 0 ] || { echo "usage: $0 PACKAGE..." >&2; exit 2; }
[ "$(dpkg --print-architecture)" = amd64 ] ||
	{ echo "sid.sh: wrappers exist for amd64 only" >&2; exit 1; }

missing=
for package in "$@"; do
	[ -e "$sid/have/$package" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

mkdir -p "$sid/have" "$sid/apt"
: >"$log"
# shellcheck disable=SC2086 # a list of names
fetch $missing
unpack
# shellcheck disable=SC2086
wrap_programs $missing
for package in $missing; do
	: >"$sid/have/$package"
done
sid_apt clean
