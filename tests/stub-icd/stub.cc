// SPDX-License-Identifier: MIT
//
// An OpenCL library for tests that computes nothing but keeps books: it counts live objects, notices use after release,
// fails any function with any code on request, and completes events early, late, in reverse, with an error or never.
// It is driven by the sources of programs made through it, one directive to a line:
//
//   stub: fail FUNCTION CODE      the next calls of FUNCTION fail with CODE
//   stub: nth N CODE              the Nth call from here fails with CODE, whichever it is
//   stub: lost N CODE             the Nth call from here and all after it fail with CODE
//   stub: events now|late|reversed|shuffled|threads|never|CODE
//   stub: odd SIZE                every clGet…Info answers with that many bytes, or claims to
//   stub: faults                  the next build replaces the handler of memory faults, as LLVM does
//   stub: reset
//
// Any other source has the kernels that are in it as "kernel void NAME(...)", or "stub", "k" and "v" with two arguments.
//
// CL_PLATFORM_VENDOR answers "live=N bad=N failed=NAME": objects alive, calls that named an object that was not, and
// which call was the Nth. Callbacks come from the stub's own threads; `threads` takes one for each event.
#include "books.h"

#include "queries.inc"

namespace {
/** An object of a context. */
template <typename T>
T child(cl_context context, char kind, cl_int* code) {
  Object* parent = known(context, 'c');
  if (!parent) {
    if (code) *code = CL_INVALID_CONTEXT;
    return nullptr;
  }
  retain(context, 'c', 0);
  Object* object = make(kind);
  object->parent = parent;
  return reinterpret_cast<T>(object);
}
}  // namespace

EXPORT cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id, const cl_queue_properties*,
                                                           cl_int* code) {
  FAIL_NULL(code);
  return child<cl_command_queue>(context, 'q', code);
}
EXPORT cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id, cl_command_queue_properties, cl_int* code) {
  FAIL_NULL(code);
  return child<cl_command_queue>(context, 'q', code);
}
EXPORT cl_int clSetDefaultDeviceCommandQueue(cl_context, cl_device_id, cl_command_queue) {
  FAIL_CODE();
  return CL_SUCCESS;
}
namespace {
cl_mem make_buffer(cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* code) {
  if (size == 0 || size > (size_t{1} << 28)) {
    if (code) *code = CL_INVALID_BUFFER_SIZE;
    return nullptr;
  }
  const cl_mem memory = child<cl_mem>(context, 'm', code);
  if (!memory) return nullptr;
  auto* object = reinterpret_cast<Object*>(memory);
  object->bytes.resize(size);
  if (host && flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR)) std::memcpy(object->bytes.data(), host, size);
  return memory;
}
}  // namespace
EXPORT cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* code) {
  FAIL_NULL(code);
  return make_buffer(context, flags, size, host, code);
}
EXPORT cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties*, cl_mem_flags flags, size_t size,
                                           void* host, cl_int* code) {
  FAIL_NULL(code);
  return make_buffer(context, flags, size, host, code);
}
EXPORT cl_mem clCreateSubBuffer(cl_mem memory, cl_mem_flags, cl_buffer_create_type, const void* info, cl_int* code) {
  FAIL_NULL(code);
  Object* parent = known(memory, 'm');
  const auto* region = static_cast<const cl_buffer_region*>(info);
  if (!parent || region->origin > parent->bytes.size() || region->size > parent->bytes.size() - region->origin ||
      region->size == 0) {
    if (code) *code = CL_INVALID_VALUE;
    return nullptr;
  }
  retain(memory, 'm', 0);
  Object* object = make('m');
  object->parent = parent;
  object->offset = region->origin;
  object->bytes.resize(region->size);
  return reinterpret_cast<cl_mem>(object);
}
EXPORT cl_mem clCreateImage(cl_context context, cl_mem_flags, const cl_image_format*, const cl_image_desc*, void*,
                            cl_int* code) {
  FAIL_NULL(code);
  const cl_mem memory = child<cl_mem>(context, 'm', code);
  if (memory) reinterpret_cast<Object*>(memory)->bytes.resize(1 << 16);
  return memory;
}
EXPORT cl_mem clCreatePipe(cl_context context, cl_mem_flags, cl_uint, cl_uint, const cl_pipe_properties*, cl_int* code) {
  FAIL_NULL(code);
  return child<cl_mem>(context, 'm', code);
}
EXPORT cl_int clGetSupportedImageFormats(cl_context, cl_mem_flags, cl_mem_object_type, cl_uint entries,
                                         cl_image_format* formats, cl_uint* count) {
  FAIL_CODE();
  if (count) *count = 1;
  if (formats && entries > 0) *formats = {CL_RGBA, CL_FLOAT};
  return CL_SUCCESS;
}
EXPORT cl_int clSetMemObjectDestructorCallback(cl_mem object, void(CL_CALLBACK* notify)(cl_mem, void*), void* user) {
  FAIL_CODE();
  Object* memory = known(object, 'm');
  if (!memory) return CL_INVALID_MEM_OBJECT;
  memory->destroyed.push_back([=] { notify(object, user); });
  return CL_SUCCESS;
}
EXPORT cl_sampler clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties*, cl_int* code) {
  FAIL_NULL(code);
  return child<cl_sampler>(context, 's', code);
}
EXPORT void* clSVMAlloc(cl_context context, cl_svm_mem_flags, size_t size, cl_uint) {
  cl_int code;
  if (fails(__func__, code) || !known(context, 'c') || size == 0 || size > (size_t{1} << 28)) return nullptr;
  void* pointer = std::calloc(1, size);
  Lock lock(state().mutex);
  state().svm.insert(pointer);
  return pointer;
}
namespace {
void free_svm(void* pointer) {
  Lock lock(state().mutex);
  if (state().svm.erase(pointer) == 0) state().bad++;
  else std::free(pointer);
}
}  // namespace
EXPORT void clSVMFree(cl_context context, void* pointer) {
  known(context, 'c');
  free_svm(pointer);
}

EXPORT cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings, const size_t* lengths,
                                            cl_int* code) {
  std::string source;
  for (cl_uint i = 0; i < count; i++)
    source += std::string(strings[i], lengths ? lengths[i] : std::strlen(strings[i]));
  direct(source);
  FAIL_NULL(code);
  const cl_program program = child<cl_program>(context, 'p', code);
  if (program) reinterpret_cast<Object*>(program)->kernels = kernels_of(source);
  return program;
}
EXPORT cl_program clCreateProgramWithIL(cl_context context, const void*, size_t, cl_int* code) {
  FAIL_NULL(code);
  return child<cl_program>(context, 'p', code);
}
EXPORT cl_program clCreateProgramWithBinary(cl_context context, cl_uint, const cl_device_id*, const size_t*,
                                            const unsigned char**, cl_int*, cl_int* code) {
  FAIL_NULL(code);
  return child<cl_program>(context, 'p', code);
}
EXPORT cl_program clCreateProgramWithBuiltInKernels(cl_context context, cl_uint, const cl_device_id*, const char*,
                                                    cl_int* code) {
  FAIL_NULL(code);
  return child<cl_program>(context, 'p', code);
}
EXPORT cl_int clBuildProgram(cl_program program, cl_uint, const cl_device_id*, const char*,
                             void(CL_CALLBACK*)(cl_program, void*), void*) {
  FAIL_CODE();
  if (state().faults) {
    state().faults = false;
    struct sigaction action = {};
    action.sa_handler = [](int) {};
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    sigaction(SIGSEGV, &action, nullptr);
  }
  return known(program, 'p') ? CL_SUCCESS : CL_INVALID_PROGRAM;
}
EXPORT cl_int clCompileProgram(cl_program program, cl_uint, const cl_device_id*, const char*, cl_uint, const cl_program*,
                               const char**, void(CL_CALLBACK*)(cl_program, void*), void*) {
  FAIL_CODE();
  return known(program, 'p') ? CL_SUCCESS : CL_INVALID_PROGRAM;
}
EXPORT cl_program clLinkProgram(cl_context context, cl_uint, const cl_device_id*, const char*, cl_uint, const cl_program*,
                                void(CL_CALLBACK*)(cl_program, void*), void*, cl_int* code) {
  FAIL_NULL(code);
  return child<cl_program>(context, 'p', code);
}
EXPORT cl_int clSetProgramSpecializationConstant(cl_program program, cl_uint, size_t, const void*) {
  FAIL_CODE();
  return known(program, 'p') ? CL_SUCCESS : CL_INVALID_PROGRAM;
}

EXPORT cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* code) {
  FAIL_NULL(code);
  Object* parent = known(program, 'p');
  if (!parent) return nullptr;
  retain(program, 'p', 0);
  Object* kernel = make('k');
  kernel->parent = parent;
  for (const auto& each : parent->kernels)
    if (each.first == name) kernel->kernels = {each};
  return reinterpret_cast<cl_kernel>(kernel);
}
EXPORT cl_kernel clCloneKernel(cl_kernel kernel, cl_int* code) {
  FAIL_NULL(code);
  Object* original = known(kernel, 'k');
  if (!original) return nullptr;
  retain(original->parent, 'p', 0);
  Object* clone = make('k');
  clone->parent = original->parent;
  clone->kernels = original->kernels;
  return reinterpret_cast<cl_kernel>(clone);
}
EXPORT cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t, const void*) {
  FAIL_CODE();
  if (index > 16) return CL_INVALID_ARG_INDEX;
  return known(kernel, 'k') ? CL_SUCCESS : CL_INVALID_KERNEL;
}
EXPORT cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint, const void*) {
  FAIL_CODE();
  return known(kernel, 'k') ? CL_SUCCESS : CL_INVALID_KERNEL;
}
EXPORT cl_int clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info, size_t, const void*) {
  FAIL_CODE();
  return known(kernel, 'k') ? CL_SUCCESS : CL_INVALID_KERNEL;
}

EXPORT cl_event clCreateUserEvent(cl_context context, cl_int* code) {
  FAIL_NULL(code);
  const cl_event event = child<cl_event>(context, 'e', code);
  if (event) reinterpret_cast<Object*>(event)->status = CL_SUBMITTED;
  return event;
}
EXPORT cl_int clSetUserEventStatus(cl_event object, cl_int status) {
  FAIL_CODE();
  Object* event = known(object, 'e');
  if (!event) return CL_INVALID_EVENT;
  if (event->status <= CL_COMPLETE) return CL_INVALID_OPERATION;
  retain(object, 'e', 0);
  complete(event, status);
  return CL_SUCCESS;
}
EXPORT cl_int clSetEventCallback(cl_event object, cl_int type, void(CL_CALLBACK* notify)(cl_event, cl_int, void*), void* user) {
  FAIL_CODE();
  cl_int status;
  {
    Lock lock(state().mutex);
    Object* event = known(object, 'e');
    if (!event) return CL_INVALID_EVENT;
    status = event->status;
    if (status > CL_COMPLETE) {
      event->callbacks.push_back({type, notify, user});
      return CL_SUCCESS;
    }
  }
  notify(object, status, user);
  return CL_SUCCESS;
}
EXPORT cl_int clWaitForEvents(cl_uint count, const cl_event* events) {
  FAIL_CODE();
  Lock lock(state().mutex);
  for (cl_uint i = 0; i < count; i++) {
    Object* event = known(events[i], 'e');
    if (!event) return CL_INVALID_EVENT;
    while (event->status > CL_COMPLETE) state().changed.wait(lock);
    if (event->status < 0) return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  }
  return CL_SUCCESS;
}
EXPORT cl_int clFlush(cl_command_queue queue) {
  FAIL_CODE();
  return known(queue, 'q') ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}
EXPORT cl_int clFinish(cl_command_queue queue) {
  FAIL_CODE();
  Lock lock(state().mutex);
  if (!known(queue, 'q')) return CL_INVALID_COMMAND_QUEUE;
  while (!state().waiting.empty() || state().under_way > 0) state().changed.wait_for(lock, std::chrono::milliseconds(5));
  return CL_SUCCESS;
}

#include "commands.inc"
#if defined(STUB_EXTENSIONS)
#include "extensions.inc"
#endif

EXPORT void* clGetExtensionFunctionAddressForPlatform(cl_platform_id, const char* function) {
#if defined(STUB_EXTENSIONS)
  return extension_function(function);
#else
  (void)function;
  return nullptr;
#endif
}
