// SPDX-License-Identifier: MIT
// An OpenCL library that does nothing: the remaining cost is the binding's own. cc -O2 -shared -fPIC null-driver.c -o libnull.so;
// LD_PRELOAD=./libnull.so ./enqueue; or through `enqueue.mjs --null`.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

/** Any object: all calls accept the same one, except that the two kernels of enqueue.c have different arguments. */
static char object, work_kernel;
#define OBJECT ((void *)&object)
#define WORK ((void *)&work_kernel)

static cl_int answer(const void *value, size_t bytes, size_t size, void *into, size_t *needed) {
  if (needed) *needed = bytes;
  if (!into) return CL_SUCCESS;
  if (size < bytes) return CL_INVALID_VALUE;
  memcpy(into, value, bytes);
  return CL_SUCCESS;
}

static cl_int text(const char *value, size_t size, void *into, size_t *needed) {
  return answer(value, strlen(value) + 1, size, into, needed);
}

static cl_int number(cl_ulong value, size_t bytes, size_t size, void *into, size_t *needed) {
  return answer(&value, bytes, size, into, needed);
}

static void *made(cl_int *code) {
  if (code) *code = CL_SUCCESS;
  return OBJECT;
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *list, cl_uint *count) {
  if (count) *count = 1;
  if (list && room) list[0] = OBJECT;
  return CL_SUCCESS;
}
cl_int clGetPlatformInfo(cl_platform_id p, cl_platform_info key, size_t size, void *into, size_t *needed) {
  switch (key) {
    case CL_PLATFORM_VERSION: return text("OpenCL 3.0 null", size, into, needed);
    case CL_PLATFORM_NAME: return text("null", size, into, needed);
    default: return text("", size, into, needed);
  }
}
cl_int clGetDeviceIDs(cl_platform_id p, cl_device_type t, cl_uint room, cl_device_id *list, cl_uint *count) {
  if (count) *count = 1;
  if (list && room) list[0] = OBJECT;
  return CL_SUCCESS;
}
cl_int clGetDeviceInfo(cl_device_id d, cl_device_info key, size_t size, void *into, size_t *needed) {
  switch (key) {
    case CL_DEVICE_NAME: return text("null", size, into, needed);
    case CL_DEVICE_VERSION: return text("OpenCL 3.0 null", size, into, needed);
    case CL_DEVICE_OPENCL_C_VERSION: return text("OpenCL C 3.0 null", size, into, needed);
    case CL_DEVICE_EXTENSIONS:
    case CL_DEVICE_VENDOR:
    case CL_DEVICE_PROFILE:
    case CL_DRIVER_VERSION:
    case CL_DEVICE_IL_VERSION: return text("", size, into, needed);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
      const size_t sizes[3] = {1024, 1024, 1024};
      return answer(sizes, sizeof sizes, size, into, needed);
    }
    case CL_DEVICE_TYPE: return number(CL_DEVICE_TYPE_GPU, 8, size, into, needed);
    case CL_DEVICE_PLATFORM: return number((cl_ulong)OBJECT, 8, size, into, needed);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return number(1024, 8, size, into, needed);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return number(1ull << 32, 8, size, into, needed);
    default: return number(1, 4, size, into, needed);
  }
}
cl_context clCreateContext(const cl_context_properties *p, cl_uint n, const cl_device_id *d,
                           void(CL_CALLBACK *f)(const char *, const void *, size_t, void *), void *u, cl_int *code) {
  return made(code);
}
cl_command_queue clCreateCommandQueueWithProperties(cl_context c, cl_device_id d, const cl_queue_properties *p,
                                                    cl_int *code) {
  return made(code);
}
cl_mem clCreateBuffer(cl_context c, cl_mem_flags f, size_t n, void *h, cl_int *code) { return made(code); }
cl_program clCreateProgramWithSource(cl_context c, cl_uint n, const char **s, const size_t *l, cl_int *code) {
  return made(code);
}
cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *o,
                      void(CL_CALLBACK *f)(cl_program, void *), void *u) {
  return CL_SUCCESS;
}
cl_kernel clCreateKernel(cl_program p, const char *name, cl_int *code) {
  made(code);
  return strcmp(name, "work") == 0 ? WORK : OBJECT;
}
cl_int clGetKernelInfo(cl_kernel k, cl_kernel_info key, size_t size, void *into, size_t *needed) {
  if (key == CL_KERNEL_FUNCTION_NAME) return text(k == WORK ? "work" : "empty", size, into, needed);
  return number(k == WORK ? 1 : 2, 4, size, into, needed);
}
cl_int clGetKernelArgInfo(cl_kernel k, cl_uint i, cl_kernel_arg_info key, size_t size, void *into, size_t *needed) {
  switch (key) {
    case CL_KERNEL_ARG_NAME: return text(i ? "x" : "p", size, into, needed);
    case CL_KERNEL_ARG_TYPE_NAME: return text(i ? "int" : "uchar*", size, into, needed);
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
      return number(i ? CL_KERNEL_ARG_ADDRESS_PRIVATE : CL_KERNEL_ARG_ADDRESS_GLOBAL, 4, size, into, needed);
    default: return number(CL_KERNEL_ARG_ACCESS_NONE, 4, size, into, needed);
  }
}
cl_int clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id d, cl_kernel_work_group_info key, size_t size, void *into,
                                size_t *needed) {
  return number(1024, 8, size, into, needed);
}
cl_int clGetProgramInfo(cl_program p, cl_program_info key, size_t size, void *into, size_t *needed) {
  return key == CL_PROGRAM_KERNEL_NAMES ? text("empty;work", size, into, needed) : number(1, 8, size, into, needed);
}
cl_int clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_program_build_info key, size_t size, void *into,
                             size_t *needed) {
  if (key == CL_PROGRAM_BUILD_STATUS) return number(CL_BUILD_SUCCESS, 4, size, into, needed);
  return text("", size, into, needed);
}
cl_int clGetContextInfo(cl_context c, cl_context_info key, size_t size, void *into, size_t *needed) {
  return number((cl_ulong)OBJECT, 8, size, into, needed);
}
cl_int clGetCommandQueueInfo(cl_command_queue q, cl_command_queue_info key, size_t size, void *into, size_t *needed) {
  return number((cl_ulong)OBJECT, 8, size, into, needed);
}
cl_int clGetMemObjectInfo(cl_mem m, cl_mem_info key, size_t size, void *into, size_t *needed) {
  return number(1, 8, size, into, needed);
}
cl_int clGetImageInfo(cl_mem m, cl_image_info key, size_t size, void *into, size_t *needed) {
  return number(1, 8, size, into, needed);
}
cl_int clGetEventInfo(cl_event e, cl_event_info key, size_t size, void *into, size_t *needed) {
  return number(CL_COMPLETE, 4, size, into, needed);
}
cl_int clGetEventProfilingInfo(cl_event e, cl_profiling_info key, size_t size, void *into, size_t *needed) {
  return number(1, 8, size, into, needed);
}
cl_int clSetEventCallback(cl_event e, cl_int t, void(CL_CALLBACK *f)(cl_event, cl_int, void *), void *u) {
  f(e, CL_COMPLETE, u);
  return CL_SUCCESS;
}

#define MAKES_EVENT(name, ...)          \
  cl_int name(__VA_ARGS__, cl_event *event) { \
    if (event) *event = OBJECT;         \
    return CL_SUCCESS;                  \
  }
MAKES_EVENT(clEnqueueNDRangeKernel, cl_command_queue q, cl_kernel k, cl_uint n, const size_t *o, const size_t *g,
            const size_t *l, cl_uint w, const cl_event *e)
MAKES_EVENT(clEnqueueReadBuffer, cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t n, void *p, cl_uint w,
            const cl_event *e)
MAKES_EVENT(clEnqueueWriteBuffer, cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t n, const void *p,
            cl_uint w, const cl_event *e)
MAKES_EVENT(clEnqueueReadImage, cl_command_queue q, cl_mem m, cl_bool b, const size_t *o, const size_t *r, size_t p,
            size_t s, void *h, cl_uint w, const cl_event *e)
MAKES_EVENT(clEnqueueWriteImage, cl_command_queue q, cl_mem m, cl_bool b, const size_t *o, const size_t *r, size_t p,
            size_t s, const void *h, cl_uint w, const cl_event *e)
MAKES_EVENT(clEnqueueUnmapMemObject, cl_command_queue q, cl_mem m, void *p, cl_uint w, const cl_event *e)
MAKES_EVENT(clEnqueueMarkerWithWaitList, cl_command_queue q, cl_uint w, const cl_event *e)
MAKES_EVENT(clEnqueueBarrierWithWaitList, cl_command_queue q, cl_uint w, const cl_event *e)

void *clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool b, cl_map_flags f, size_t o, size_t n, cl_uint w,
                         const cl_event *e, cl_event *event, cl_int *code) {
  static char *memory;
  static size_t room;
  if (room < n) memory = realloc(memory, room = n);
  if (event) *event = OBJECT;
  made(code);
  return memory;
}
void *clEnqueueMapImage(cl_command_queue q, cl_mem m, cl_bool b, cl_map_flags f, const size_t *o, const size_t *r,
                        size_t *row, size_t *slice, cl_uint w, const cl_event *e, cl_event *event, cl_int *code) {
  if (code) *code = CL_INVALID_OPERATION;
  return NULL;
}
cl_int clSetKernelArg(cl_kernel k, cl_uint i, size_t n, const void *v) { return CL_SUCCESS; }
cl_int clFlush(cl_command_queue q) { return CL_SUCCESS; }
cl_int clFinish(cl_command_queue q) { return CL_SUCCESS; }
cl_int clWaitForEvents(cl_uint n, const cl_event *e) { return CL_SUCCESS; }
#define COUNTED(Type, type)                                \
  cl_int clRetain##Type(type o) { return CL_SUCCESS; }     \
  cl_int clRelease##Type(type o) { return CL_SUCCESS; }
COUNTED(Context, cl_context)
COUNTED(CommandQueue, cl_command_queue)
COUNTED(MemObject, cl_mem)
COUNTED(Sampler, cl_sampler)
COUNTED(Program, cl_program)
COUNTED(Kernel, cl_kernel)
COUNTED(Event, cl_event)
COUNTED(Device, cl_device_id)
