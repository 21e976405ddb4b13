// SPDX-License-Identifier: MIT
//
// Command buffers with commands that change, semaphores, parts of the device, and contexts that are terminated.
#define CL_ENABLE_BETA_EXTENSIONS
#include "check.h"
#include <CL/cl_ext.h>

// Not all headers that are installed have them as they are now.
typedef struct any_buffer* command_buffer;
typedef struct any_command* mutable_command;
typedef struct any_semaphore* semaphore;
typedef cl_ulong properties;
typedef struct {
  cl_uint index;
  size_t size;
  const void* value;
} new_argument;
typedef struct {
  mutable_command command;
  cl_uint num_args, num_svm_args, num_exec_infos, work_dim;
  const new_argument *args, *svm_args;
  const new_argument* exec_infos;
  const size_t *offset, *global, *local;
} new_values;

static cl_platform_id platform;

#define FUNCTION(result, name, ...)                  \
  result (*name)(__VA_ARGS__) =                      \
      clGetExtensionFunctionAddressForPlatform(platform, "cl" #name)

static int says(cl_device_id device, const char* extension) {
  char all[8192];
  CHECK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof all, all, NULL));
  return strstr(all, extension) != NULL;
}

static int first_of(struct Setup s, cl_mem buffer, int at) {
  int value = -1;
  CHECK(clEnqueueReadBuffer(s.queue, buffer, CL_TRUE, at * sizeof value, sizeof value, &value, 0, NULL, NULL));
  return value;
}

static void command_buffers(struct Setup s) {
  FUNCTION(command_buffer, CreateCommandBufferKHR, cl_uint, const cl_command_queue*, const properties*, cl_int*);
  FUNCTION(cl_int, CommandNDRangeKernelKHR, command_buffer, cl_command_queue, const properties*, cl_kernel, cl_uint,
           const size_t*, const size_t*, const size_t*, cl_uint, const cl_uint*, cl_uint*, mutable_command*);
  FUNCTION(cl_int, CommandFillBufferKHR, command_buffer, cl_command_queue, const properties*, cl_mem, const void*, size_t,
           size_t, size_t, cl_uint, const cl_uint*, cl_uint*, mutable_command*);
  FUNCTION(cl_int, CommandCopyBufferKHR, command_buffer, cl_command_queue, const properties*, cl_mem, cl_mem, size_t,
           size_t, size_t, cl_uint, const cl_uint*, cl_uint*, mutable_command*);
  FUNCTION(cl_int, FinalizeCommandBufferKHR, command_buffer);
  FUNCTION(cl_int, EnqueueCommandBufferKHR, cl_uint, cl_command_queue*, command_buffer, cl_uint, const cl_event*, cl_event*);
  FUNCTION(cl_int, UpdateMutableCommandsKHR, command_buffer, cl_uint, const cl_uint*, const void**);
  FUNCTION(cl_int, GetCommandBufferInfoKHR, command_buffer, cl_uint, size_t, void*, size_t*);
  FUNCTION(cl_int, GetMutableCommandInfoKHR, mutable_command, cl_uint, size_t, void*, size_t*);
  FUNCTION(cl_int, ReleaseCommandBufferKHR, command_buffer);

  cl_int status;
  cl_mem a = clCreateBuffer(s.context, CL_MEM_READ_WRITE, 64, NULL, &status);
  cl_mem b = clCreateBuffer(s.context, CL_MEM_READ_WRITE, 64, NULL, &status);
  cl_kernel kernel = clCreateKernel(s.program, "add", &status);
  CHECK(status);
  const int one = 1, five = 5;
  CHECK(clSetKernelArg(kernel, 0, sizeof a, &a));
  // CL_COMMAND_BUFFER_FLAGS_KHR: CL_COMMAND_BUFFER_MUTABLE_KHR
  const properties flags[] = {0x1293, 2, 0};
  command_buffer list = CreateCommandBufferKHR(1, &s.queue, flags, &status);
  CHECK(status);
  const size_t four = 4, two = 2;
  cl_uint filled, added;
  mutable_command command = NULL;
  const int zero = 0;
  CHECK(CommandFillBufferKHR(list, NULL, NULL, a, &zero, sizeof zero, 0, 64, 0, NULL, &filled, NULL));
  // The second argument comes later.
  CHECK(CommandNDRangeKernelKHR(list, NULL, NULL, kernel, 1, NULL, &four, NULL, 1, &filled, &added, &command));
  CHECK(CommandCopyBufferKHR(list, NULL, NULL, a, b, 0, 0, 64, 1, &added, NULL, NULL));
  printf("unknown sync point %d\n", CommandCopyBufferKHR(list, NULL, NULL, a, b, 0, 0, 64, 1, &(cl_uint){77}, NULL, NULL));
  printf("with a queue %d\n", CommandCopyBufferKHR(list, s.queue, NULL, a, b, 0, 0, 64, 0, NULL, NULL, NULL));
  printf("overlap %d\n", CommandCopyBufferKHR(list, NULL, NULL, a, a, 0, 8, 16, 0, NULL, NULL, NULL));
  printf("not final %d\n", EnqueueCommandBufferKHR(0, NULL, list, 0, NULL, NULL));
  CHECK(FinalizeCommandBufferKHR(list));
  cl_uint state = 99;
  CHECK(GetCommandBufferInfoKHR(list, 0x1297, sizeof state, &state, NULL));
  printf("an argument is missing %d: %d\n", state == 2, EnqueueCommandBufferKHR(0, NULL, list, 0, NULL, NULL));
  const new_argument argument = {1, sizeof one, &one};
  new_values values = {command, 1, 0, 0, 0, &argument, NULL, NULL, NULL, NULL, NULL};
  const void* all[] = {&values};
  const cl_uint type = 0;
  CHECK(UpdateMutableCommandsKHR(list, 1, &type, all));
  CHECK(EnqueueCommandBufferKHR(0, NULL, list, 0, NULL, NULL));
  printf("first run %d %d\n", first_of(s, b, 3), first_of(s, b, 4));
  const new_argument more = {1, sizeof five, &five};
  values = (new_values){command, 1, 0, 0, 0, &more, NULL, NULL, NULL, &two, NULL};
  CHECK(UpdateMutableCommandsKHR(list, 1, &type, all));
  size_t now = 0;
  CHECK(GetMutableCommandInfoKHR(command, 0x12A6, sizeof now, &now, NULL));
  // Memory that the launch uses by pointers in memory: CL_KERNEL_EXEC_INFO_SVM_PTRS is for those.
  void* shared = clSVMAlloc(s.context, CL_MEM_READ_WRITE, 64, 0);
  new_argument info = {CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof shared, &shared};
  values = (new_values){command, 0, 0, 1, 0, NULL, NULL, &info, NULL, NULL, NULL};
  const cl_int accepted = UpdateMutableCommandsKHR(list, 1, &type, all);
  info.size = 3;
  printf("indirect memory %d, of 3 bytes %d", accepted, UpdateMutableCommandsKHR(list, 1, &type, all));
  values.exec_infos = NULL;
  printf(", without a list %d\n", UpdateMutableCommandsKHR(list, 1, &type, all));
  cl_event event;
  CHECK(EnqueueCommandBufferKHR(0, NULL, list, 0, NULL, &event));
  CHECK(clWaitForEvents(1, &event));
  cl_command_type kind;
  CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof kind, &kind, NULL));
  printf("second run %d %d, global size %d, type 0x%x\n", first_of(s, b, 1), first_of(s, b, 2), (int)now, kind);
  CHECK(ReleaseCommandBufferKHR(list));
  printf("released %d\n", ReleaseCommandBufferKHR(NULL));
}

static void semaphores(struct Setup s) {
  FUNCTION(semaphore, CreateSemaphoreWithPropertiesKHR, cl_context, const properties*, cl_int*);
  FUNCTION(cl_int, EnqueueWaitSemaphoresKHR, cl_command_queue, cl_uint, const semaphore*, const cl_ulong*, cl_uint,
           const cl_event*, cl_event*);
  FUNCTION(cl_int, EnqueueSignalSemaphoresKHR, cl_command_queue, cl_uint, const semaphore*, const cl_ulong*, cl_uint,
           const cl_event*, cl_event*);
  FUNCTION(cl_int, GetSemaphoreInfoKHR, semaphore, cl_uint, size_t, void*, size_t*);
  FUNCTION(cl_int, ReleaseSemaphoreKHR, semaphore);
  cl_int status;
  // CL_SEMAPHORE_TYPE_KHR: CL_SEMAPHORE_TYPE_BINARY_KHR
  const properties binary[] = {0x203D, 1, 0};
  semaphore made = CreateSemaphoreWithPropertiesKHR(s.context, binary, &status);
  CHECK(status);
  cl_command_queue other = clCreateCommandQueue(s.context, s.device, 0, &status);
  CHECK(status);
  cl_event waited;
  CHECK(EnqueueWaitSemaphoresKHR(other, 1, &made, NULL, 0, NULL, &waited));
  cl_int before;
  CHECK(clGetEventInfo(waited, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof before, &before, NULL));
  CHECK(EnqueueSignalSemaphoresKHR(s.queue, 1, &made, NULL, 0, NULL, NULL));
  CHECK(clWaitForEvents(1, &waited));
  cl_ulong payload = 9;
  CHECK(GetSemaphoreInfoKHR(made, 0x203C, sizeof payload, &payload, NULL));
  printf("semaphore waits %d, afterwards %d\n", before > 0, (int)payload);
  const properties unknown[] = {0x203D, 77, 0};
  CreateSemaphoreWithPropertiesKHR(s.context, unknown, &status);
  printf("no such type %d, none at all %d\n", status, EnqueueWaitSemaphoresKHR(other, 0, &made, NULL, 0, NULL, NULL));
  CHECK(ReleaseSemaphoreKHR(made));
}

static void parts(struct Setup s) {
  cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  CHECK(clCreateSubDevices(s.device, equally, 0, NULL, &count));
  cl_device_id some[64];
  CHECK(clCreateSubDevices(s.device, equally, 64, some, &count));
  cl_device_id parent;
  cl_uint units;
  CHECK(clGetDeviceInfo(some[1], CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL));
  CHECK(clGetDeviceInfo(some[1], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
  printf("parts %d of %d unit, parent %d\n", count, units, parent == s.device);
  cl_int status;
  cl_context context = clCreateContext(NULL, 2, some, NULL, NULL, &status);
  CHECK(status);
  const char* source = "kernel void ids(global int *a) { a[get_global_id(0)] = get_global_id(0) + 40; }";
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  CHECK(clBuildProgram(program, 2, some, NULL, NULL, NULL));
  size_t sizes[2] = {0, 0};
  CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL));
  cl_kernel kernel = clCreateKernel(program, "ids", &status);
  cl_command_queue queue = clCreateCommandQueue(context, some[1], 0, &status);
  CHECK(status);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, 16, NULL, &status);
  const size_t four = 4;
  CHECK(clSetKernelArg(kernel, 0, sizeof out, &out));
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &four, NULL, 0, NULL, NULL));
  int values[4];
  CHECK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 16, values, 0, NULL, NULL));
  printf("on a part %d, binaries of one size %d\n", values[3], sizes[0] > 0 && sizes[0] == sizes[1]);
  clCreateCommandQueue(context, s.device, 0, &status);
  printf("a queue on the whole %d\n", status);
  cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_partition_property said[8];
  size_t size = 0;
  CHECK(clCreateSubDevices(s.device, counts, 64, some, &count));
  CHECK(clGetDeviceInfo(some[0], CL_DEVICE_PARTITION_TYPE, sizeof said, said, &size));
  printf("by counts %d, type %d\n", count, size == sizeof counts && memcmp(said, counts, size) == 0);
}

static void terminated(struct Setup s) {
  FUNCTION(cl_int, TerminateContextKHR, cl_context);
  cl_int status;
  cl_bitfield capability[2] = {0, 0};
  // The number in the headers of OpenCL 1.2, and today's.
  CHECK(clGetDeviceInfo(s.device, 0x200F, sizeof capability[0], &capability[0], NULL));
  CHECK(clGetDeviceInfo(s.device, 0x2031, sizeof capability[1], &capability[1], NULL));
  printf("not terminable %d, capability %d %d\n", TerminateContextKHR(s.context), (int)capability[0], (int)capability[1]);
  // CL_CONTEXT_TERMINATE_KHR
  const cl_context_properties terminable[] = {0x2032, CL_TRUE, 0};
  cl_context context = clCreateContext(terminable, 1, &s.device, NULL, NULL, &status);
  CHECK(status);
  cl_command_queue queue = clCreateCommandQueue(context, s.device, 0, &status);
  const char* source = "kernel void hang(global volatile int *a) { while (!a[0]) ; }";
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  CHECK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "hang", &status);
  int zero = 0;
  cl_mem flag = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof zero, &zero, &status);
  CHECK(clSetKernelArg(kernel, 0, sizeof flag, &flag));
  const size_t one = 1;
  cl_event event;
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
  // In pages that both processes map, and on a queue that is idle.
  static char data[8192];
  cl_mem pages = clCreateBuffer(context, 0, sizeof data, NULL, &status);
  CHECK(status);
  cl_command_queue idle = clCreateCommandQueue(context, s.device, 0, &status);
  CHECK(clEnqueueWriteBuffer(idle, pages, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
  CHECK(TerminateContextKHR(context));
  status = clWaitForEvents(1, &event);
  clCreateBuffer(context, 0, 4, NULL, &zero);
  const cl_int written = clEnqueueWriteBuffer(idle, pages, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL);
  printf("terminated %d, afterwards %d and %d\n", status, zero, written);
}

int main(void) {
  struct Setup s = set_up("kernel void add(global int *a, int n) { a[get_global_id(0)] += n; }");
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  printf("claimed %d\n", says(s.device, "cl_khr_command_buffer ") && says(s.device, "cl_khr_semaphore") &&
                             says(s.device, "cl_khr_command_buffer_mutable_dispatch"));
  command_buffers(s);
  semaphores(s);
  parts(s);
  terminated(s);
  return 0;
}
