// SPDX-License-Identifier: MIT
// The cost in a C program of the calls that anycl wraps. Prints one JSON object: nanoseconds per call, GB/s for the transfers,
// and the profiled time of one kernel. `enqueue.mjs` runs this beside anycl and PyOpenCL. cc -O2 enqueue.c -o enqueue -lOpenCL;
// ./enqueue [platform index] [bytes]
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

static void check(cl_int code, const char *what) {
  if (code == CL_SUCCESS) return;
  fprintf(stderr, "%s: %d\n", what, code);
  exit(1);
}

static double best(double a, double b) { return a < b ? a : b; }

static cl_command_queue queue;
static cl_mem buffer;
static size_t bytes;

static double write_time(const void *from) {
  const double t = now();
  check(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, bytes, from, 0, NULL, NULL), "write");
  clFinish(queue);
  return now() - t;
}

static double read_time(void *into) {
  const double t = now();
  check(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, bytes, into, 0, NULL, NULL), "read");
  clFinish(queue);
  return now() - t;
}

int main(int argc, char **argv) {
  const int index = argc > 1 ? atoi(argv[1]) : 0;
  bytes = argc > 2 ? strtoull(argv[2], NULL, 10) : (size_t)64 << 20;
  const int calls = 2000, rounds = 25;
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_int code;
  check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
  if (index >= (int)count) return fprintf(stderr, "no such platform\n"), 1;
  cl_device_id device;
  check(clGetDeviceIDs(platforms[index], CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  check(code, "clCreateContext");
  queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
  check(code, "clCreateCommandQueueWithProperties");
  const char *source = "kernel void empty(global int *p, int x) { if (x == 12345) p[0] = x; }\n"
                       "kernel void work(global float *p) { float x = p[get_global_id(0)];"
                       "  for (int i = 0; i < 512; i++) x = x * 0.5f + 1.0f; p[get_global_id(0)] = x; }";
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
  check(code, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "empty", &code);
  check(code, "clCreateKernel");
  buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code);
  check(code, "clCreateBuffer");
  cl_mem pinned_buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
  check(code, "clCreateBuffer");
  void *pinned = clEnqueueMapBuffer(queue, pinned_buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL,
                                    &code);
  check(code, "clEnqueueMapBuffer");
  cl_int x = 1;
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof x, &x), "clSetKernelArg");
  const size_t global = 1;

  double set = 1e30, plain = 1e30, with_event = 1e30, with_finish = 1e30;
  double write = 1e30, read = 1e30, write_pinned = 1e30, read_pinned = 1e30, own = 1e30;
  char *host = malloc(bytes);
  memset(host, 1, bytes);
  memset(pinned, 1, bytes);
  for (int round = 0; round < rounds; round++) {
    double t = now();
    for (int i = 0; i < calls * 10; i++) clSetKernelArg(kernel, 1, sizeof i, &i);
    set = best(set, (now() - t) / (calls * 10));

    t = now();
    for (int i = 0; i < calls; i++)
      check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &global, 0, NULL, NULL), "enqueue");
    plain = best(plain, (now() - t) / calls);
    clFinish(queue);

    t = now();
    for (int i = 0; i < calls; i++) {
      cl_event event;
      check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &global, 0, NULL, &event), "enqueue");
      clReleaseEvent(event);
    }
    with_event = best(with_event, (now() - t) / calls);
    clFinish(queue);

    t = now();
    for (int i = 0; i < calls / 10; i++) {
      check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &global, 0, NULL, NULL), "enqueue");
      clFinish(queue);
    }
    with_finish = best(with_finish, (now() - t) / (calls / 10));

    write = best(write, write_time(host));
    read = best(read, read_time(host));
    write_pinned = best(write_pinned, write_time(pinned));
    read_pinned = best(read_pinned, read_time(pinned));
  }

  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue profiled = clCreateCommandQueueWithProperties(context, device, properties, &code);
  check(code, "clCreateCommandQueueWithProperties");
  cl_kernel work = clCreateKernel(program, "work", &code);
  check(code, "clCreateKernel");
  check(clSetKernelArg(work, 0, sizeof buffer, &buffer), "clSetKernelArg");
  const size_t most = 1 << 14, group = 64, items = bytes / 256 * 64 < most ? bytes / 256 * 64 : most;
  for (int round = 0; round < rounds; round++) {
    cl_event event;
    check(clEnqueueNDRangeKernel(profiled, work, 1, NULL, &items, &group, 0, NULL, &event), "enqueue");
    check(clWaitForEvents(1, &event), "wait");
    cl_ulong start = 0, end = 0;
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    own = best(own, (double)(end - start));
    clReleaseEvent(event);
  }
  printf("{\"setArg\": %.1f, \"enqueue\": %.1f, \"enqueueEvent\": %.1f, \"enqueueFinish\": %.0f, \"write\": %.3f, "
         "\"read\": %.3f, \"writePinned\": %.3f, \"readPinned\": %.3f, \"kernel\": %.0f}\n",
         set, plain, with_event, with_finish, bytes / write, bytes / read, bytes / write_pinned, bytes / read_pinned,
         own);
  return 0;
}
