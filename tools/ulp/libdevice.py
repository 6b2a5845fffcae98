"""Makes a library for this machine's processor of libdevice.10.bc: what the GPU computes is what it computes.

The bitcode is taken apart as text. Its intrinsics become calls of shims.c, questions about compile options
(`__nvvm_reflect`) their answers without -ftz and with exact square roots, for compute capability 8.0, and the
inline assembly calls of shims too. Operations that nvcc contracts are contracted by llc.
"""

import re
import subprocess
from pathlib import Path

ARCH = 800

ASM = [
    ("rsqrt.approx.ftz.f64", "nv_rsqrt_approx_ftz_d"),
    ("rcp.approx.ftz.f32", "nv_rcp_approx_ftz_f"),
    ("setp.equ.f64", "nv_select_equal_d"),
    ("bfind.shiftamt.u32", "nv_find_bit"),
]


def asm_name(template, types):
    """The shim for an inline assembly statement."""
    m = re.match(r"sub\.(r[nzmp])\.(ftz\.)?f(32|64)", template)
    if m:
        return f"nv_sub_{m[1]}_{'d' if m[3] == '64' else ('ftz_f' if m[2] else 'f')}"
    for part, name in ASM:
        if part in template:
            return name
    if "mad.lo.cc.u32" in template and types == 3 and "r0" not in template:
        return "nv_mad_wide"
    if "add.cc.u32" in template and "mad" not in template:
        return "nv_add_128"
    if "sub.cc.u32" in template:
        return "nv_sub_128"
    if "mad.lo.cc.u32" in template:
        return "nv_mul_add_128" if types == 3 else "nv_mul_128"
    raise SystemExit(f"libdevice has an assembly statement that is not known: {template}")


def retarget(text):
    """The module's text for this processor."""
    strings = dict(re.findall(r'^@(\.str\S*) = .*c"(.*?)\\00"', text, re.M))
    answers = {"__CUDA_FTZ": 0, "__CUDA_PREC_SQRT": 1, "__CUDA_ARCH": ARCH}
    declared = {}

    def reflect(m):
        return f"{m[1]} = add i32 {answers[strings[m[2]]]}, 0"

    text = re.sub(r"(%\S+) = call i32 @__nvvm_reflect\(.*?@(\.str[.0-9]*),.*", reflect, text)

    def assembly(m):
        result, returns, template, args = m[1], m[2], m[3], m[4]
        kinds = [a.split()[0] for a in re.split(r",\s*", args)]
        name = asm_name(template, len(kinds))
        declared[name] = f"declare {returns} @{name}({', '.join(kinds)})"
        return f"{result} = call {returns} @{name}({args})"

    text = re.sub(r'(%\S+) = call (.*?) asm "(.*?)", "[^"]*"\((.*?)\).*', assembly, text)
    # PTX's shifts by more than the width give zero or the sign; LLVM's give anything.
    def shift(m):
        name = f"nv_{m[2]}_{m[3]}"
        declared[name] = f"declare i{m[3]} @{name}(i{m[3]}, i{m[3]})"
        return f"{m[1]} = call i{m[3]} @{name}(i{m[3]} {m[4]}, i{m[3]} {m[5]})"

    text = re.sub(r"(%\S+) = (shl|lshr|ashr) (?:nsw |nuw |exact )*i(32|64) (\S+), (%\S+)", shift, text)
    text = re.sub(r"@llvm\.nvvm\.([a-z0-9.]+)", lambda m: "@nv_" + m[1].replace(".", "_"), text)
    text = re.sub(r" addrspace\(\d+\)", "", text)
    text = re.sub(r"^target (datalayout|triple).*$", "", text, flags=re.M)
    text = re.sub(r"^!nvvm.*$", "", text, flags=re.M)
    # The C library's own conversions of half have these names.
    return text + "\n" + "\n".join(declared.values()) + "\n"


def fuse_first(body):
    """nvcc moves a sum's first product down to it and fuses that one, where llc takes the second."""
    products = {m[1]: (m[2], m[3]) for m in re.finditer(r"(%\S+) = fmul double (\S+), (\S+)", body)}

    def fused(m):
        if m[2] not in products or m[3] not in products or m[2] == m[3]:
            return m[0]
        a, b = products[m[2]]
        return f"{m[1]} = call double @nv_fma_rn_d(double {a}, double {b}, double {m[3]})"

    return re.sub(r"(%\S+) = fadd double (%\S+), (%\S+)", fused, body)


def build(bitcode, folder, tools):
    """Compiles the bitcode and the shims to one object folder; gives the objects."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)

    def run(*command):
        subprocess.run([str(c) for c in command], check=True)

    run(tools["llvm-dis"], bitcode, "-o", folder / "libdevice.ll")
    (folder / "host.ll").write_text(retarget((folder / "libdevice.ll").read_text()))
    run(tools["opt"], "-O2", "-S", folder / "host.ll", "-o", folder / "opt.ll")
    text = (folder / "opt.ll").read_text()
    (folder / "opt.ll").write_text(re.sub(r"\ndefine double @__nv_y1\(.*?\n}\n", lambda m: fuse_first(m[0]), text, flags=re.S))
    run(tools["llc"], "-O2", "-fp-contract=fast", "-mattr=+fma,+avx2,+f16c", "-relocation-model=pic",
        "-filetype=obj", folder / "opt.ll", "-o", folder / "libdevice.o")
    here = Path(__file__).parent
    run("gcc", "-O2", "-mfma", "-mavx2", "-mf16c", "-ffp-contract=off", "-frounding-math", "-fPIC", "-c", here / "shims.c",
        "-o", folder / "shims.o")
    return [folder / "libdevice.o", folder / "shims.o"]
