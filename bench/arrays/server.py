# SPDX-License-Identifier: MIT
# The workloads of arrays.mjs with PyOpenCL's arrays on PoCL: a server that reads names of workloads, runs each once, and writes milliseconds of time and of CPU time.
import sys
import time

import numpy as np
import pyopencl as cl
import pyopencl.array as array
from pyopencl.algorithm import RadixSort, copy_if, unique
from pyopencl.clrandom import PhiloxGenerator
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import InclusiveScanKernel

n = int(sys.argv[1])
device = [d for p in cl.get_platforms() if "Portable" in p.name for d in p.get_devices()][0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
rng = np.random.default_rng(1)
x = array.to_device(queue, rng.random(n, dtype=np.float32))
i = array.to_device(queue, rng.integers(-(2**31), 2**31, n, dtype=np.int32))
out, iout = array.empty_like(x), array.empty_like(i)
places = array.arange(queue, n, dtype=np.uint32)

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
sort_by = RadixSort(
    context,
    "unsigned int *words, unsigned int *items",
    key_expr="words[i]",
    sort_arg_names=["words", "items"],
    key_dtype=np.uint32,
)
generator = PhiloxGenerator(context, seed=1)


def distinct():
    (ordered,), _ = sort(words, queue=queue)
    unique(ordered, queue=queue)


runs = {
    "axpy": lambda: axpy(np.float32(2), x, x, out),
    "math": lambda: math(x, out),
    "sum": lambda: total(x, queue=queue),
    "dot": lambda: dot(x, x, queue=queue),
    "cumsum": lambda: scan(i, iout, queue=queue),
    "sort": lambda: sort(words, queue=queue),
    "argsort": lambda: sort_by(words, places, queue=queue),
    "sortBy": lambda: sort_by(words, x.view(np.uint32), queue=queue),
    "compact": lambda: copy_if(x, "ary[i] > 0.5f", queue=queue),
    "unique": distinct,
    "random": lambda: generator.fill_uniform(out, queue=queue),
}
for line in sys.stdin:
    run = runs.get(line.strip())
    if run is None:
        print("-", flush=True)
        continue
    before, started = time.process_time(), time.perf_counter()
    run()
    queue.finish()
    print((time.perf_counter() - started) * 1000, (time.process_time() - before) * 1000, flush=True)
