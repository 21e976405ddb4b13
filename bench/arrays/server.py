# SPDX-License-Identifier: MIT
# The workloads of arrays.mjs with PyOpenCL's arrays on PoCL: a server that reads questions and writes a line for each.
#     run NAME       runs a workload once: milliseconds of time and of CPU time; - if there is no such workload
#     result NAME    writes the last result to a file: the code of its type
import os
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

n, folder = int(sys.argv[1]), sys.argv[3]
device = [d for p in cl.get_platforms() if "Portable" in p.name for d in p.get_devices()][0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
x = array.to_device(queue, np.fromfile(os.path.join(folder, "floats"), dtype=np.float32))
i = array.to_device(queue, np.fromfile(os.path.join(folder, "ints"), dtype=np.int32))
out, iout = array.empty_like(x), array.empty_like(i)
places = array.arange(queue, n, dtype=np.uint32)

axpy = ElementwiseKernel(context, "float a, float *x, float *y, float *z", "z[i] = x[i] + a * y[i]", "axpy")
math = ElementwiseKernel(context, "float *x, float *z", "z[i] = sin(x[i]) * exp(x[i]) + sqrt(x[i])", "math")
total = ReductionKernel(context, np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]", arguments="__global float *x")
dot = ReductionKernel(
    context, np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]", arguments="__global float *x, __global float *y"
)
scan = InclusiveScanKernel(context, np.int32, "a+b", neutral="0")
# Keys are compared bit by bit, as whole numbers without a sign.
words, items = i.view(np.uint32), x.view(np.uint32)
FLIPPED = "words[i] ^ 0x80000000u"
sort = RadixSort(context, "unsigned int *words", key_expr=FLIPPED, sort_arg_names=["words"], key_dtype=np.uint32)
sort_by = RadixSort(
    context,
    "unsigned int *words, unsigned int *items",
    key_expr=FLIPPED,
    sort_arg_names=["words", "items"],
    key_dtype=np.uint32,
)
generator = PhiloxGenerator(context, seed=1)


def into(target, run):
    run()
    return target


def counted(found):
    return found[0][: int(found[1].get())]


# Each returns its result, as an array of the device.
runs = {
    "axpy": lambda: into(out, lambda: axpy(np.float32(2), x, x, out)),
    "math": lambda: into(out, lambda: math(x, out)),
    "sum": lambda: total(x, queue=queue),
    "dot": lambda: dot(x, x, queue=queue),
    "cumsum": lambda: into(iout, lambda: scan(i, iout, queue=queue)),
    "sort": lambda: sort(words, queue=queue)[0][0].view(np.int32),
    "argsort": lambda: sort_by(words, places, queue=queue)[0][1],
    "sortBy": lambda: sort_by(words, items, queue=queue)[0][1].view(np.float32),
    "compact": lambda: counted(copy_if(x, "ary[i] > 0.5f", queue=queue)),
    "unique": lambda: counted(unique(sort(words, queue=queue)[0][0].view(np.int32), queue=queue)),
    "random": lambda: into(out, lambda: generator.fill_uniform(out, queue=queue)),
}


def answer(question, name):
    global result
    if name not in runs:
        return "-"
    if question == "result":
        host = result.get()
        host.tofile(os.path.join(folder, "result"))
        return host.dtype.char.replace("l", "i").replace("L", "I")
    before, started = time.process_time(), time.perf_counter()
    result = runs[name]()
    queue.finish()
    return f"{(time.perf_counter() - started) * 1000} {(time.process_time() - before) * 1000}"


for line in sys.stdin:
    try:
        print(answer(*line.split()), flush=True)
    except Exception as error:
        print("error", repr(error).replace("\n", " "), flush=True)
