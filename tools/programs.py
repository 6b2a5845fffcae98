"""Programs of others below a folder, for the scripts that go through them (`sweep`, `static-sweep`).

A program is a folder with CUDA sources: all its .cu, .cpp and .c files that no other of them includes.
A folder `Common`, `common`, `utilities` or `inc` beside it or above it is searched for headers. FLAGs go to
cudair before the sources (`-DMINI_DATASET`). Its arguments are those of its Makefile's `run:`, if any. What a folder
does not tell stands in the file of --programs, a JSON object: the end of a folder's path to an object with `args`
(list), `sources` (list), `flags` (list), `files` (names that a build would have made, such as the images of modules,
whose contents do not matter), `replace` (texts of its sources to others: sizes) and `skip` (why it cannot run); with
`files` or `replace` a copy of the folder is used. A list of such objects stands for several programs in one folder.
tools/sweep.json has what NVIDIA's samples, Rodinia and PolyBench-ACC need.
"""

import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCES = (".cu", ".cpp", ".c", ".cc", ".cxx")
HEADERS = (".h", ".cuh", ".hpp")
# What a build would have made: cudair looks at the first bytes of an image only.
IMAGE = "\x7fELF, made by a build"


class Program:
    """One program: its folder, the sources that are compiled by themselves, and its entry in the file of --programs."""

    def __init__(self, root, folder, sources, entry, only):
        self.root, self.folder, self.sources, self.entry = root, folder, sources, entry
        name = os.path.relpath(folder, os.path.dirname(root))
        self.name = name if only else os.path.join(name, sources[0])

    def arguments(self):
        return self.entry.get("args") or makefile_arguments(self.folder)

    @contextlib.contextmanager
    def prepared(self):
        """The folder to be in, which may be a copy, and what cudair is told before the sources."""
        flags, includes = self.entry.get("flags", []), includes_for(self.folder, self.root)
        files, replace = self.entry.get("files", []), self.entry.get("replace", {})
        if not files and not replace:
            yield self.folder, [*flags, *includes]
            return
        with tempfile.TemporaryDirectory() as beside:
            copy = os.path.join(beside, os.path.basename(self.folder))
            shutil.copytree(self.folder, copy)
            for name in files:
                with open(os.path.join(copy, name), "w") as f:
                    f.write(IMAGE)
            for name in os.listdir(copy) if replace else []:
                path = os.path.join(copy, name)
                if name.endswith(SOURCES + HEADERS):
                    with open(path, errors="replace") as f:
                        text = f.read()
                    for old, new in replace.items():
                        text = text.replace(old, new)
                    with open(path, "w") as f:
                        f.write(text)
            yield copy, ["-I.", *(f"-I{os.path.join(self.folder, i[2:])}" for i in includes), *flags]


def include_target(line):
    found = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
    return os.path.basename(found[1]) if found else None


def sources_of(folder):
    """The sources of a folder that are compiled by themselves, or nothing where there is no CUDA."""
    names = sorted(n for n in os.listdir(folder) if n.endswith(SOURCES))
    if not any(n.endswith(".cu") for n in names):
        return []
    included, has_main = set(), False
    for name in os.listdir(folder):
        if name.endswith(SOURCES + HEADERS):
            with open(os.path.join(folder, name), errors="replace") as f:
                text = f.read()
            included |= {t for t in map(include_target, text.splitlines()) if t and t != name}
            has_main = has_main or re.search(r"\bmain\s*\(", text) is not None
    # What has no `main` is a part of a program elsewhere.
    return [n for n in names if n not in included] if has_main else []


def includes_for(folder, root):
    """Folders that programs look for headers in, from the program's own up to the one swept."""
    found = ["-I."]
    here = folder
    while True:
        for name in ("Common", "common", "utilities", "inc", "include"):
            path = os.path.join(here, name)
            if os.path.isdir(path):
                found += [f"-I{os.path.relpath(path, folder)}"]
        if here == root or here == os.path.dirname(here):
            break
        here = os.path.dirname(here)
    above = os.path.dirname(root)
    for _ in range(3):
        path = os.path.join(above, "Common")
        if os.path.isdir(path):
            found += [f"-I{os.path.relpath(path, folder)}"]
        above = os.path.dirname(above)
    return found


def find_programs(root, known):
    """The programs below a folder, with what is known of them beyond their folder."""
    for folder, folders, _ in os.walk(root):
        folders.sort()
        entries = {}
        for suffix, value in known.items():
            if (os.path.abspath(folder) + "/").endswith("/" + suffix.strip("/") + "/"):
                entries = value
        entries = entries if isinstance(entries, list) else [entries]
        for entry in entries:
            sources = entry.get("sources") or sources_of(folder)
            if sources:
                yield Program(root, folder, sources, entry, len(entries) == 1)


def makefile_arguments(folder):
    """What the folder's Makefile gives its program under `run:` (`./$(program) 100 10`), of the first call."""
    try:
        with open(os.path.join(folder, "Makefile"), errors="replace") as f:
            text = f.read()
    except OSError:
        return []
    recipe = re.search(r"^run:.*\n((?:\t.*\n?)+)", text, re.MULTILINE)
    call = recipe and re.search(r"\./\S+[ \t]+([^\n|>&;]+)", recipe[1])
    return call[1].split() if call and "$" not in call[1] else []


def call(command, folder, limit):
    """Runs cudair with `--format json`: its exit code, what the program printed and the reports, or None after `limit`
    seconds."""
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    reports = []
    for line in done.stderr.decode(errors="replace").splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            reports.append(value)
    return done.returncode, done.stdout.decode(errors="replace"), reports


def failure(code, reports):
    """Why cudair gave up, if it did: `unsupported: WHAT (PLACE)`, `crash: signal N`, `slow`."""
    if code < 0:
        return f"crash: signal {-code}"
    # The first of a kind: what follows may come of it.
    classes = {r["class"]: r for r in reversed(reports) if "class" in r}
    for name in ("unsupported", "parse", "internal", "usage"):
        if name in classes:
            where = classes[name].get("primary") or {}
            place = f" ({os.path.basename(where['file'])}:{where['line']})" if where.get("file") else ""
            return f"{name}: {classes[name]['message']}{place}"
    return "slow" if "limit" in classes else None


def without_place(reason):
    """A reason of `failure` to be counted."""
    return re.sub(r" \([^()]*:\d+\)$", "", reason)


def command_line(doc, extra=()):
    """The options that the scripts share, and those of `extra` (name, arguments of `add_argument`): options, the flags
    behind `--`, the binary and the programs."""
    given, flags = sys.argv[1:], []
    if "--" in given:
        at = given.index("--")
        given, flags = given[:at], given[at + 1 :]
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="+")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for each program (60)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs at a time (one a core)")
    parser.add_argument("--programs", help="what programs need beyond their folder (tools/sweep.json)")
    parser.add_argument("--cudair", default="cudair", help="the binary (the one in PATH)")
    parser.add_argument("--json", help="also write the results to this file")
    for name, how in extra:
        parser.add_argument(name, **how)
    options = parser.parse_args(given)
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sweep.json")
    with open(options.programs or beside) as f:
        known = json.load(f)
    cudair = shutil.which(options.cudair)
    if cudair is None:
        parser.error(f"there is no program `{options.cudair}`: name the binary with --cudair")
    cudair = os.path.abspath(cudair)
    programs = []
    for root in options.folder:
        if not os.path.isdir(root):
            parser.error(f"{root} is no folder")
        programs += find_programs(os.path.abspath(root), known)
    if not programs:
        parser.error("no folder with CUDA sources there")
    return options, flags, cudair, programs
