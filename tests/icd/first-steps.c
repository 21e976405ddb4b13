// SPDX-License-Identifier: MIT
//
// A plain OpenCL program: buffers, a program from source, kernels, events, callbacks and maps. Prints what it finds, one fact a line.
#include <pthread.h>

#include "check.h"

enum { N = 1000 };

static const char* source =
    "kernel void twice(global int* data, int add) { data[get_global_id(0)] = 2 * data[get_global_id(0)] + add; }\n"
    "kernel void say(global const int* data) { printf(\"kernel says %d\\n\", data[get_global_id(0)]); }\n"
    "kernel void sums(global const int* data, local int* part, global int* out) {\n"
    "  int l = get_local_id(0); part[l] = data[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (l == 0) { int s = 0; for (int i = 0; i < get_local_size(0); i++) s += part[i]; out[get_group_id(0)] = s; } }\n";

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER;
static int calls;

static void count_call(void) {
  pthread_mutex_lock(&mutex);
  calls++;
  pthread_cond_signal(&called);
  pthread_mutex_unlock(&mutex);
}
static void await_calls(int wanted) {
  pthread_mutex_lock(&mutex);
  while (calls < wanted) pthread_cond_wait(&called, &mutex);
  pthread_mutex_unlock(&mutex);
}
static void CL_CALLBACK on_event(cl_event event, cl_int status, void* data) {
  (void)event;
  *(cl_int*)data = status;
  count_call();
}
static void CL_CALLBACK on_destroyed(cl_mem memory, void* data) {
  (void)memory;
  *(int*)data = 1;
  count_call();
}
static void CL_CALLBACK on_built(cl_program program, void* data) {
  (void)program;
  *(int*)data = 1;
  count_call();
}

int main(void) {
  cl_platform_id platforms[8];
  cl_uint count;
  CHECK(clGetPlatformIDs(8, platforms, &count));
  cl_device_id device;
  CHECK(clGetDeviceIDs(platforms[0], CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  char name[256];
  CHECK(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
  printf("device %s\n", name);
  cl_int status;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  CHECK(status);
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &status);
  CHECK(status);

  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  CHECK(status);
  int built = 0;
  CHECK(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", on_built, &built));
  await_calls(1);
  printf("built %d\n", built);
  cl_kernel twice = clCreateKernel(program, "twice", &status);
  CHECK(status);
  printf("no such kernel %d\n", (clCreateKernel(program, "thrice", &status), status));

  int data[N];
  for (int i = 0; i < N; i++) data[i] = i;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof data, data, &status);
  CHECK(status);
  int add = 1;
  CHECK(clSetKernelArg(twice, 0, sizeof buffer, &buffer));
  CHECK(clSetKernelArg(twice, 1, sizeof add, &add));
  printf("argument of wrong size %d\n", clSetKernelArg(twice, 1, 2, &add));
  const size_t global = N;
  const size_t odd = 7;
  cl_event ran;
  CHECK(clEnqueueNDRangeKernel(queue, twice, 1, NULL, &global, NULL, 0, NULL, &ran));
  cl_int seen = 99;
  CHECK(clSetEventCallback(ran, CL_COMPLETE, on_event, &seen));
  printf("wrong dimension %d\n", clEnqueueNDRangeKernel(queue, twice, 4, NULL, &global, &odd, 0, NULL, NULL));
  CHECK(clWaitForEvents(1, &ran));
  await_calls(2);
  printf("event callback %d\n", (int)seen);
  cl_ulong start, end;
  CHECK(clGetEventProfilingInfo(ran, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
  CHECK(clGetEventProfilingInfo(ran, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
  printf("profiled %d\n", start > 0 && end >= start);
  CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
  printf("read %d %d\n", data[1], data[N - 1]);
  printf("read beyond the end %d\n", clEnqueueReadBuffer(queue, buffer, CL_TRUE, 4, sizeof data, data, 0, NULL, NULL));

  // Nothing goes on before the user event does.
  cl_event gate = clCreateUserEvent(context, &status);
  CHECK(status);
  int zeros[N] = {0};
  cl_event written, copied;
  CHECK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof zeros, zeros, 1, &gate, &written));
  CHECK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, sizeof data, data, 0, NULL, &copied));
  CHECK(clGetEventInfo(copied, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  printf("waits %d\n", status > CL_COMPLETE);
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(clFinish(queue));
  printf("after the gate %d\n", data[N - 1]);

  int* mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, sizeof data, 0, NULL, NULL, &status);
  CHECK(status);
  for (int i = 0; i < N; i++) mapped[i] += 3;
  CHECK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  cl_kernel sums = clCreateKernel(program, "sums", &status);
  CHECK(status);
  const size_t local = 100;
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, 10 * sizeof(int), NULL, &status);
  CHECK(status);
  CHECK(clSetKernelArg(sums, 0, sizeof buffer, &buffer));
  CHECK(clSetKernelArg(sums, 1, local * sizeof(int), NULL));
  CHECK(clSetKernelArg(sums, 2, sizeof out, &out));
  CHECK(clEnqueueNDRangeKernel(queue, sums, 1, NULL, &global, &local, 0, NULL, NULL));
  int parts[10];
  CHECK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof parts, parts, 0, NULL, NULL));
  printf("sums %d %d\n", parts[0], parts[9]);

  // The program's memory: what a kernel makes of it is seen through a map.
  int own[4] = {1, 2, 3, 4};
  cl_mem over = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof own, own, &status);
  CHECK(status);
  const size_t four = 4;
  CHECK(clSetKernelArg(twice, 0, sizeof over, &over));
  CHECK(clEnqueueNDRangeKernel(queue, twice, 1, NULL, &four, NULL, 0, NULL, NULL));
  void* pointer = clEnqueueMapBuffer(queue, over, CL_TRUE, CL_MAP_READ, 0, sizeof own, 0, NULL, NULL, &status);
  CHECK(status);
  printf("own memory %d %d %d\n", pointer == own, own[0], own[3]);
  CHECK(clEnqueueUnmapMemObject(queue, over, pointer, 0, NULL, NULL));

  printf("before the kernel prints\n");
  cl_kernel say = clCreateKernel(program, "say", &status);
  CHECK(status);
  const size_t one = 1;
  CHECK(clSetKernelArg(say, 0, sizeof over, &over));
  CHECK(clEnqueueNDRangeKernel(queue, say, 1, NULL, &one, NULL, 0, NULL, NULL));
  CHECK(clFinish(queue));
  printf("after the kernel has printed\n");

  int destroyed = 0;
  CHECK(clSetMemObjectDestructorCallback(over, on_destroyed, &destroyed));
  clReleaseKernel(say);
  clReleaseKernel(twice);
  clReleaseMemObject(over);
  await_calls(3);
  printf("destroyed %d\n", destroyed);

  cl_program wrong = clCreateProgramWithSource(context, 1, (const char*[]){"kernel void f() { x = 1; }"}, NULL, &status);
  CHECK(status);
  printf("wrong program %d\n", clBuildProgram(wrong, 0, NULL, NULL, NULL, NULL));
  char log[4096] = "";
  CHECK(clGetProgramBuildInfo(wrong, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
  printf("log %d\n", strstr(log, "undeclared") != NULL);

  clReleaseProgram(wrong);
  clReleaseEvent(ran);
  clReleaseEvent(gate);
  clReleaseEvent(written);
  clReleaseEvent(copied);
  clReleaseKernel(sums);
  clReleaseMemObject(out);
  clReleaseMemObject(buffer);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  printf("done\n");
  return 0;
}
