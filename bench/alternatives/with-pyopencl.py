# SPDX-License-Identifier: MIT
# The workloads with PyOpenCL, on the first device whose platform's name contains the argument; as workloads.mjs has them.
import json
import os
import sys
import time

import numpy as np
import pyopencl as cl

SIZES = {"triad": 1 << 20, "mandelbrot": 512, "matmul": 256, "call": 256}
REPETITIONS = {"triad": 11, "mandelbrot": 5, "matmul": 5, "call": 101}

device = [d for p in cl.get_platforms() if sys.argv[1] in p.name for d in p.get_devices()][0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels.cl")) as source:
    program = cl.Program(context, source.read()).build()
# One kernel object for all calls: an attribute of the program is a new one each time.
kernels = {name: cl.Kernel(program, name) for name in ("triad", "mandelbrot", "matmul")}


def first(n):
    return ((np.arange(n) % 17) / 16).astype(np.float32)


def second(n):
    return ((np.arange(n) % 13) / 8).astype(np.float32)


def buffer(data):
    return cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=data)


def room(n):
    return cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * n)


def triad(n):
    a, b, c = room(n), buffer(first(n)), buffer(second(n))
    run = lambda: kernels["triad"](queue, (n,), None, a, b, c, np.float32(0.5)).wait()
    return run, a, np.empty(n, np.float32)


def mandelbrot(n):
    out = room(n * n)
    run = lambda: kernels["mandelbrot"](queue, (n, n), None, out, np.int32(n)).wait()
    return run, out, np.empty(n * n, np.int32)


def matmul(n):
    c, a, b = room(n * n), buffer(first(n * n)), buffer(second(n * n))
    run = lambda: kernels["matmul"](queue, (n, n), None, c, a, b, np.int32(n)).wait()
    return run, c, np.empty(n * n, np.float32)


results = {}
for name, make in {"triad": triad, "mandelbrot": mandelbrot, "matmul": matmul, "call": triad}.items():
    run, out, host = make(SIZES[name])
    run()
    times = []
    for _ in range(REPETITIONS[name]):
        started = time.perf_counter()
        run()
        times.append((time.perf_counter() - started) * 1000)
    cl.enqueue_copy(queue, host, out)
    results[name] = {"ms": sorted(times)[len(times) // 2], "sum": float(host.astype(np.float64).sum())}
print(json.dumps({"device": device.name, "results": results}))
