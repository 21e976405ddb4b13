// SPDX-License-Identifier: MIT
//
// An OpenCL library for tests that computes nothing but keeps books: it counts live objects, notices use after release,
// fails any function with any code on request, and completes events early, late, in reverse, with an error or never.
// It is driven by the sources of programs made through it, one directive to a line:
//
//   stub: fail FUNCTION CODE      the next calls of FUNCTION fail with CODE
//   stub: nth N CODE              the Nth call from here fails with CODE, whichever it is
//   stub: events now|late|reversed|shuffled|threads|never|CODE
//   stub: odd SIZE                every clGet…Info answers with that many bytes, or claims to
//   stub: reset
//
// CL_PLATFORM_VENDOR answers "live=N bad=N failed=NAME": objects alive, calls that named an object that was not, and
// which call was the Nth. Callbacks come from the stub's own threads; `threads` takes one for each event.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "../../native/src/cl/opencl.gen.h"

#if defined(_WIN32)
#define EXPORT extern "C" __declspec(dllexport)
#else
#define EXPORT extern "C" __attribute__((visibility("default")))
#endif

namespace {

struct Callback {
  cl_int type;
  void(CL_CALLBACK* notify)(cl_event, cl_int, void*);
  void* user;
};

struct Object {
  int references = 1;
  char kind = 0;
  std::vector<unsigned char> bytes;
  Object* parent = nullptr;
  size_t offset = 0;
  cl_int status = CL_COMPLETE;
  std::vector<Callback> callbacks;
  std::vector<std::function<void()>> destroyed;
  bool null_args_allowed = true;
};

enum class Policy { now, late, reversed, shuffled, threads, never, error };

struct State {
  std::recursive_mutex mutex;
  std::condition_variable_any changed;
  std::set<Object*> live;
  int bad = 0;
  std::map<std::string, cl_int> failures;
  Policy policy = Policy::now;
  cl_int error = 0;
  bool odd = false;
  /** What the functions of extensions were called with. */
  std::string notes;
  size_t odd_size = 0;
  long calls = 0, fail_at = 0;
  cl_int nth_code = 0;
  std::string failed;
  /** Commands that somebody is about to complete, beside those that wait. */
  int under_way = 0;
  std::set<void*> svm;
  std::deque<std::pair<Object*, std::function<void()>>> waiting;
  bool worker = false;
};

State& state() {
  static State* s = new State;
  return *s;
}

using Lock = std::unique_lock<std::recursive_mutex>;

int platform_object, device_object;

Object* make(char kind) {
  Lock lock(state().mutex);
  auto* object = new Object;
  object->kind = kind;
  state().live.insert(object);
  return object;
}

/** Null, and a mark in the books, if there is no such object. */
Object* known(const void* handle, char kind) {
  Lock lock(state().mutex);
  auto* object = static_cast<Object*>(const_cast<void*>(handle));
  if (state().live.count(object) && object->kind == kind) return object;
  state().bad++;
  std::fprintf(stderr, "stub: no live object of kind %c at %p\n", kind, handle);
  return nullptr;
}

cl_int retain(const void* handle, char kind, cl_int code) {
  Lock lock(state().mutex);
  Object* object = known(handle, kind);
  if (!object) return code;
  object->references++;
  return CL_SUCCESS;
}

cl_int release(const void* handle, char kind, cl_int code) {
  std::vector<std::function<void()>> destroyed;
  {
    Lock lock(state().mutex);
    Object* object = known(handle, kind);
    if (!object) return code;
    if (--object->references > 0) return CL_SUCCESS;
    state().live.erase(object);
    if (object->parent) release(object->parent, object->parent->kind, 0);
    destroyed = std::move(object->destroyed);
    delete object;
  }
  for (auto& call : destroyed) call();
  return CL_SUCCESS;
}

/** Whether this call is to fail, and how. */
bool fails(const char* function, cl_int& code) {
  Lock lock(state().mutex);
  if (++state().calls == state().fail_at) {
    state().failed = function;
    code = state().nth_code;
    return true;
  }
  auto found = state().failures.find(function);
  if (found == state().failures.end()) return false;
  code = found->second;
  return true;
}

#define FAIL_CODE()                         \
  do {                                      \
    cl_int code_;                           \
    if (fails(__func__, code_)) return code_; \
  } while (0)
#define FAIL_NULL(errcode)                  \
  do {                                      \
    cl_int code_;                           \
    if (fails(__func__, code_)) {           \
      if (errcode) *errcode = code_;        \
      return nullptr;                       \
    }                                       \
    if (errcode) *errcode = CL_SUCCESS;     \
  } while (0)

void complete(Object* event, cl_int status) {
  std::vector<Callback> callbacks;
  {
    Lock lock(state().mutex);
    event->status = status;
    callbacks.swap(event->callbacks);
    state().changed.notify_all();
  }
  for (auto& callback : callbacks) callback.notify(reinterpret_cast<cl_event>(event), status, callback.user);
  release(event, 'e', 0);
}

void finish_command(Object* event, const std::function<void()>& work) {
  if (work) work();
  cl_int status = CL_COMPLETE;
  {
    Lock lock(state().mutex);
    if (state().policy == Policy::error) status = state().error;
  }
  complete(event, status);
  Lock lock(state().mutex);
  state().under_way--;
  state().changed.notify_all();
}

void worker() {
  for (;;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::pair<Object*, std::function<void()>> next{nullptr, nullptr};
    {
      Lock lock(state().mutex);
      if (state().waiting.empty() || state().policy == Policy::never) continue;
      state().under_way++;
      if (state().policy == Policy::shuffled) {
        const size_t at = static_cast<size_t>(std::rand()) % state().waiting.size();
        next = std::move(state().waiting[at]);
        state().waiting.erase(state().waiting.begin() + static_cast<std::ptrdiff_t>(at));
      } else if (state().policy == Policy::reversed) {
        next = state().waiting.back();
        state().waiting.pop_back();
      } else {
        next = state().waiting.front();
        state().waiting.pop_front();
      }
    }
    finish_command(next.first, next.second);
  }
}

/** A command: what it does is done when its event completes. */
cl_int enqueue(cl_command_queue queue, cl_uint waits, const cl_event* list, cl_event* event,
               std::function<void()> work = {}) {
  Lock lock(state().mutex);
  if (!known(queue, 'q')) return CL_INVALID_COMMAND_QUEUE;
  bool blocked = false;
  for (cl_uint i = 0; i < waits; i++) {
    Object* wait = known(list[i], 'e');
    if (!wait) return CL_INVALID_EVENT_WAIT_LIST;
    blocked |= wait->status > CL_COMPLETE;
  }
  Object* made = make('e');
  if (state().policy == Policy::now && !blocked && state().waiting.empty()) {
    if (work) work();
    made->status = CL_COMPLETE;
    if (event) *event = reinterpret_cast<cl_event>(made);
    else release(made, 'e', 0);
    return CL_SUCCESS;
  }
  if (state().policy == Policy::error && !blocked) {
    if (work) work();
    made->status = state().error;
    if (event) *event = reinterpret_cast<cl_event>(made);
    else release(made, 'e', 0);
    return CL_SUCCESS;
  }
  made->status = CL_QUEUED;
  made->references++;
  if (event) *event = reinterpret_cast<cl_event>(made);
  else release(made, 'e', 0);
  if (state().policy == Policy::threads && !blocked) {
    state().under_way++;
    std::thread([made, work = std::move(work)] {
      std::this_thread::sleep_for(std::chrono::microseconds(std::rand() % 2000));
      finish_command(made, work);
    }).detach();
    return CL_SUCCESS;
  }
  state().waiting.push_back({made, std::move(work)});
  if (!state().worker) {
    state().worker = true;
    std::thread(worker).detach();
  }
  return CL_SUCCESS;
}

cl_int answer(const void* data, size_t bytes, size_t size, void* value, size_t* needed) {
  if (state().odd) {
    if (needed) *needed = state().odd_size;
    if (value) std::memset(value, 'o', std::min(size, state().odd_size));
    return value && size < state().odd_size ? CL_INVALID_VALUE : CL_SUCCESS;
  }
  if (needed) *needed = bytes;
  if (value) {
    if (size < bytes) return CL_INVALID_VALUE;
    std::memcpy(value, data, bytes);
  }
  return CL_SUCCESS;
}

template <typename T>
cl_int answer_value(T data, size_t size, void* value, size_t* needed) {
  return answer(&data, sizeof data, size, value, needed);
}

cl_int answer_text(const std::string& text, size_t size, void* value, size_t* needed) {
  return answer(text.c_str(), text.size() + 1, size, value, needed);
}

void direct(const std::string& source) {
  Lock lock(state().mutex);
  std::istringstream lines(source);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string stub, verb, first;
    words >> stub >> verb >> first;
    if (stub != "stub:") continue;
    if (verb == "reset") {
      state().failures.clear();
      state().policy = Policy::now;
      state().odd = false;
      state().fail_at = 0;
      state().failed.clear();
    } else if (verb == "odd") {
      state().odd = true;
      state().odd_size = std::strtoull(first.c_str(), nullptr, 10);
    } else if (verb == "nth") {
      // The call that brings this directive is not counted.
      state().calls = -1;
      state().fail_at = std::atol(first.c_str());
      state().failed.clear();
      words >> state().nth_code;
    } else if (verb == "fail") {
      int code = 0;
      words >> code;
      state().failures[first] = code;
    } else if (verb == "events") {
      if (first == "now") state().policy = Policy::now;
      else if (first == "late") state().policy = Policy::late;
      else if (first == "reversed") state().policy = Policy::reversed;
      else if (first == "shuffled") state().policy = Policy::shuffled;
      else if (first == "threads") state().policy = Policy::threads;
      else if (first == "never") state().policy = Policy::never;
      else state().policy = Policy::error, state().error = std::atoi(first.c_str());
    }
  }
}

#if defined(STUB_EXTENSIONS)
const std::set<std::string>& extension_names();
#endif

unsigned char* memory_of(Object* memory) {
  return memory->parent && memory->parent->kind == 'm' ? memory_of(memory->parent) + memory->offset : memory->bytes.data();
}

}  // namespace

EXPORT cl_int clGetPlatformIDs(cl_uint entries, cl_platform_id* platforms, cl_uint* count) {
  FAIL_CODE();
  if (count) *count = 1;
  if (platforms && entries > 0) *platforms = reinterpret_cast<cl_platform_id>(&platform_object);
  return CL_SUCCESS;
}

EXPORT cl_int clGetPlatformInfo(cl_platform_id, cl_platform_info key, size_t size, void* value, size_t* needed) {
  if (key == CL_PLATFORM_VENDOR) {
    Lock lock(state().mutex);
    const bool odd = state().odd;
    state().odd = false;
    const cl_int code = answer_text("live=" + std::to_string(state().live.size() + state().svm.size()) +
                                        " bad=" + std::to_string(state().bad) + " failed=" + state().failed,
                                    size, value, needed);
    state().odd = odd;
    return code;
  }
  FAIL_CODE();
  if (key == CL_PLATFORM_NAME) return answer_text("anycl stub", size, value, needed);
  const char* version = std::getenv("ANYCL_STUB_VERSION");
  if (key == CL_PLATFORM_VERSION) return answer_text(version ? version : "OpenCL 3.0 stub", size, value, needed);
  if (key >= 0x900 && key <= 0x904) return answer_text("", size, value, needed);
  return CL_INVALID_VALUE;
}

EXPORT cl_int clGetDeviceIDs(cl_platform_id, cl_device_type, cl_uint entries, cl_device_id* devices, cl_uint* count) {
  FAIL_CODE();
  if (count) *count = 1;
  if (devices && entries > 0) *devices = reinterpret_cast<cl_device_id>(&device_object);
  return CL_SUCCESS;
}

EXPORT cl_int clGetDeviceInfo(cl_device_id, cl_device_info key, size_t size, void* value, size_t* needed) {
  FAIL_CODE();
  switch (key) {
    case CL_DEVICE_NAME: return answer_text("stub", size, value, needed);
    case CL_DEVICE_VERSION: return answer_text("OpenCL 3.0 stub", size, value, needed);
#if defined(STUB_EXTENSIONS)
    case CL_DEVICE_EXTENSIONS: {
      std::string names;
      for (const std::string& name : extension_names()) names += (names.empty() ? "" : " ") + name;
      return answer_text(names, size, value, needed);
    }
    case CL_DEVICE_EXTENSIONS_WITH_VERSION: {
      std::vector<cl_name_version> versions;
      for (const std::string& name : extension_names()) {
        versions.emplace_back();
        versions.back().version = 1 << 22;
        std::snprintf(versions.back().name, sizeof versions.back().name, "%s", name.c_str());
      }
      return answer(versions.data(), versions.size() * sizeof versions[0], size, value, needed);
    }
    case CL_DRIVER_VERSION: {
      Lock lock(state().mutex);
      const cl_int code = answer_text(state().notes, size, value, needed);
      if (value) state().notes.clear();
      return code;
    }
#else
    case CL_DEVICE_EXTENSIONS: return answer_text("", size, value, needed);
    case CL_DEVICE_EXTENSIONS_WITH_VERSION: return answer("", 0, size, value, needed);
#endif
    case CL_DEVICE_IL_VERSION: return answer_text("SPIR-V_1.2", size, value, needed);
    case CL_DEVICE_TYPE: return answer_value<cl_ulong>(CL_DEVICE_TYPE_CPU, size, value, needed);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return answer_value<size_t>(64, size, value, needed);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: return answer_value<cl_uint>(3, size, value, needed);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
      static const size_t sizes[] = {64, 64, 64};
      return answer(sizes, sizeof sizes, size, value, needed);
    }
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_LOCAL_MEM_SIZE: return answer_value<cl_ulong>(1 << 28, size, value, needed);
    case CL_DEVICE_SVM_CAPABILITIES: return answer_value<cl_ulong>(3, size, value, needed);
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
    case CL_DEVICE_MAX_PARAMETER_SIZE: return answer_value<size_t>(1024, size, value, needed);
    case CL_DEVICE_ADDRESS_BITS: return answer_value<cl_uint>(64, size, value, needed);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN: return answer_value<cl_uint>(1024, size, value, needed);
    default: return answer_value<cl_uint>(1, size, value, needed);
  }
}

EXPORT cl_int clRetainDevice(cl_device_id) { return CL_SUCCESS; }
EXPORT cl_int clReleaseDevice(cl_device_id) { return CL_SUCCESS; }
EXPORT cl_int clCreateSubDevices(cl_device_id, const cl_device_partition_property*, cl_uint entries, cl_device_id* devices,
                                 cl_uint* count) {
  FAIL_CODE();
  if (count) *count = 1;
  if (devices && entries > 0) *devices = reinterpret_cast<cl_device_id>(&device_object);
  return CL_SUCCESS;
}
EXPORT cl_int clGetDeviceAndHostTimer(cl_device_id, cl_ulong* device, cl_ulong* host) {
  FAIL_CODE();
  *device = *host = 1;
  return CL_SUCCESS;
}
EXPORT cl_int clUnloadPlatformCompiler(cl_platform_id) {
  FAIL_CODE();
  return CL_SUCCESS;
}

#define COUNTED(name, type, kind, code)                                                    \
  EXPORT cl_int clRetain##name(type object) { return retain(object, kind, code); }         \
  EXPORT cl_int clRelease##name(type object) { return release(object, kind, code); }
COUNTED(Context, cl_context, 'c', CL_INVALID_CONTEXT)
COUNTED(CommandQueue, cl_command_queue, 'q', CL_INVALID_COMMAND_QUEUE)
COUNTED(MemObject, cl_mem, 'm', CL_INVALID_MEM_OBJECT)
COUNTED(Sampler, cl_sampler, 's', CL_INVALID_SAMPLER)
COUNTED(Program, cl_program, 'p', CL_INVALID_PROGRAM)
COUNTED(Kernel, cl_kernel, 'k', CL_INVALID_KERNEL)
COUNTED(Event, cl_event, 'e', CL_INVALID_EVENT)

#define INFO(name, type, key_type, kind, code)                                                                   \
  EXPORT cl_int clGet##name##Info(type object, key_type key, size_t size, void* value, size_t* needed) {         \
    FAIL_CODE();                                                                                                 \
    if (!known(object, kind)) return code;                                                                       \
    return answer_value<cl_ulong>(key, size, value, needed);                                                     \
  }
INFO(Context, cl_context, cl_context_info, 'c', CL_INVALID_CONTEXT)
INFO(Image, cl_mem, cl_image_info, 'm', CL_INVALID_MEM_OBJECT)
INFO(Pipe, cl_mem, cl_pipe_info, 'm', CL_INVALID_MEM_OBJECT)
INFO(Sampler, cl_sampler, cl_sampler_info, 's', CL_INVALID_SAMPLER)
INFO(EventProfiling, cl_event, cl_profiling_info, 'e', CL_INVALID_EVENT)

EXPORT cl_int clGetCommandQueueInfo(cl_command_queue object, cl_command_queue_info key, size_t size, void* value,
                                    size_t* needed) {
  FAIL_CODE();
  Object* queue = known(object, 'q');
  if (!queue) return CL_INVALID_COMMAND_QUEUE;
  return answer_value<Object*>(key == CL_QUEUE_CONTEXT ? queue->parent : nullptr, size, value, needed);
}

EXPORT cl_int clGetMemObjectInfo(cl_mem object, cl_mem_info key, size_t size, void* value, size_t* needed) {
  FAIL_CODE();
  Object* memory = known(object, 'm');
  if (!memory) return CL_INVALID_MEM_OBJECT;
  return answer_value<size_t>(key == CL_MEM_SIZE ? memory->bytes.size() : 0, size, value, needed);
}
EXPORT cl_int clGetProgramInfo(cl_program object, cl_program_info key, size_t size, void* value, size_t* needed) {
  FAIL_CODE();
  if (!known(object, 'p')) return CL_INVALID_PROGRAM;
  if (key == CL_PROGRAM_KERNEL_NAMES) return answer_text("stub;k;v", size, value, needed);
  if (key == CL_PROGRAM_BINARY_SIZES) return answer_value<size_t>(4, size, value, needed);
  if (key == CL_PROGRAM_BINARIES) {
    if (state().odd) return answer("", 0, size, value, needed);
    if (value && *static_cast<unsigned char**>(value)) std::memcpy(*static_cast<unsigned char**>(value), "stub", 4);
    if (needed) *needed = sizeof(void*);
    return CL_SUCCESS;
  }
  return answer_value<cl_uint>(1, size, value, needed);
}
EXPORT cl_int clGetProgramBuildInfo(cl_program object, cl_device_id, cl_program_build_info, size_t size, void* value,
                                    size_t* needed) {
  FAIL_CODE();
  if (!known(object, 'p')) return CL_INVALID_PROGRAM;
  return answer_text("what the stub says", size, value, needed);
}
EXPORT cl_int clGetKernelInfo(cl_kernel object, cl_kernel_info key, size_t size, void* value, size_t* needed) {
  FAIL_CODE();
  if (!known(object, 'k')) return CL_INVALID_KERNEL;
  if (key == CL_KERNEL_FUNCTION_NAME) return answer_text("stub", size, value, needed);
  return answer_value<cl_uint>(key == CL_KERNEL_NUM_ARGS ? 2 : 1, size, value, needed);
}
EXPORT cl_int clGetKernelArgInfo(cl_kernel object, cl_uint, cl_kernel_arg_info, size_t size, void* value, size_t* needed) {
  FAIL_CODE();
  if (!known(object, 'k')) return CL_INVALID_KERNEL;
  return answer_text("arg", size, value, needed);
}
EXPORT cl_int clGetKernelWorkGroupInfo(cl_kernel object, cl_device_id, cl_kernel_work_group_info, size_t size, void* value,
                                       size_t* needed) {
  FAIL_CODE();
  if (!known(object, 'k')) return CL_INVALID_KERNEL;
  return answer_value<size_t>(64, size, value, needed);
}
EXPORT cl_int clGetKernelSubGroupInfo(cl_kernel object, cl_device_id, cl_kernel_sub_group_info, size_t, const void*,
                                      size_t size, void* value, size_t* needed) {
  FAIL_CODE();
  if (!known(object, 'k')) return CL_INVALID_KERNEL;
  return answer_value<size_t>(8, size, value, needed);
}
EXPORT cl_int clGetEventInfo(cl_event object, cl_event_info key, size_t size, void* value, size_t* needed) {
  FAIL_CODE();
  Lock lock(state().mutex);
  Object* event = known(object, 'e');
  if (!event) return CL_INVALID_EVENT;
  return answer_value<cl_int>(key == CL_EVENT_COMMAND_EXECUTION_STATUS ? event->status : 1, size, value, needed);
}

EXPORT cl_context clCreateContext(const cl_context_properties*, cl_uint, const cl_device_id*,
                                  void(CL_CALLBACK*)(const char*, const void*, size_t, void*), void*, cl_int* code) {
  FAIL_NULL(code);
  return reinterpret_cast<cl_context>(make('c'));
}
EXPORT cl_context clCreateContextFromType(const cl_context_properties*, cl_device_type,
                                          void(CL_CALLBACK*)(const char*, const void*, size_t, void*), void*, cl_int* code) {
  FAIL_NULL(code);
  return reinterpret_cast<cl_context>(make('c'));
}
EXPORT cl_int clSetContextDestructorCallback(cl_context object, void(CL_CALLBACK* notify)(cl_context, void*), void* user) {
  FAIL_CODE();
  Object* context = known(object, 'c');
  if (!context) return CL_INVALID_CONTEXT;
  context->destroyed.push_back([=] { notify(object, user); });
  return CL_SUCCESS;
}

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
  for (cl_uint i = 0; i < count; i++) direct(std::string(strings[i], lengths ? lengths[i] : std::strlen(strings[i])));
  FAIL_NULL(code);
  return child<cl_program>(context, 'p', code);
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

EXPORT cl_kernel clCreateKernel(cl_program program, const char*, cl_int* code) {
  FAIL_NULL(code);
  Object* parent = known(program, 'p');
  if (!parent) return nullptr;
  retain(program, 'p', 0);
  Object* kernel = make('k');
  kernel->parent = parent;
  return reinterpret_cast<cl_kernel>(kernel);
}
EXPORT cl_kernel clCloneKernel(cl_kernel kernel, cl_int* code) {
  FAIL_NULL(code);
  Object* original = known(kernel, 'k');
  if (!original) return nullptr;
  retain(original->parent, 'p', 0);
  Object* clone = make('k');
  clone->parent = original->parent;
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

#define WAIT cl_uint waits, const cl_event *list, cl_event *event
#define ENQUEUE(...) return enqueue(queue, waits, list, event, __VA_ARGS__)

EXPORT cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint, const size_t*, const size_t*,
                                     const size_t*, WAIT) {
  FAIL_CODE();
  if (!known(kernel, 'k')) return CL_INVALID_KERNEL;
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory, cl_bool, size_t offset, size_t size, void* pointer,
                                  WAIT) {
  FAIL_CODE();
  Object* object = known(memory, 'm');
  if (!object) return CL_INVALID_MEM_OBJECT;
  if (offset > object->bytes.size() || size > object->bytes.size() - offset) return CL_INVALID_VALUE;
  retain(memory, 'm', 0);
  ENQUEUE([=] {
    if (size > 0) std::memcpy(pointer, memory_of(object) + offset, size);
    release(memory, 'm', 0);
  });
}
EXPORT cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem memory, cl_bool, size_t offset, size_t size,
                                   const void* pointer, WAIT) {
  FAIL_CODE();
  Object* object = known(memory, 'm');
  if (!object) return CL_INVALID_MEM_OBJECT;
  if (offset > object->bytes.size() || size > object->bytes.size() - offset) return CL_INVALID_VALUE;
  retain(memory, 'm', 0);
  ENQUEUE([=] {
    if (size > 0) std::memcpy(memory_of(object) + offset, pointer, size);
    release(memory, 'm', 0);
  });
}
EXPORT cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem memory, const void*, size_t, size_t, size_t, WAIT) {
  FAIL_CODE();
  if (!known(memory, 'm')) return CL_INVALID_MEM_OBJECT;
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t, size_t, size_t, WAIT) {
  FAIL_CODE();
  if (!known(from, 'm') || !known(to, 'm')) return CL_INVALID_MEM_OBJECT;
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem memory, cl_bool, const size_t*, const size_t*,
                                      const size_t*, size_t, size_t, size_t, size_t, void*, WAIT) {
  FAIL_CODE();
  if (!known(memory, 'm')) return CL_INVALID_MEM_OBJECT;
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem memory, cl_bool, const size_t*, const size_t*,
                                       const size_t*, size_t, size_t, size_t, size_t, const void*, WAIT) {
  FAIL_CODE();
  if (!known(memory, 'm')) return CL_INVALID_MEM_OBJECT;
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to, const size_t*, const size_t*,
                                      const size_t*, size_t, size_t, size_t, size_t, WAIT) {
  FAIL_CODE();
  if (!known(from, 'm') || !known(to, 'm')) return CL_INVALID_MEM_OBJECT;
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem memory, cl_bool, const size_t*, const size_t*, size_t, size_t,
                                 void*, WAIT) {
  FAIL_CODE();
  if (!known(memory, 'm')) return CL_INVALID_MEM_OBJECT;
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem memory, cl_bool, const size_t*, const size_t*, size_t, size_t,
                                  const void*, WAIT) {
  FAIL_CODE();
  if (!known(memory, 'm')) return CL_INVALID_MEM_OBJECT;
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueFillImage(cl_command_queue queue, cl_mem memory, const void*, const size_t*, const size_t*, WAIT) {
  FAIL_CODE();
  if (!known(memory, 'm')) return CL_INVALID_MEM_OBJECT;
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to, const size_t*, const size_t*, const size_t*,
                                 WAIT) {
  FAIL_CODE();
  if (!known(from, 'm') || !known(to, 'm')) return CL_INVALID_MEM_OBJECT;
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem from, cl_mem to, const size_t*, const size_t*, size_t,
                                         WAIT) {
  FAIL_CODE();
  if (!known(from, 'm') || !known(to, 'm')) return CL_INVALID_MEM_OBJECT;
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem from, cl_mem to, size_t, const size_t*, const size_t*,
                                         WAIT) {
  FAIL_CODE();
  if (!known(from, 'm') || !known(to, 'm')) return CL_INVALID_MEM_OBJECT;
  return enqueue(queue, waits, list, event);
}
EXPORT void* clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory, cl_bool, cl_map_flags, size_t offset, size_t size,
                                cl_uint waits, const cl_event* list, cl_event* event, cl_int* code) {
  FAIL_NULL(code);
  Object* object = known(memory, 'm');
  if (!object || offset > object->bytes.size() || size > object->bytes.size() - offset || size == 0) {
    *code = CL_INVALID_VALUE;
    return nullptr;
  }
  *code = enqueue(queue, waits, list, event);
  return *code == CL_SUCCESS ? memory_of(object) + offset : nullptr;
}
EXPORT void* clEnqueueMapImage(cl_command_queue queue, cl_mem memory, cl_bool, cl_map_flags, const size_t*, const size_t*,
                               size_t* row, size_t* slice, cl_uint waits, const cl_event* list, cl_event* event, cl_int* code) {
  FAIL_NULL(code);
  Object* object = known(memory, 'm');
  if (!object) {
    *code = CL_INVALID_VALUE;
    return nullptr;
  }
  *row = 64;
  *slice = 0;
  *code = enqueue(queue, waits, list, event);
  return *code == CL_SUCCESS ? memory_of(object) : nullptr;
}
EXPORT cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void*, WAIT) {
  FAIL_CODE();
  if (!known(memory, 'm')) return CL_INVALID_MEM_OBJECT;
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint, const cl_mem*, cl_mem_migration_flags, WAIT) {
  FAIL_CODE();
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, WAIT) {
  FAIL_CODE();
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, WAIT) {
  FAIL_CODE();
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool, void*, const void*, size_t, WAIT) {
  FAIL_CODE();
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueSVMMemFill(cl_command_queue queue, void*, const void*, size_t, size_t, WAIT) {
  FAIL_CODE();
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueSVMMap(cl_command_queue queue, cl_bool, cl_map_flags, void*, size_t, WAIT) {
  FAIL_CODE();
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueSVMUnmap(cl_command_queue queue, void*, WAIT) {
  FAIL_CODE();
  return enqueue(queue, waits, list, event);
}
EXPORT cl_int clEnqueueSVMFree(cl_command_queue queue, cl_uint count, void** pointers, void(CL_CALLBACK*)(cl_command_queue, cl_uint, void**, void*), void*,
                               WAIT) {
  FAIL_CODE();
  std::vector<void*> all(pointers, pointers + count);
  ENQUEUE([all] {
    for (void* pointer : all) free_svm(pointer);
  });
}
EXPORT cl_int clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint, const void**, const size_t*, cl_mem_migration_flags,
                                     WAIT) {
  FAIL_CODE();
  return enqueue(queue, waits, list, event);
}

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
