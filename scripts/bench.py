#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Boot stock and patched kernels in turn, print the table, write bench.json."""

import argparse
import json
import os
import re
import statistics
import sys

import vm

OUT = os.path.join(vm.TOP, "out")
METRIC = re.compile(r"^[# ]*# metric (\S+) (\S+) n=(\d+) min=(\S+) "
                    r"median=(\S+) max=(\S+)$")
BOOT_STEPS = re.compile(r"sysfs_scale: memory_dev_init (\d+) ns "
                        r"node_dev_init (\d+) ns")
BOOT_INIT = re.compile(r"^\[ *(\d+\.\d+)\] sysfs_scale: init$", re.M)

KERNELS = (("stock", "stock"), ("patched", "on"), ("patched", "off"))


class Shape:
    """One kind of guest: its size and the job that measures in it.

    What the job measures in a shape with a prefix are rows of their own; of
    all others, a row is what the first shape has to say."""

    def __init__(self, name, job, mib, boots, timeout, icount=False, cpus=2,
                 append="", prefix="", modes=("stock", "on", "off")):
        self.name = name
        self.job = job
        self.mib = mib
        self.boots = boots
        self.timeout = timeout
        self.icount = icount
        self.nodes = 4
        self.cpus = 1 if icount else cpus
        self.append = append
        self.prefix = prefix
        self.kernels = [pair for pair in KERNELS if pair[1] in modes]
        self.blocks = 0

    def describe(self, accel):
        return {"memory": f"{self.mib} MiB", "nodes": self.nodes,
                "cpus": self.cpus, "blocks": self.blocks, "host": host(),
                "append": self.append,
                "accelerator": "tcg, instruction count" if self.icount
                else accel}


def host():
    model = "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        for line in cpuinfo:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    with open("/proc/meminfo", encoding="ascii") as meminfo:
        total = int(meminfo.readline().split()[1]) // 1024
    return f"{model}, {os.cpu_count()} CPUs, {total} MiB"


def one(unit, value):
    return {"unit": unit, "n": 1, "min": value, "median": value, "max": value}


def number(text):
    value = float(text)
    return int(value) if value.is_integer() else value


def boot_metrics(guest, icount):
    """What the kernel log says of the boot itself."""
    steps = BOOT_STEPS.search(guest.console)
    init = BOOT_INIT.search(guest.console)
    if not steps or not init:
        raise vm.GuestError("the console lacks the timing lines of "
                            "scripts/measure.patch")
    if icount:      # -icount shift=0: one instruction is one nanosecond
        return {"boot_memory_dev_init_insn": one("insn", int(steps[1])),
                "boot_node_links_insn": one("insn", int(steps[2]))}
    return {"boot_memory_dev_init_us": one("us", int(steps[1]) / 1000),
            "boot_node_links_us": one("us", int(steps[2]) / 1000),
            "boot_total_us": one("us", round(float(init[1]) * 1e6))}


def job_metrics(guest, failures=False):
    """The numbers that the job printed, unless a program of it failed."""
    metrics = {}
    for name, (code, lines) in guest.sections().items():
        if code and not failures:
            shown = [line for line in lines if line.startswith(
                ("not ok", "Bail out", "# ")) and "metric" not in line]
            raise vm.GuestError(f"{name} failed in the guest: " +
                                "; ".join(shown[:8]))
        for line in lines:
            match = METRIC.match(line)
            if match:
                metrics[match[1]] = {
                    "unit": match[2], "n": int(match[3]),
                    "min": number(match[4]), "median": number(match[5]),
                    "max": number(match[6])}
    return metrics


def measure(shape, kernel, mode, boot, accel):
    log = os.path.join(OUT, f"bench/{shape.name}-{kernel}-{mode}-{boot}.log")
    guest = vm.run(vm.kernel_image(kernel), shape.job, log, shape.mib,
                   timeout=shape.timeout, nodes=shape.nodes, cpus=shape.cpus,
                   accel="tcg" if shape.icount else accel,
                   icount=shape.icount,
                   append=f"{vm.mode_append(mode)} {shape.append}".strip())
    metrics = boot_metrics(guest, shape.icount)
    metrics.update({shape.prefix + name: metric
                    for name, metric in job_metrics(guest).items()})
    if mode == "stock" and "blocks" in metrics:
        shape.blocks = metrics["blocks"]["median"]
    print(f"    {shape.name:10} {kernel:8} {mode:6} boot {boot}: "
          f"{guest.seconds:.0f} s", flush=True)
    return {"shape": shape.name, "kernel": kernel, "mode": mode, "boot": boot,
            "metrics": metrics}


def columns(runs):
    """{metric: {mode: [medians of the boots]}}, of the first shape with it."""
    table = {}
    shape_of = {}
    for run in runs:
        for name, metric in run["metrics"].items():
            if shape_of.setdefault(name, run["shape"]) != run["shape"]:
                continue
            table.setdefault(name, {}).setdefault(run["mode"], []).append(
                metric["median"])
    return table


def ratio(row, mode):
    if mode not in row or "stock" not in row:
        return None
    patched = statistics.median(row[mode])
    return statistics.median(row["stock"]) / patched if patched else None


def short(value):
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def cell(values):
    if not values:
        return "-"
    text = short(statistics.median(values))
    if min(values) != max(values):
        text += f" ({short(min(values))}..{short(max(values))})"
    return text


def print_table(table, units, modes):
    head = ["metric", "unit", "stock"] + list(modes) + \
           [f"stock/{mode}" for mode in modes]
    rows = [head]
    for name, row in table.items():
        ratios = [ratio(row, mode) for mode in modes]
        rows.append([name, units[name]] +
                    [cell(row.get(mode)) for mode in ("stock", *modes)] +
                    ["-" if r is None else f"{r:.2f}" for r in ratios])
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    print("\nmedian of the boots' medians (smallest..largest of them)\n")
    for row in rows:
        print("  ".join([row[0].ljust(widths[0])] +
                        [text.rjust(width) for text, width
                         in zip(row[1:], widths[1:])]))


def shapes(opts):
    big = vm.size_mib(opts.mem) if opts.mem else vm.big_memory_mib()
    two = ("stock", "on")
    return [Shape("1tb", "bench", big, opts.boots, 600),
            Shape("dirs", "dirs", 4096, opts.boots, 600),
            Shape("waits", "waits", 4096, opts.boots, 600, modes=two),
            Shape("4cpus", "waits", 4096, 1, 600, cpus=4, modes=two,
                  prefix="4cpus/"),
            Shape("nohz_full", "waits", 4096, 1, 600, modes=two,
                  append="nohz_full=1", prefix="nohz_full/"),
            Shape("rcu_normal", "waits", 4096, 1, 600, modes=two,
                  append="rcupdate.rcu_normal=1", prefix="rcu_normal/"),
            Shape("icount", "readers", 60 * 1024, 1, 300, icount=True,
                  prefix="icount/")]


def chosen(all_shapes, names):
    wanted = [name for name in names.split(",") if name]
    unknown = set(wanted) - {shape.name for shape in all_shapes}
    if unknown:
        raise ValueError(f"no shape {', '.join(sorted(unknown))}: there are "
                         + ", ".join(shape.name for shape in all_shapes))
    return [shape for shape in all_shapes
            if not wanted or shape.name in wanted]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boots", type=int, default=3)
    parser.add_argument("--mem", default="", help="of the big guest: 256G, "
                        "1048704M; without it 1 TB where the host can")
    parser.add_argument("--shapes", default="", help="only these guests: "
                        "waits,icount; without it all of them")
    opts = parser.parse_args()
    if opts.boots < 1:
        parser.error("at least one boot")
    try:
        todo = chosen(shapes(opts), opts.shapes)
    except ValueError as err:
        parser.error(str(err))
    accel = vm.accelerator()
    boots = sum(shape.boots * len(shape.kernels) for shape in todo)
    print(f"==> measuring: {boots} boots, about 15 s to 2 min each, "
          f"accelerator {accel} (logs: out/bench/)", flush=True)
    runs = []
    for shape in todo:
        for boot in range(1, shape.boots + 1):
            for kernel, mode in shape.kernels:
                try:
                    runs.append(measure(shape, kernel, mode, boot, accel))
                except vm.GuestError as err:
                    sys.exit(f"error: {shape.name} {kernel} {mode}: {err}")
    table = columns(runs)
    units = {name: metric["unit"] for run in runs
             for name, metric in run["metrics"].items()}
    modes = [mode for kernel, mode in KERNELS if kernel == "patched"]
    result = {"guest": todo[0].describe(accel),
              "shapes": {shape.name: shape.describe(accel) for shape in todo},
              "runs": runs,
              "ratios": {name: {mode: ratio(row, mode) for mode in modes}
                         for name, row in table.items()}}
    with open(os.path.join(OUT, "bench.json"), "w", encoding="utf-8") as out:
        json.dump(result, out, indent=1)
        out.write("\n")
    print_table(table, units, modes)
    print("\nwritten: out/bench.json")


if __name__ == "__main__":
    main()
