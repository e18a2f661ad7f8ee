#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Boot the guest in every mode and in bad ones; prints ok / not ok lines.

check-guest.py       what make check does
check-guest.py deep  the rest on the debug kernel, and stock showing the bugs
"""

import os
import re
import sys

import bench
import vm

LOGS = os.path.join(vm.BUILD, "log/guest")
SMALL = 4096
DIMM_MIB = 256
# What each operation waits for: normal and expedited grace periods, and how
# often a percpu rw-semaphore traces that its writer waits.
WAITS = {"freeze": (0, 1, 1), "thaw": (0, 0, 0), "remount": (0, 0, 0),
         "remount_ro": (0, 0, 0), "remount_rw": (0, 0, 0),
         "cgroup_mount": (0, 0, 0), "cgroup_move": (0, 1, 1),
         "memory_online": (0, 1, 1), "memory_offline": (0, 2, 1)}
# The warning of rcu_sync_dtor() that the first patch of part 1 takes away.
STOCK_BROKEN = "WARNING: .*rcu_sync_dtor|Call Trace"
# Functions of part 1, and of its KUnit test.
OURS = "rcu_sync|percpu_(down|up|rwsem)|freeze_super|thaw_super|sb_|race_"
HOLES = 140     # more regions than memblock's static array of 128 holds

passed = failed = 0


def check(name, good, why=""):
    global passed, failed
    if good:
        passed += 1
        print(f"ok - {name}", flush=True)
    else:
        failed += 1
        print(f"not ok - {name}: {why}", flush=True)


def boot(name, job, append="", kind="patched", mib=SMALL, timeout=300,
         allowed=None, **options):
    """One boot that has to be clean but for lines that @allowed matches."""
    log = os.path.join(LOGS, f"{name}.log")
    try:
        guest = vm.run(vm.kernel_image(kind), job, log, mib, append=append,
                       timeout=timeout, **options)
    except vm.GuestError as err:
        check(f"{name}: boots and ends", False, err)
        return None
    check(f"{name}: boots and ends", True)
    broken = [line for line in guest.breakage()
              if not (allowed and re.search(allowed, line))]
    check(f"{name}: a clean kernel log", not broken,
          f"{broken[:3]} (log: {log})")
    return guest


def check_kselftest(name, guest):
    sections = guest.sections()
    check(f"{name}: the kselftest ran", len(sections) >= 3, sorted(sections))
    for test, (code, lines) in sections.items():
        bad = [line for line in lines if line.startswith(("not ok", "Bail"))]
        check(f"{name}: {test}", code == 0 and not bad, f"exit {code} {bad}")


def check_waits(name, guest):
    """Counts decide, times do not."""
    metrics = bench.job_metrics(guest)
    for operation, wanted in WAITS.items():
        found = tuple(metrics.get(f"{operation}_{what}", {}).get("median")
                      for what in ("gp_normal", "gp_expedited", "contended"))
        check(f"{name}: {operation} waits for {wanted[0]} normal and "
              f"{wanted[1]} expedited grace periods, traced {wanted[2]} times",
              found == wanted, found)


def blocks_of(guest):
    found = re.findall(r"metric blocks \S+ n=1 min=(\d+)", guest.output)
    return int(found[0]) if found else -1


def warned(guest, word):
    """The kernel named the bad value of mem_hotplug=."""
    return any("mem_hotplug" in line and word in line
               and "ommand line" not in line
               for line in guest.console.splitlines())


def check_modes(kind, modes=("on", "off", "lazy")):
    for mode in modes:
        some = mode != "off"
        name = f"{kind}-{mode}"
        guest = boot(name, "check", vm.mode_append(mode), kind, timeout=900)
        if not guest:
            continue
        check_kselftest(name, guest)
        blocks = blocks_of(guest)
        check(f"{name}: {'has' if some else 'has no'} memory blocks",
              blocks > 0 if some else blocks == 0, blocks)
        if mode == "lazy":      # until it exists: unknown, warned of
            check(f"{name}: warns", warned(guest, "lazy"))
        if kind != "patched":
            check_kunit(name, guest)
        elif mode == "on":
            check_waits(name, guest)


def check_kunit(name, guest):
    good = re.findall(r"^\[.*\] ok \d+ .*$", guest.console, re.M)
    bad = re.findall(r"^\[.*\] *not ok .*$", guest.console, re.M)
    check(f"{name}: KUnit", good and not bad, f"{len(good)} suites {bad[:3]}")


def check_bad_values():
    for name, append in (("banana", "mem_hotplug=banana"),
                         ("empty", "mem_hotplug="),
                         ("bare", "mem_hotplug"),
                         ("long", "mem_hotplug=" + "o" * 200)):
        guest = boot(f"value-{name}", "blocks", append)
        if guest:
            check(f"value-{name}: warns", warned(guest, "="), "no warning")
            check(f"value-{name}: stays on",
                  block_lines(guest), "no memory blocks")


def block_lines(guest):
    return guest.sections().get("blocks", (1, []))[1]


def holes(count):
    return "init_on_free=1 memmap=" + ",".join(
        f"4K${80 + 2 * i}M" for i in range(count))


def check_holes():
    """More memory regions than memblock's first array holds."""
    for nodes in (1, 2, 4):
        few = boot(f"holes-10-{nodes}", "blocks", holes(10), nodes=nodes,
                   mib=2048, timeout=120)
        many = boot(f"holes-{HOLES}-{nodes}", "blocks", holes(HOLES),
                    nodes=nodes, mib=2048, timeout=120)
        if few and many:
            check(f"holes-{HOLES}-{nodes}: blocks, zones and node links as "
                  "with 10 holes", block_lines(few) and
                  block_lines(few) == block_lines(many), "they differ")


def add_dimm(qmp):
    qmp.command("object-add", **{"qom-type": "memory-backend-ram", "id": "hot",
                                 "size": DIMM_MIB * vm.MIB})
    qmp.command("device_add", driver="pc-dimm", id="dimm", memdev="hot")


def remove_dimm(qmp):
    qmp.command("device_del", id="dimm")


def resize_virtio_mem(mib):
    return lambda qmp: qmp.command(
        "qom-set", path="/machine/peripheral/vmem",
        property="requested-size", value=mib * vm.MIB)


def hotplug_states(guest):
    """{'dimm-added': (blocks, MemTotal in KiB)}"""
    return {word: (int(blocks), int(total)) for word, blocks, total in
            re.findall(r"^(\S+) blocks=(\d+) total=(\d+)$", guest.output,
                       re.M)}


def boot_hotplug(mode, kind):
    moves = {"dimm-add": add_dimm, "dimm-remove": remove_dimm,
             "virtio-mem-add": resize_virtio_mem(DIMM_MIB),
             "virtio-mem-remove": resize_virtio_mem(0)}
    devices = (["-object", "memory-backend-ram,id=vram,size=1G,reserve=off"],
               ["-device", "virtio-mem-pci,id=vmem,memdev=vram,node=0"])
    return boot(f"hotplug-{mode}", "hotplug", vm.mode_append(mode), kind,
                nodes=2, extra_mib=4096, host_moves=moves, devices=devices)


def check_hotplug_on(kind):
    guest = boot_hotplug("on", kind)
    if not guest:
        return
    states = hotplug_states(guest)
    for source in ("dimm", "virtio-mem"):
        try:
            before, added, online, removed = (
                states[f"{source}-{when}"]
                for when in ("before", "added", "online", "removed"))
        except KeyError as err:
            check(f"hotplug-on: {source}", False, f"no line of {err}")
            continue
        check(f"hotplug-on: {source} comes", added[0] == before[0] + 2,
              f"{before} {added}")
        check(f"hotplug-on: {source} goes online", online[1] >=
              before[1] + DIMM_MIB * 1024 * 0.9, f"{before} {online}")
        check(f"hotplug-on: {source} goes", removed == before,
              f"{before} {removed}")


def check_hotplug_off(kind):
    guest = boot_hotplug("off", kind)
    if not guest:
        return
    states = hotplug_states(guest)
    check("hotplug-off: no block and no byte more, whatever is plugged",
          len(states) == 6 and len(set(states.values())) == 1
          and states["dimm-added"][0] == 0, states)
    sections = guest.sections()
    probe = " ".join(sections.get("probe", (0, []))[1])
    check("hotplug-off: probe is refused", "not supported" in probe, probe)
    check("hotplug-off: the root files stay", {"block_size_bytes",
          "auto_online_blocks", "probe", "soft_offline_page",
          "hard_offline_page"} <= set(sections.get("root", (0, []))[1]),
          sections.get("root"))
    check("hotplug-off: the machine still works",
          sections.get("still-works", (1, []))[0] == 0)
    lines = [line for line in guest.console.splitlines()
             if "mem_hotplug=off" in line and "ommand line" not in line]
    check("hotplug-off: says so, once a source",
          2 <= len(lines) <= 6 and
          len({re.sub(r"^\[.*?\] ", "", line) for line in lines})
          == len(lines), lines)


def check_big():
    mib = vm.big_memory_mib()
    for mode in ("on", "off"):
        name = f"big-{mode}"
        guest = boot(name, "check", vm.mode_append(mode) +
                     " sysfs_scale.max=100", mib=mib, timeout=600)
        if guest:
            check_kselftest(name, guest)
            blocks = blocks_of(guest)
            check(f"{name}: {blocks} blocks in {mib} MiB",
                  blocks == (0 if mode == "off" else mib // 128) or
                  (mib != vm.TB_MIB and mode == "on" and blocks > 0), blocks)


def stock_hangs():
    """The bug that the first patch of part 3 fixes is still there to see."""
    try:
        vm.run(vm.kernel_image("stock"), "blocks",
               os.path.join(LOGS, "stock-holes.log"), 2048, timeout=60,
               append=holes(HOLES))
        check(f"stock: hangs with {HOLES} holes", False, "it boots")
    except vm.GuestError as err:
        check(f"stock: hangs with {HOLES} holes", "in time" in str(err), err)


def check_all():
    check_modes("patched")
    check_bad_values()
    check_holes()
    check_hotplug_on("patched")
    check_hotplug_off("debug")
    check_modes("debug", ("on",))
    check_big()


def stock_waits():
    """What part 1 is about is there to see on stock."""
    guest = boot("stock-waits", "check", kind="stock", timeout=900,
                 allowed=STOCK_BROKEN)
    if not guest:
        return
    metrics = bench.job_metrics(guest, failures=True)
    found = metrics.get("freeze_gp_normal", {}).get("median")
    check("stock: a freeze waits for 3 normal grace periods", found == 3,
          found)
    found = metrics.get("cgroup_move_contended", {}).get("median")
    check("stock: the wait for a grace period is not traced", found == 0,
          found)
    bad = [line for line in guest.output.splitlines()
           if line.startswith("not ok")]
    check("stock: a file system that gets read-only while it is frozen stays "
          "locked", len(bad) == 1 and "read_only_while_frozen" in bad[0], bad)


def check_rcu_sync():
    """KUnit once more after boot, when grace periods are not all expedited."""
    for name, append in (("kunit", ""), ("kunit-normal",
                         "rcupdate.rcu_normal=1"),
                         ("kunit-nohz_full", "nohz_full=1")):
        guest = boot(name, "kunit", append, "debug", timeout=600)
        if guest:
            check_suite(name, guest)


def check_suite(name, guest):
    code, lines = guest.sections().get("rcu_sync", (1, []))
    bad = [line for line in lines if re.match(r"\s*not ok", line)]
    good = [line for line in lines if re.match(r"ok \d+ rcu_sync", line)]
    check(f"{name}: rcu_sync", code == 0 and good and not bad,
          f"exit {code} {bad[:3]}")


def check_races():
    """KCSAN finds races all over the kernel; those of the series count."""
    guest = boot("kcsan", "kunit", kind="kcsan", timeout=900,
                 allowed="BUG: KCSAN: data-race")
    if not guest:
        return
    check_suite("kcsan", guest)
    races = re.findall(r"BUG: KCSAN: data-race in (.*)", guest.console)
    ours = [race for race in races if re.search(OURS, race)]
    print(f"#   {len(races)} data races reported in all")
    check("kcsan: none in the code of the series", not ours, ours)


def check_deep():
    stock_hangs()
    stock_waits()
    check_modes("debug", ("off", "lazy"))
    check_hotplug_on("debug")
    check_rcu_sync()
    check_races()


def main():
    print(f"    accelerator: {vm.accelerator()}", flush=True)
    if sys.argv[1:] == ["deep"]:
        check_deep()
    else:
        check_all()
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
