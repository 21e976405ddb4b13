// SPDX-License-Identifier: MIT
//
// Queues on the device and queues with hints, and what programs ask of kernels and files.
#include <pthread.h>
#include <unistd.h>

#include "check.h"
#include <CL/cl_ext.h>

static const char* const kSource =
    "kernel void parent(global int *out, queue_t q) {\n"
    "  out[1] = q == get_default_queue();\n"
    "  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{ out[2 + get_global_id(0)] = get_global_id(0); });\n"
    "}\n"
    "kernel void sampled(sampler_t s, read_only image2d_t i, global float4 *out) { *out = read_imagef(i, s, (float2)(0)); }\n"
    "kernel void scratch(local int *l) { }\n";

static cl_kernel kernel_named(cl_program program, const char* name) {
  cl_int status;
  cl_kernel kernel = clCreateKernel(program, name, &status);
  CHECK(status);
  return kernel;
}

static volatile int opened;

static void* open_later(void* gate) {
  usleep(50000);
  opened = 1;
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
  return NULL;
}

/** Whether clFinish waits for a command that waits, after others that are complete or were refused. */
static int finish_waits(struct Setup s, cl_kernel kernel, cl_command_queue_properties flags) {
  cl_int status;
  cl_command_queue queue = clCreateCommandQueue(s.context, s.device, flags, &status);
  CHECK(status);
  CHECK(clFinish(queue));
  const size_t one = 1, two = 2;
  int right = 1;
  for (int round = 0; round < 3; round++) {
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    right &= clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &two, (size_t[]){1 << 30}, 0, NULL, NULL) != CL_SUCCESS;
    CHECK(clFinish(queue));
    cl_event gate = clCreateUserEvent(s.context, &status);
    CHECK(status);
    cl_event ran;
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 1, &gate, &ran));
    opened = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, open_later, gate);
    CHECK(clFinish(queue));
    right &= opened;
    CHECK(clGetEventInfo(ran, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    right &= status == CL_COMPLETE;
    pthread_join(thread, NULL);
  }
  CHECK(clReleaseCommandQueue(queue));
  return right;
}

int main(int argc, char** argv) {
  struct Setup s = set_up("kernel void none(void) {}");
  cl_int status;
  cl_program program = clCreateProgramWithSource(s.context, 1, (const char**)&kSource, NULL, &status);
  CHECK(status);
  CHECK(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));

  const cl_queue_properties on_device[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue inner = clCreateCommandQueueWithProperties(s.context, s.device, on_device, &status);
  CHECK(status);
  cl_command_queue again = clCreateCommandQueueWithProperties(s.context, s.device, on_device, &status);
  CHECK(status);
  cl_uint size = 0;
  CHECK(clGetCommandQueueInfo(inner, CL_QUEUE_SIZE, sizeof size, &size, NULL));
  printf("one default %d, has a size %d\n", inner == again, size > 0);
  printf("host enqueues to it %d\n", clEnqueueMarkerWithWaitList(inner, 0, NULL, NULL));

  cl_mem out = clCreateBuffer(s.context, CL_MEM_READ_WRITE, 6 * sizeof(cl_int), NULL, &status);
  CHECK(status);
  cl_kernel parent = kernel_named(program, "parent");
  CHECK(clSetKernelArg(parent, 0, sizeof out, &out));
  printf("a host queue as argument %d\n", clSetKernelArg(parent, 1, sizeof s.queue, &s.queue));
  CHECK(clSetKernelArg(parent, 1, sizeof inner, &inner));
  const size_t one = 1;
  CHECK(clEnqueueNDRangeKernel(s.queue, parent, 1, NULL, &one, NULL, 0, NULL, NULL));
  cl_int got[6];
  CHECK(clEnqueueReadBuffer(s.queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  printf("enqueued %d: %d %d %d %d\n", got[1], got[2], got[3], got[4], got[5]);

  const cl_queue_properties hinted[] = {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR, 0};
  CHECK(clReleaseCommandQueue(clCreateCommandQueueWithProperties(s.context, s.device, hinted, &status)));
  const cl_queue_properties sized[] = {CL_QUEUE_SIZE, 1024, 0};
  clCreateCommandQueueWithProperties(s.context, s.device, sized, &status);
  printf("a size of a host queue %d\n", status);

  printf("no sampler %d\n", clSetKernelArg(kernel_named(program, "sampled"), 0, sizeof(cl_sampler), NULL));
  cl_kernel scratch = kernel_named(program, "scratch");
  printf("no local memory %d\n", clSetKernelArg(scratch, 0, 0, NULL));
  CHECK(clEnqueueNDRangeKernel(s.queue, scratch, 1, NULL, &one, NULL, 0, NULL, NULL));
  CHECK(clFinish(s.queue));

  cl_kernel none = kernel_named(s.program, "none");
  const int in_order = finish_waits(s, none, 0);
  printf("finish waits %d %d\n", in_order, finish_waits(s, none, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));

  const size_t count = 2;
  size_t local[3] = {0, 7, 7};
  size_t bytes = 0;
  CHECK(clGetKernelSubGroupInfo(scratch, s.device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count, &count,
                                2 * sizeof local[0], local, &bytes));
  printf("two dimensions %d: %d %d\n", (int)(bytes / sizeof local[0]), local[0] > 1, (int)local[1] * 10 + (int)local[2]);

  if (argc < 2) return 1;
  char source[4096];
  snprintf(source, sizeof source, "#include \"%s\"\nkernel void k(global int *p) { *p = FROM_FILE; }", argv[1]);
  const char* text = source;
  cl_program including = clCreateProgramWithSource(s.context, 1, &text, NULL, &status);
  CHECK(status);
  printf("includes a file %d\n", clBuildProgram(including, 0, NULL, NULL, NULL, NULL));
  return 0;
}
