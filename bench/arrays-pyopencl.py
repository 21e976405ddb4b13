# SPDX-License-Identifier: MIT
# The workloads of arrays.mjs with PyOpenCL's arrays on PoCL: arrays-pyopencl.py N REPEAT NAMES
import sys
import time

import numpy as np
import pyopencl as cl
import pyopencl.array as array
from pyopencl.algorithm import RadixSort
from pyopencl.clrandom import PhiloxGenerator
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import InclusiveScanKernel

n, repeat, names = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3].split(",")
device = [d for p in cl.get_platforms() if "Portable" in p.name for d in p.get_devices()][0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
rng = np.random.default_rng(1)
x = array.to_device(queue, rng.random(n, dtype=np.float32))
i = array.to_device(queue, rng.integers(-(2**31), 2**31, n, dtype=np.int32))
out, iout = array.empty_like(x), array.empty_like(i)


axpy = ElementwiseKernel(context, "float a, float *x, float *y, float *z", "z[i] = x[i] + a * y[i]", "axpy")
math = ElementwiseKernel(context, "float *x, float *z", "z[i] = sin(x[i]) * exp(x[i]) + sqrt(x[i])", "math")
total = ReductionKernel(context, np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]", arguments="__global float *x")
dot = ReductionKernel(
    context, np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]", arguments="__global float *x, __global float *y"
)
scan = InclusiveScanKernel(context, np.int32, "a+b", neutral="0")
# Of whole numbers without a sign, because keys are compared bit by bit.
words = i.view(np.uint32)
sort = RadixSort(context, "unsigned int *words", key_expr="words[i]", sort_arg_names=["words"], key_dtype=np.uint32)
generator = PhiloxGenerator(context, seed=1)
runs = {
    "axpy": lambda: axpy(np.float32(2), x, x, out),
    "math": lambda: math(x, out),
    "sum": lambda: total(x, queue=queue),
    "dot": lambda: dot(x, x, queue=queue),
    "cumsum": lambda: scan(i, iout, queue=queue),
    "sort": lambda: sort(words, queue=queue),
    "random": lambda: generator.fill_uniform(out, queue=queue),
}
for name in names:
    if name not in runs:
        continue
    best = [float("inf"), float("inf")]
    runs[name]()
    queue.finish()
    for _ in range(repeat):
        before, started = time.process_time(), time.perf_counter()
        runs[name]()
        queue.finish()
        elapsed, cpu = (time.perf_counter() - started) * 1000, (time.process_time() - before) * 1000
        best = [min(best[0], elapsed), min(best[1], cpu)]
    print(f"{name:<11}{best[0]:9.1f}{best[1]:9.1f}")
