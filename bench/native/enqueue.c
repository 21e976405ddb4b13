// SPDX-License-Identifier: MIT
// What a C program pays for the calls that anycl wraps: prints one JSON object, times in nanoseconds per call and
// bandwidths in GB/s. `enqueue.mjs` does the same through anycl and prints the ratios.
// cc -O2 enqueue.c -o enqueue -lOpenCL; ./enqueue [platform index] [bytes]
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

int main(int argc, char **argv) {
  const int index = argc > 1 ? atoi(argv[1]) : 0;
  const size_t bytes = argc > 2 ? strtoull(argv[2], NULL, 10) : (size_t)64 << 20;
  const int calls = 2000, rounds = 7;
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_int code;
  check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
  if (index >= (int)count) return fprintf(stderr, "no such platform\n"), 1;
  cl_device_id device;
  check(clGetDeviceIDs(platforms[index], CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  check(code, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
  check(code, "clCreateCommandQueueWithProperties");
  const char *source = "kernel void empty(global int *p, int x) { if (x == 12345) p[0] = x; }";
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
  check(code, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "empty", &code);
  check(code, "clCreateKernel");
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code);
  check(code, "clCreateBuffer");
  cl_int x = 1;
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof x, &x), "clSetKernelArg");
  const size_t global = 1;

  double set = 1e30, plain = 1e30, with_event = 1e30, with_finish = 1e30, write = 1e30, read = 1e30;
  char *host = malloc(bytes);
  memset(host, 1, bytes);
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

    t = now();
    check(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, bytes, host, 0, NULL, NULL), "write");
    clFinish(queue);
    write = best(write, now() - t);
    t = now();
    check(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, bytes, host, 0, NULL, NULL), "read");
    clFinish(queue);
    read = best(read, now() - t);
  }
  printf("{\"setArg\": %.1f, \"enqueue\": %.0f, \"enqueueEvent\": %.0f, \"enqueueFinish\": %.0f, "
         "\"write\": %.2f, \"read\": %.2f}\n",
         set, plain, with_event, with_finish, bytes / write, bytes / read);
  return 0;
}
