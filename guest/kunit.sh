# SPDX-License-Identifier: GPL-2.0
# The KUnit suite of rcu_sync once more: at boot, where KUnit runs by itself,
# all grace periods are expedited.
# shellcheck shell=sh
. /guest/lib.sh

run_suite()
{
	echo 1 >/sys/kernel/debug/kunit/rcu_sync/run &&
		cat /sys/kernel/debug/kunit/rcu_sync/results
}

section rcu_sync run_suite
