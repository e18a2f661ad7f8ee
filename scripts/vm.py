#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Boot the test guest under QEMU, watch it, and end it within a bound.

As a program: an interactive shell in the guest (make boot).
As a module: run() boots a kernel with one job of guest/ and returns what the
job printed (ttyS1) and what the kernel printed (ttyS0).
"""

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(TOP, "build")
INITRD = os.path.join(BUILD, "initramfs.cpio.gz")
DISK = os.path.join(BUILD, "disk.img")

MIB = 1 << 20
TB_MIB = 1048704            # 1 TB + 128 MB: x86 then takes 128 MB blocks
TB_HOST_MIB = 18 * 1024     # what the host must have free for it
BROKEN = re.compile(r"Kernel panic|BUG:|Oops|WARNING:|INFO: task .* blocked|"
                    r"possible recursive locking|circular locking|"
                    r"inconsistent lock state|suspicious RCU|"
                    r"soft lockup|rcu: INFO: .* detected stall|"
                    r"Unknown kernel command line parameters|UBSAN|"
                    r"Call Trace|general protection fault")


class GuestError(Exception):
    """The guest hung, broke or did not end as it should."""


def kernel_image(kind):
    return os.path.join(BUILD, kind, "arch/x86/boot/bzImage")


def size_mib(text):
    """'4G', '1T', '1048704M' or a plain number of MiB."""
    match = re.fullmatch(r"(\d+)([MGT]?)", text.upper())
    if not match or int(match[1]) == 0:
        raise ValueError(f"bad memory size '{text}': try 4G, 1T or 1048704M")
    return int(match[1]) * {"": 1, "M": 1, "G": 1024, "T": MIB}[match[2]]


def host_available_mib():
    with open("/proc/meminfo", encoding="ascii") as meminfo:
        for line in meminfo:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) // 1024
    return 0


def big_memory_mib():
    """1 TB where the host can hold its memmap, else what fits."""
    free = host_available_mib()
    if free >= TB_HOST_MIB:
        return TB_MIB
    mib = 1024
    while mib * 2 * TB_HOST_MIB <= free * MIB and mib * 2 <= MIB // 2:
        mib *= 2
    print(f"    {free} MiB are available on this host, {TB_HOST_MIB} are "
          f"needed for a 1 TB guest: it gets {mib // 1024} GiB", flush=True)
    return mib


def numa_args(mib, nodes):
    """Nodes of equal size, in units of 128 MB; the last takes the rest."""
    share = mib // nodes // 128 * 128 or mib // nodes
    args = []
    for node in range(nodes):
        size = share if node < nodes - 1 else mib - share * (nodes - 1)
        args += ["-object", f"memory-backend-ram,id=ram{node},size={size}M,"
                 "reserve=off", "-numa", f"node,nodeid={node},memdev=ram{node}"]
    return args


def qemu_args(kernel, mib, nodes=4, cpus=2, accel="tcg", append="",
              extra_mib=0, icount=False, devices=()):
    memory = f"{mib}M"
    if extra_mib:
        memory += f",slots=4,maxmem={mib + extra_mib}M"
    smp = 1 if icount else cpus
    args = ["qemu-system-x86_64", "-nodefaults", "-no-user-config",
            "-display", "none", "-no-reboot",
            "-M", "q35", "-m", memory, "-smp", str(smp),
            "-kernel", kernel, "-initrd", INITRD,
            "-drive", f"if=none,id=disk,file={DISK},format=raw,snapshot=on",
            "-device", "virtio-blk-pci,drive=disk"]
    if accel == "kvm":
        args += ["-accel", "kvm", "-cpu", "host"]
    else:
        args += ["-accel", "tcg" if icount else "tcg,thread=multi",
                 "-cpu", "max,phys-bits=46"]
    if icount:
        args += ["-icount", "shift=0,sleep=off"]
    args += numa_args(mib, nodes)
    for device in devices:
        args += device
    return args + ["-append", f"console=ttyS0 panic=-1 {append}".strip()]


class Qmp:
    """QEMU's monitor: one command at a time, events skipped."""

    def __init__(self, path):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(60)
        self.sock.connect(path)
        self.stream = self.sock.makefile("rw", encoding="utf-8")
        self.stream.readline()
        self.command("qmp_capabilities")

    def command(self, name, **arguments):
        json.dump({"execute": name, "arguments": arguments}, self.stream)
        self.stream.write("\n")
        self.stream.flush()
        while True:
            answer = json.loads(self.stream.readline())
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise GuestError(f"QEMU refused {name}: "
                                 f"{answer['error']['desc']}")


class Guest:
    """What one boot printed."""

    def __init__(self, console, output, seconds):
        self.console = console
        self.output = output
        self.seconds = seconds

    def sections(self):
        """{name: (exit code, lines)} of guest/lib.sh's section()."""
        found = {}
        for match in re.finditer(r"^=== begin (\S+)\n(.*?)^=== end \1 (\d+)$",
                                 self.output, re.M | re.S):
            found[match[1]] = (int(match[3]), match[2].splitlines())
        return found

    def breakage(self):
        """Lines of the kernel log that no boot may have."""
        return [line for line in self.console.splitlines()
                if BROKEN.search(line)]


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read().replace("\r", "")
    except FileNotFoundError:
        return ""


def fail(what, console, log):
    broken = BROKEN.search(console)
    start = console.rfind("\n", 0, broken.start()) + 1 if broken else 0
    lines = console[start:].splitlines()
    shown = lines[:40] if broken else lines[-15:]
    raise GuestError(f"{what}; console: {log}\n  | " + "\n  | ".join(shown))


def watch(proc, work, deadline, host_moves, log):
    """Wait for QEMU to end; make the host's moves when the guest asks."""
    done = set()
    while proc.poll() is None:
        output = read(os.path.join(work, "output"))
        for word in re.findall(r"^=== host (\S+)$", output, re.M):
            if word not in done and word in host_moves:
                done.add(word)
                host_moves[word](Qmp(os.path.join(work, "qmp")))
        if time.monotonic() > deadline:
            proc.kill()
            proc.wait()
            fail("the guest did not end in time",
                 read(os.path.join(work, "console")), log)
        time.sleep(0.2)


def run(kernel, job, log, mib, timeout=300, host_moves=None, append="",
        may_fail=False, **options):
    """Boot @kernel, run guest/@job.sh in it, return a Guest.

    @log is where the console is kept.  @host_moves maps a word of the
    guest's sync_host() to a function of a Qmp.  Raises GuestError when the
    guest hangs, breaks or its job does not end.
    """
    work = tempfile.mkdtemp(prefix="sysfs-scale-")
    args = qemu_args(kernel, mib, append=f"{append} sysfs_scale.job={job}",
                     **options)
    args += ["-serial", f"file:{work}/console", "-serial",
             f"file:{work}/output", "-qmp", f"unix:{work}/qmp,server=on,wait=off"]
    start = time.monotonic()
    try:
        with open(os.path.join(work, "qemu"), "w", encoding="utf-8") as err:
            proc = subprocess.Popen(args, stdin=subprocess.DEVNULL,
                                    stdout=err, stderr=err)
            try:
                watch(proc, work, start + timeout, host_moves or {}, log)
            finally:
                proc.kill()
                proc.wait()
        guest = Guest(read(f"{work}/console"), read(f"{work}/output"),
                      time.monotonic() - start)
        qemu_says = read(f"{work}/qemu")
    finally:
        os.makedirs(os.path.dirname(log), exist_ok=True)
        with open(log, "w", encoding="utf-8") as kept:
            kept.write(" ".join(args) + "\n\n")
            for name in ("qemu", "console", "output"):
                kept.write(f"--- {name}\n{read(os.path.join(work, name))}\n")
        shutil.rmtree(work)
    if not guest.console:
        raise GuestError(f"QEMU did not start the guest: {qemu_says.strip()}")
    if not may_fail and f"job {job} ended with" not in guest.output:
        fail("the guest stopped before its job ended", guest.console, log)
    return guest


def accelerator():
    """KVM only when a guest reaches user space with it; remembered."""
    if not os.path.exists("/dev/kvm"):
        return "tcg"
    path = os.path.join(BUILD, "accelerator")
    if not os.path.exists(path):
        kernel = next((kernel_image(kind) for kind in ("patched", "stock")
                       if os.path.exists(kernel_image(kind))))
        try:
            run(kernel, "nothing", os.path.join(BUILD, "log/kvm.log"), 512,
                timeout=60, nodes=1, accel="kvm")
            found = "kvm"
        except GuestError:
            found = "tcg"
        with open(path, "w", encoding="ascii") as stream:
            stream.write(found)
    return read(path)


def mode_append(mode):
    return "" if mode == "stock" else f"mem_hotplug={mode}"


def main():
    parser = argparse.ArgumentParser(description="a shell in the guest")
    parser.add_argument("--mode", default="on",
                        choices=("stock", "on", "off", "lazy"))
    parser.add_argument("--mem", default="", help="4G, 1T, 1048704M; "
                        "without it 1 TB where the host can hold that")
    parser.add_argument("--nodes", type=int, default=4)
    parser.add_argument("--cpus", type=int, default=2)
    opts = parser.parse_args()
    try:
        mib = size_mib(opts.mem) if opts.mem else big_memory_mib()
    except ValueError as err:
        parser.error(str(err))
    kind = "stock" if opts.mode == "stock" else "patched"
    accel = accelerator()
    print(f"==> {kind} kernel, {mode_append(opts.mode) or 'no option'}, "
          f"{mib} MiB, {opts.nodes} nodes, {opts.cpus} CPUs, {accel}; "
          "leave with 'poweroff -f' or Ctrl-A X", flush=True)
    args = qemu_args(kernel_image(kind), mib, opts.nodes, opts.cpus, accel,
                     mode_append(opts.mode))
    sys.exit(subprocess.call(args + ["-serial", "mon:stdio"]))


if __name__ == "__main__":
    main()
