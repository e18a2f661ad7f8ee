#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# setup.sh GROUP...: install the Debian packages that scripts/packages.txt
# lists for these groups, when root; else name what is missing and stop.

. "$(dirname "$0")/lib.sh"

wanted()
{
	for group in "$@"; do
		awk -v group="$group" '!/^#/ && $1 == group { print $2 }' \
			"$TOP/scripts/packages.txt"
	done
}

missing=
for package in $(wanted "$@"); do
	dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null |
		grep -qx 'install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
command -v apt-get >/dev/null || die "not a Debian system; these packages, or what your system calls them, are needed:$missing"
[ "$(id -u)" = 0 ] || die "these packages are missing; as root: apt-get install$missing"

install_packages()
{
	apt-get update
	# shellcheck disable=SC2086 # a list of packages
	DEBIAN_FRONTEND=noninteractive \
		apt-get install -y --no-install-recommends $missing
}
step setup.log "installing$missing (1 min)" install_packages
