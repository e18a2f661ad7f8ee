#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Static gates over every patch of the series.

Takes patches/*/*.patch and the commits BASE..HEAD of the kernel tree, one a
patch, and checks each patch at its own commit: form, checkpatch, W=1 build
and sparse of the objects it touches, kernel-doc, references to documents.
A warning counts when the parent does not give it.  A check that passed is
not repeated while nothing it depends on has changed.

Prints "ok - ..." or "not ok - ..." per check, "N passed, M failed" at the end.
"""

import argparse
import collections
import email
import email.policy
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
WORK = TOP / "build" / "w1"
SRC = WORK / "src"
LOGS = WORK / "log"
PASSED = WORK / "passed"

AUTHOR = "sysfs-scale project <sysfs-scale@example.com>"
FILE_NAME = re.compile(r"\d{4}-[\w.+-]+\.patch")
SUBJECT = re.compile(r"\[PATCH\] (\w[\w/,. -]*: )+\S")
TRAILER = re.compile(r"^(Signed-off-by|Assisted-by|Co-developed-by):", re.I | re.M)
# A commit that only this tree has; new files, which orphans() asks about; a
# macro that defines a variable, which has to name it more than once.
ACCEPTED = "UNKNOWN_COMMIT_ID,FILE_PATH_CHANGES,MACRO_ARG_REUSE"
WARNING = re.compile(r"(: (warning|error): |^(Warning|Error|warning|error): )")
POSITION = re.compile(r":\d+(:\d+)?(?=[: ])")
OBJECT = re.compile(r"^[ \t]*([\w-]+)-(y|m|objs|\$\(.*?CONFIG_(\w+)\)+)\s*[+:]?=(.*)$",
                    re.M)

Arch = collections.namedtuple("Arch", "machine cross package configs paths")
ARCHES = {
    "x86": Arch("x86_64", "x86_64-linux-gnu-", "gcc-x86-64-linux-gnu",
                ["guest", "w1-x86"], ["arch/x86/"]),
    "s390": Arch("s390x", "s390x-linux-gnu-", "gcc-s390x-linux-gnu",
                 ["w1-s390"], ["arch/s390/", "drivers/s390/"]),
    "powerpc": Arch("ppc64le", "powerpc64le-linux-gnu-",
                    "gcc-powerpc64le-linux-gnu", ["w1-powerpc"],
                    ["arch/powerpc/"]),
    "arm64": Arch("aarch64", "aarch64-linux-gnu-", "gcc-aarch64-linux-gnu",
                  ["w1-arm64"], ["arch/arm64/"]),
}


class Failure(Exception):
    """A check that cannot be carried out: one line says why."""


def environment():
    """The same answers from git and the compiler for whoever runs this."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "ARCH", "CROSS_COMPILE", "O"):
        env.pop(name, None)
    env.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1",
               LC_ALL="C", LOCALVERSION="", PYTHONDONTWRITEBYTECODE="1")
    # the system's python3, to which Debian's modules belong, and ccache
    env["PATH"] = "/usr/bin:" + env["PATH"]
    if os.path.isdir("/usr/lib/ccache"):
        env["PATH"] = "/usr/lib/ccache:" + env["PATH"]
    return env


ENV = environment()


def run(*command, cwd=None, stdin=None):
    """Exit status and the output, errors included."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=ENV,
                          input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True,
                          errors="surrogateescape", check=False)
    return done.returncode, done.stdout


def must(*command, cwd=None, stdin=None):
    status, output = run(*command, cwd=cwd, stdin=stdin)
    if status:
        raise Failure(f"{' '.join(map(str, command))} fails: {output.strip()[:500]}")
    return output


def digest(*parts):
    return hashlib.sha256("\0".join(map(str, parts)).encode(
        errors="surrogateescape")).hexdigest()


class Report:
    """Runs checks, remembers those that passed, counts."""

    def __init__(self, version):
        self.version = version
        self.passed = self.failed = 0
        LOGS.mkdir(parents=True, exist_ok=True)
        PASSED.mkdir(parents=True, exist_ok=True)

    def check(self, title, log_name, inputs, function):
        """FUNCTION returns what is wrong; INPUTS are all that it looks at."""
        stamp = PASSED / digest(self.version, log_name.split(".")[-1], *inputs)
        if stamp.exists():
            self.passed += 1
            print(f"ok - {title}{stamp.read_text()} (as before)", flush=True)
            return
        try:
            problems, note = function()
        except Failure as failure:
            problems, note = str(failure).splitlines(), ""
        if not problems:
            stamp.write_text(note)
            self.passed += 1
            print(f"ok - {title}{note}", flush=True)
            return
        self.failed += 1
        log = LOGS / f"{log_name}.log"
        log.write_text("\n".join(problems) + "\n", errors="surrogateescape")
        print(f"not ok - {title}{note} (log: {log.relative_to(TOP)})")
        for line in problems[:5]:
            print(f"#   {line[:200]}", flush=True)


class Source:
    """build/w1/src: one commit of the tree after the other, files that are
    equal in both untouched, so that make rebuilds only what differs."""

    def __init__(self, tree):
        self.tree = tree
        self.at = None
        objects = must("git", "-C", tree, "rev-parse", "--path-format=absolute",
                       "--git-path", "objects").strip()
        if not (SRC / ".git").exists():
            must("git", "init", "-q", SRC)
        (SRC / ".git/objects/info/alternates").write_text(objects + "\n")

    def git(self, *words):
        return must("git", "-C", self.tree, *words)

    def checkout(self, commit):
        if self.at == commit:
            return
        self.at = None
        run("git", "update-index", "-q", "--refresh", cwd=SRC)
        status, _ = run("git", "read-tree", "--reset", "-u", commit, cwd=SRC)
        if status:      # an index of a tree that is no more
            (SRC / ".git/index").unlink(missing_ok=True)
            must("git", "read-tree", "--reset", "-u", commit, cwd=SRC)
        must("git", "clean", "-fdxq", cwd=SRC)
        # scripts/spdxcheck.py wants a HEAD
        (SRC / ".git/HEAD").write_text(self.git("rev-parse", commit))
        self.at = commit

    def kconfig(self):
        """All that decides about symbols, at this commit."""
        return must("git", "ls-files", "-s", "*Kconfig*", cwd=SRC)

    def grep(self, pattern, *paths):
        _, output = run("git", "grep", "-lE", pattern, "--", *paths, cwd=SRC)
        return output.split()


class Build:
    """An O= folder for one architecture, for whatever SRC holds now."""

    prepared = set()

    def __init__(self, name, source, jobs):
        self.name, self.source, self.jobs = name, source, jobs
        self.arch = ARCHES[name]
        self.out = WORK / name
        self.config = {}
        self.cross = "" if os.uname().machine == self.arch.machine else self.arch.cross
        self.fragment = "".join((TOP / "configs" / f"{config}.config").read_text()
                                for config in self.arch.configs)

    def identity(self):
        """What besides the source decides about a compilation."""
        self.need_compiler()
        return [self.fragment, must(f"{self.cross}gcc", "--version")]

    def need_compiler(self):
        if shutil.which(f"{self.cross}gcc", path=ENV["PATH"]):
            return
        if os.geteuid() == 0:
            print(f"==> installing {self.arch.package}", flush=True)
            run("apt-get", "update", "-q")
            run("apt-get", "install", "-qy", "--no-install-recommends",
                self.arch.package)
        if not shutil.which(f"{self.cross}gcc", path=ENV["PATH"]):
            raise Failure(f"{self.cross}gcc is missing: install {self.arch.package}")

    def make(self, *words):
        return run("make", "-C", SRC, f"O={self.out}", f"ARCH={self.name}",
                   f"CROSS_COMPILE={self.cross}", f"-j{self.jobs}",
                   "--no-print-directory", *words)

    def configure(self):
        """allnoconfig with the fragments, as the Kconfig of SRC has it."""
        wanted = digest(*self.identity(), self.source.kconfig())
        known = self.out / "configured"
        if not known.exists() or known.read_text() != wanted:
            self.out.mkdir(parents=True, exist_ok=True)
            fragment = self.out / "fragment.config"
            fragment.write_text(self.fragment)
            status, output = self.make(f"KCONFIG_ALLCONFIG={fragment}", "allnoconfig")
            if status:
                raise Failure(f"{self.name} allnoconfig fails:\n{output}")
            known.write_text(wanted)
        self.config = dict(re.findall(r"^CONFIG_(\w+)=(.*)$",
                                      (self.out / ".config").read_text(), re.M))

    def lost_symbols(self):
        """Symbols of the fragments that did not come out as asked."""
        wanted = dict(re.findall(r"^CONFIG_(\w+)=(.*)$", self.fragment, re.M))
        return [f"CONFIG_{name}={value} is CONFIG_{name}={self.config.get(name, 'n')}"
                for name, value in wanted.items()
                if self.config.get(name, "n") != value]

    def prepare(self):
        if self.name in self.prepared:
            return
        log = LOGS / f"prepare-{self.name}.log"
        print(f"==> preparing the {self.name} build (up to 2 min the first time, "
              f"log: {log.relative_to(TOP)})", flush=True)
        status, output = self.make("W=1", "prepare")
        log.write_text(output, errors="surrogateescape")
        if status:
            raise Failure(f"{self.name}: make prepare fails:\n{output[-2000:]}")
        self.prepared.add(self.name)

    def builds(self, obj):
        """Does the makefile beside OBJ list it under this configuration?"""
        folder, name = os.path.split(obj)
        makefile = next((path for path in (SRC / folder / "Kbuild",
                                           SRC / folder / "Makefile")
                         if path.exists()), None)
        if not makefile:
            return False
        text = makefile.read_text().replace("\\\n", " ").replace("$(BITS)", "64")
        lists = OBJECT.findall(text)
        todo, seen = [name], set()
        while todo:
            name = todo.pop()
            seen.add(name)
            for stem, _, symbol, names in lists:
                if name not in names.split() or \
                   symbol and self.config.get(symbol) not in ("y", "m"):
                    continue
                if stem in ("obj", "lib"):
                    return True
                todo += {f"{stem}.o", f"$({stem}-y)"} - seen
        return False

    def compile(self, objects, *words):
        """Build OBJECTS anew: the warnings, and all of the output."""
        self.configure()
        self.prepare()
        if "C=2" not in words:
            for obj in objects:
                (self.out / obj).unlink(missing_ok=True)
        status, output = self.make("W=1", "-k", *words, *objects)
        if "not up to date" in output:
            raise Failure("kbuild refuses this sparse:\n" + output)
        missing = [obj for obj in objects if not (self.out / obj).exists()]
        if status or missing:
            raise Failure(f"{self.name}: {' '.join(missing)} does not build:\n" +
                          "\n".join(l for l in output.splitlines()
                                    if WARNING.search(l) or "***" in l) +
                          "\n" + output)
        return self.warnings(output, objects)

    def warnings(self, output, objects):
        """Those of OBJECTS and headers; make prepare compiles others, and
        kernel-doc, which W=1 runs as well, has a check of its own."""
        sources = {str(pathlib.Path(obj).with_suffix("")) for obj in objects}
        found = []
        for line in output.splitlines():
            line = line.replace(f"{SRC}/", "").replace("../src/", "")
            if not WARNING.search(line) or line.startswith("Warning: "):
                continue
            source = re.search(r"[\w./-]+\.c\b", line)
            if not source or source[0][:-2] in sources:
                found.append(line)
        return found


def new_warnings(now, before):
    """Lines of NOW that BEFORE() does not have, wherever they stand."""
    if not now:
        return []
    old = collections.Counter(POSITION.sub("", line) for line in before())
    new = []
    for line in now:
        plain = POSITION.sub("", line)
        if old[plain]:
            old[plain] -= 1
        else:
            new.append(line)
    return new


class Patch:
    """A patch file and its commit."""

    def __init__(self, path, commit, source):
        self.path, self.commit, self.source = path, commit, source
        self.name = f"{path.parent.name}/{path.stem}"
        self.text = path.read_text(errors="surrogateescape")
        self.parent = f"{commit}^"
        trees = source.git("rev-parse", f"{commit}^{{tree}}", f"{commit}^^{{tree}}")
        self.trees = trees.split()
        # path -> whether the parent has it, too
        self.files = {}
        for line in source.git("diff-tree", "-r", "--no-renames", "--name-status",
                               commit + "^", commit).splitlines():
            kind, file = line.split("\t")
            if kind != "D":
                self.files[file] = kind != "A"

    def touched(self, *suffixes, under=""):
        return [file for file in self.files
                if file.endswith(suffixes) and file.startswith(under)]

    # ---- checks: each returns what is wrong, and a note for the title

    def check_form(self):
        wrong = []
        message = email.message_from_string(self.text, policy=email.policy.default)
        head = self.text.split("\ndiff --git ", 1)[0]
        changelog = self.source.git("show", "-s", "--format=%B", self.commit)
        author = self.source.git("show", "-s", "--format=%an <%ae>", self.commit).strip()
        ids = [must("git", "patch-id", "--stable", stdin=text).split()[:1]
               for text in (self.text, self.source.git("show", self.commit))]
        if not FILE_NAME.fullmatch(self.path.name):
            wrong.append(f"the file name {self.path.name} is not NNNN-subject.patch")
        if message["From"] != AUTHOR or author != AUTHOR:
            wrong.append(f"the author is not {AUTHOR}: {message['From']}, {author}")
        if not SUBJECT.match(" ".join(str(message["Subject"]).split())):
            wrong.append(f"no subsystem prefix: {message['Subject']}")
        if head.splitlines().count("---") != 1 or "---" in changelog.splitlines():
            wrong.append("a bare --- line ends the changelog early")
        wrong += [f"trailer {name}" for name in
                  TRAILER.findall(head) + TRAILER.findall(changelog)]
        if ids[0] != ids[1]:
            wrong.append(f"not the same change as commit {self.commit[:12]}: "
                         "make tree or make refresh first")
        return wrong, ""

    def check_checkpatch(self):
        self.source.checkout(self.commit)
        status, output = run("scripts/checkpatch.pl", "--strict", "--no-signoff",
                             "--ignore", ACCEPTED, "--show-types",
                             "--terse", "--no-summary", self.path, cwd=SRC)
        lines = [line.replace(f"{self.path}:", "") for line in output.splitlines()]
        lines += [f"{path}: nobody in MAINTAINERS" for path in self.orphans()]
        return (lines or ["checkpatch fails"]) if status or lines else [], ""

    def orphans(self):
        """New files that only THE REST of MAINTAINERS covers."""
        new = re.findall(r"^new file mode .*\n(?:index .*\n)?--- /dev/null\n"
                         r"\+\+\+ b/(.*)$", self.text, re.M)
        return [path for path in new if not
                run("scripts/get_maintainer.pl", "--no-git", "--no-git-fallback",
                    "--no-rolestats", "--nol", "--nor", "-f", path,
                    cwd=SRC)[1].strip()]

    def check_objects(self, build, objects, *words):
        self.source.checkout(self.commit)
        now = build.compile(objects, *words)

        def before():
            self.source.checkout(self.parent)
            old = [obj for obj in objects if any((SRC / (obj[:-1] + kind)).exists()
                                                 for kind in "cS")]
            return build.compile(old, *words) if old else []
        note = f", {len(objects)} object{'s' * (len(objects) > 1)}"
        return new_warnings(now, before), note

    def check_kernel_doc(self, files):
        def lines(commit, names):
            if not names:
                return []
            self.source.checkout(commit)
            status, output = run("tools/docs/kernel-doc", "-none", *names, cwd=SRC)
            found = output.splitlines()
            return found + ["kernel-doc fails"] if status and not found else found
        return new_warnings(lines(self.commit, files),
                            lambda: lines(self.parent, [file for file in files
                                                       if self.files[file]])), ""

    def check_references(self):
        def lines(commit, tree):
            known = WORK / "references" / tree
            if not known.exists():
                self.source.checkout(commit)
                known.parent.mkdir(exist_ok=True)
                known.write_text(run("tools/docs/documentation-file-ref-check",
                                     cwd=SRC)[1])
            return known.read_text().splitlines()
        return new_warnings(lines(self.commit, self.trees[0]),
                            lambda: lines(self.parent, self.trees[1])), ""

    def check_selftest(self, build, folder):
        """User space: built as its users do, from the headers of this commit."""
        def lines(commit):
            self.source.checkout(commit)
            if not (SRC / "tools/testing/selftests" / folder / "Makefile").exists():
                return []
            build.configure()
            build.prepare()
            status, output = build.make("headers")
            if status:
                raise Failure("make headers fails:\n" + output)
            shutil.rmtree(build.out / "kselftest" / folder, ignore_errors=True)
            status, output = build.make("-C", SRC / "tools/testing/selftests",
                                        f"TARGETS={folder}", "FORCE_TARGETS=1",
                                        "USERCFLAGS=-Wall")
            if status:
                raise Failure(f"selftests {folder} do not build:\n{output}")
            return [line for line in output.splitlines() if WARNING.search(line)]
        return new_warnings(lines(self.commit), lambda: lines(self.parent)), ""


class Gate:
    def __init__(self, options):
        self.options = options
        self.source = Source(options.tree)
        self.report = Report(digest(pathlib.Path(__file__).read_text()))
        self.builds = {name: Build(name, self.source, options.jobs) for name in ARCHES}
        self.sparse = TOP / "build/sid/bin/sparse"
        self.used = set()

    def pairs(self):
        """Each patch file with its commit, in order."""
        base, head = self.options.base, self.options.head
        if run("git", "-C", self.options.tree, "merge-base", "--is-ancestor",
               base, head)[0]:
            raise Failure(f"{self.options.tree} has no {head} above {base}: "
                          "make tree first")
        files = sorted(pathlib.Path(self.options.patches).resolve().glob("*/*.patch"))
        commits = self.source.git("rev-list", "--reverse",
                                  f"{base}..{head}").split()
        titles = f"as many patches as commits: {len(files)}, {len(commits)}"
        self.report.check(titles, "series.count", [titles], lambda: (
            [] if len(files) == len(commits) and files else
            ["patches/ and the tree differ: make tree or make refresh first"], ""))
        return [Patch(file, commit, self.source)
                for file, commit in zip(files, commits)]

    def install_sparse(self):
        status, output = run(TOP / "scripts/sparse.sh", self.options.tree)
        if status:
            raise Failure("scripts/sparse.sh fails: " + output)

    # ---- which objects, which architectures

    def places(self, file):
        """Architectures to try, the likely one first."""
        for name, arch in ARCHES.items():
            if file.startswith(tuple(arch.paths)):
                return [name]
        return list(ARCHES)

    def find_build(self, file):
        """The architecture that builds FILE, and the objects it is part of."""
        for name in self.places(file):
            build = self.builds[name]
            if not build.config:
                build.configure()
            for source in [file] + self.includers(file):
                obj = os.path.splitext(source)[0] + ".o"
                if source.endswith((".c", ".S")) and build.builds(obj):
                    return name, obj
        return None, None

    def includers(self, file):
        """Some sources that include a header, or a .c made to be included."""
        folder, name = os.path.split(file)
        if "include/" in file:
            pattern = re.escape(file.split("include/", 1)[1])
            where = [file.split("include/", 1)[0] or "."]
        else:
            above, inner = os.path.split(folder)
            pattern = f'"({re.escape(inner)}/)?{re.escape(name)}"'
            where = [folder, f":(glob){above}/*"]
        pattern = rf'#\s*include [<"]?({pattern}|{pattern}")'
        return [path for path in self.source.grep(pattern, *where)
                if path.endswith(".c")][:200]

    def plan(self, patch):
        """Objects per architecture, and touched sources that none builds."""
        self.source.checkout(patch.commit)
        for build in self.builds.values():
            build.config = {}
        todo, homeless = collections.defaultdict(set), []
        sources = [file for file in patch.touched(".c", ".S")
                   if not file.startswith(("tools/", "samples/", "scripts/"))]
        headers = [] if sources else \
            [file for file in patch.touched(".h") if not file.startswith("tools/")]
        for file in sources + headers:
            name, obj = self.find_build(file)
            if name:
                todo[name].add(obj)
            else:
                homeless.append(file)
        return todo, homeless

    # ---- the checks of one patch

    def check_build(self, patch):
        code = patch.touched(".c", ".S", ".h")
        if not code:
            return
        todo, homeless = self.planned(patch)
        if homeless:
            self.report.check(f"{patch.name}: every touched source is built",
                              f"{self.slug(patch)}.built", [patch.trees],
                              lambda: ([f"no configuration builds {file}"
                                        for file in homeless], ""))
        for name, objects in sorted(todo.items()):
            build, objects = self.builds[name], sorted(objects)
            self.used.add(name)
            try:
                inputs = [patch.trees, objects, build.identity()]
            except Failure:
                inputs = [patch.trees, objects]
            self.report.check(
                f"{patch.name}: W=1 on {name}", f"{self.slug(patch)}.w1-{name}",
                inputs, lambda b=build, o=objects: patch.check_objects(b, o))
            self.report.check(
                f"{patch.name}: sparse on {name}", f"{self.slug(patch)}.sparse-{name}",
                inputs + [self.sparse_version()],
                lambda b=build, o=objects: patch.check_objects(
                    b, o, "C=2", f"CHECK={self.sparse}"))

    def planned(self, patch):
        """plan(), kept: it depends on the tree and the configurations only."""
        key = digest(self.report.version, patch.trees,
                     [build.fragment for build in self.builds.values()])
        known = WORK / "plans" / key
        if known.exists():
            todo = collections.defaultdict(set)
            for line in known.read_text().splitlines():
                name, obj = line.split()
                todo[name].add(obj)
            return todo, []
        todo, homeless = self.plan(patch)
        if not homeless:
            known.parent.mkdir(exist_ok=True)
            known.write_text("".join(f"{name} {obj}\n" for name in todo
                                     for obj in todo[name]))
        return todo, homeless

    def check_documents(self, patch):
        code = [file for file in patch.touched(".c", ".h")
                if not file.startswith("tools/")]
        if code:
            self.report.check(f"{patch.name}: kernel-doc",
                              f"{self.slug(patch)}.kernel-doc", [patch.trees],
                              lambda: patch.check_kernel_doc(code))
        if "Documentation/" in patch.text:
            self.report.check(f"{patch.name}: documentation-file-ref-check",
                              f"{self.slug(patch)}.references", [patch.trees],
                              patch.check_references)

    def check_selftests(self, patch):
        under = "tools/testing/selftests/"
        folders = {file[len(under):].split("/")[0]
                   for file in patch.touched(".c", ".h", "Makefile", under=under)
                   if file.count("/") > 3}
        build = self.builds["x86"]
        for folder in sorted(folders):
            try:
                inputs = [patch.trees, folder, build.identity()]
            except Failure:
                inputs = [patch.trees, folder]
            self.report.check(f"{patch.name}: selftests/{folder} builds",
                              f"{self.slug(patch)}.selftest", inputs,
                              lambda f=folder: patch.check_selftest(build, f))

    def sparse_version(self):
        return run(self.sparse, "--version")[1] if self.sparse.exists() else ""

    @staticmethod
    def slug(patch):
        return patch.name.replace("/", "-").replace(".", "_")

    def check_patch(self, patch):
        slug = self.slug(patch)
        self.report.check(f"{patch.name}: form", f"{slug}.form",
                          [patch.text, patch.commit], patch.check_form)
        self.report.check(f"{patch.name}: checkpatch --strict", f"{slug}.checkpatch",
                          [patch.text, patch.trees], patch.check_checkpatch)
        self.check_build(patch)
        self.check_selftests(patch)
        self.check_documents(patch)

    def check_configs(self, last):
        """Asked of the whole series: it may add symbols on its way."""
        for name in sorted(self.used):
            build = self.builds[name]

            def lost(b=build):
                self.source.checkout(last.commit)
                b.configure()
                return b.lost_symbols(), ""
            self.report.check(f"configuration for {name} takes effect",
                              f"series.config-{name}",
                              [last.trees, build.fragment], lost)

    def main(self):
        print("==> sparse from Debian sid (1 min the first time, "
              "log: build/sid/sid.log)", flush=True)
        self.report.check("sparse accepts this kernel's test", "series.sparse",
                          [os.urandom(8)], lambda: (self.install_sparse() or [], ""))
        patches = self.pairs()
        for patch in patches:
            if self.options.only in patch.name:
                try:
                    self.check_patch(patch)
                except Failure as failure:
                    text = str(failure)
                    self.report.check(f"{patch.name}: can be checked",
                                      f"{self.slug(patch)}.run", [os.urandom(8)],
                                      lambda t=text: ([t], ""))
        if patches and self.used:
            self.check_configs(patches[-1])
        print(f"{self.report.passed} passed, {self.report.failed} failed")
        return 1 if self.report.failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--tree", default=TOP / "build/linux",
                        help="kernel git tree with the series (build/linux)")
    parser.add_argument("--patches", default=TOP / "patches",
                        help="folder of the parts (patches)")
    parser.add_argument("--base", default="base", help="commit below the series")
    parser.add_argument("--head", default="series", help="last commit of the series")
    parser.add_argument("--only", default="", metavar="TEXT",
                        help="only patches with TEXT in their name")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        return Gate(parser.parse_args()).main()
    except Failure as failure:
        print(f"not ok - {failure}\n0 passed, 1 failed")
        return 1


if __name__ == "__main__":
    sys.exit(main())
