# SPDX-License-Identifier: MIT
# The calls of enqueue.c through PyOpenCL: prints the same JSON object.
# python3 enqueue.py [platform index] [bytes]
import json
import sys
import time

import numpy as np
import pyopencl as cl

index = int(sys.argv[1]) if len(sys.argv) > 1 else 0
size = int(sys.argv[2]) if len(sys.argv) > 2 else 64 << 20
calls, rounds = 2000, 25
device = cl.get_platforms()[index].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
program = cl.Program(
    context,
    """kernel void empty(global int *p, int x) { if (x == 12345) p[0] = x; }
kernel void work(global float *p) { float x = p[get_global_id(0)];
  for (int i = 0; i < 512; i++) x = x * 0.5f + 1.0f; p[get_global_id(0)] = x; }""",
).build()
kernel = cl.Kernel(program, "empty")
flags = cl.mem_flags
buffer = cl.Buffer(context, flags.READ_WRITE, size)
pinned_buffer = cl.Buffer(context, flags.READ_WRITE | flags.ALLOC_HOST_PTR, size)
map_flags = cl.map_flags.READ | cl.map_flags.WRITE
pinned, _ = cl.enqueue_map_buffer(queue, pinned_buffer, map_flags, 0, (size,), np.uint8)
host = np.ones(size, np.uint8)
pinned.fill(1)
kernel.set_arg(0, buffer)
kernel.set_arg(1, np.int32(1))
one = (1,)
best = {}


def timed(name, per, run):
    start = time.perf_counter_ns()
    run()
    best[name] = min(best.get(name, 1e30), (time.perf_counter_ns() - start) / per)


def set_args():
    for i in range(calls):
        kernel.set_arg(1, np.int32(i))


def enqueue():
    for _ in range(calls):
        cl.enqueue_nd_range_kernel(queue, kernel, one, one)


def finish():
    for _ in range(calls // 10):
        cl.enqueue_nd_range_kernel(queue, kernel, one, one)
        queue.finish()


def copy(into, source):
    cl.enqueue_copy(queue, into, source, is_blocking=False)
    queue.finish()


for _ in range(rounds):
    timed("setArg", calls, set_args)
    timed("enqueue", calls, enqueue)
    queue.finish()
    timed("enqueueFinish", calls // 10, finish)
    timed("write", 1, lambda: copy(buffer, host))
    timed("read", 1, lambda: copy(host, buffer))
    timed("writePinned", 1, lambda: copy(buffer, pinned))
    timed("readPinned", 1, lambda: copy(pinned, buffer))

profiled = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
work = cl.Kernel(program, "work")
work.set_arg(0, buffer)
own = 1e30
for _ in range(rounds):
    event = cl.enqueue_nd_range_kernel(profiled, work, (min(1 << 14, size // 256 * 64),), (64,))
    event.wait()
    own = min(own, event.profile.end - event.profile.start)

# PyOpenCL makes an event for every command.
best["enqueueEvent"] = best["enqueue"]
for name in ("write", "read", "writePinned", "readPinned"):
    best[name] = size / best[name]
print(json.dumps({**best, "kernel": own}))
