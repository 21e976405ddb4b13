// SPDX-License-Identifier: MIT
//
// The objects that a program holds. Each begins with the table of functions through which loaders call this library. The server has
// the object under its id; this side has what the server cannot: reference counts, the program's pointers and callbacks.
#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

#include "connection.h"
#include "dispatch.gen.h"
#include "image.h"

namespace icd {

/** Values that are unlikely in other memory, so that such memory is not mistaken for an object. */
enum class Kind : uint32_t {
  kFreed = 0,
  kPlatform = 0x616e7901,
  kDevice,
  kContext,
  kQueue,
  kMemory,
  kSampler,
  kProgram,
  kKernel,
  kEvent,
  kSemaphore,
  kCommandBuffer,
  kMutableCommand,
};

struct Object {
  explicit Object(Kind of) : kind(of) {}
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  const Dispatch* dispatch = &kDispatch;
  Kind kind;
  uint32_t id = 0;
  Connection* connection = nullptr;
  /** The program's reference count. */
  std::atomic<uint32_t> references{1};
  /** References from other objects, and one for all of the program's. The last one to go deletes the object. */
  std::atomic<uint32_t> uses{1};
};

/** Keeps an object alive. */
template <typename T>
class Use {
 public:
  Use() = default;
  explicit Use(T* object) : object_(object) {
    if (object_ != nullptr) object_->uses.fetch_add(1);
  }
  Use(const Use& other) : Use(other.object_) {}
  Use(Use&& other) noexcept : object_(other.object_) { other.object_ = nullptr; }
  Use& operator=(Use other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Use() {
    if (object_ != nullptr) drop(object_);
  }
  T* get() const { return object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

template <typename T>
void drop(T* object) {
  if (object->uses.fetch_sub(1) != 1) return;
  object->kind = Kind::kFreed;
  delete object;
}

}  // namespace icd

struct _cl_platform_id : icd::Object {
  _cl_platform_id() : Object(icd::Kind::kPlatform) {}
};

/** The device, whose id is 0 and which is never freed, or a sub-device. */
struct _cl_device_id : icd::Object {
  static constexpr icd::Kind of_kind = icd::Kind::kDevice;
  _cl_device_id() : Object(of_kind) {}
  ~_cl_device_id();

  /** For sub-devices. */
  icd::Use<_cl_device_id> parent;
};

struct _cl_context : icd::Object {
  static constexpr icd::Kind of_kind = icd::Kind::kContext;
  _cl_context() : Object(of_kind) {}
  ~_cl_context();

  bool has(cl_device_id device) const;
  std::vector<cl_device_id> handles() const;

  /** Without duplicates. */
  std::vector<icd::Use<_cl_device_id>> devices;
  std::vector<cl_context_properties> properties;
  std::mutex mutex;
  /** Called in reverse order. */
  std::vector<std::function<void()>> on_destroy;
  std::atomic<bool> terminated{false};
  /** The queue of `get_default_queue` in kernels; reset when that queue is destroyed. */
  _cl_command_queue* default_queue = nullptr;
};

struct _cl_command_queue : icd::Object {
  static constexpr icd::Kind of_kind = icd::Kind::kQueue;
  _cl_command_queue() : Object(of_kind) {}
  ~_cl_command_queue();

  icd::Use<_cl_context> context;
  icd::Use<_cl_device_id> device;
  cl_command_queue_properties flags = 0;
  /** The size of a queue that kernels enqueue to. */
  cl_uint size = 0;
  /** With the closing 0; empty if the queue was created without properties. */
  std::vector<cl_queue_properties> properties;
  /** Commands that were sent, without those that the server has refused. */
  std::atomic<uint32_t> sent{0};
  /** How many of them the server had accepted when it last reported that the queue was idle. */
  std::atomic<uint32_t> idle_after{0};
  /** Held to count a command as sent, and while this process carries out one of an idle queue. */
  std::mutex sending;

  /** A queue on the device: only kernels enqueue to it. */
  bool is_on_device() const { return (flags & CL_QUEUE_ON_DEVICE) != 0; }
};

struct _cl_mem : icd::Object {
  static constexpr icd::Kind of_kind = icd::Kind::kMemory;
  _cl_mem() : Object(of_kind) {}
  ~_cl_mem();

  /** A mapped region: its address for the program, and its block of the staging memory. */
  struct Mapping {
    void* pointer;
    uint64_t staged;
    bool writes;
    /** The program's memory, if the object uses it. */
    icd::HostBox box;
    /** For buffers the offset; for images in pixels. */
    size_t origin[4];
    size_t region[3];
    /** Bytes of a row, rows and slices. */
    size_t bytes[3];
  };

  icd::Use<_cl_context> context;
  /** For sub-buffers, and for images that use another object's memory. */
  icd::Use<_cl_mem> parent;
  cl_mem_object_type type = 0;
  cl_mem_flags flags = 0;
  size_t size = 0;
  size_t origin = 0;
  std::vector<cl_mem_properties> properties;
  /** The memory of CL_MEM_USE_HOST_PTR. */
  char* host = nullptr;
  /** Whether `host` is shared virtual memory, which the device accesses directly. */
  bool is_svm = false;
  /** Buffers whose pages the server maps too: their bytes, and their pages unless another object has them. */
  char* shared = nullptr;
  icd::Slabs::Place pages;
  cl_image_format format{};
  /** For images: bytes of a pixel, and the distances of rows and layers in `host`. */
  size_t element = 0;
  size_t row_pitch = 0;
  size_t slice_pitch = 0;
  size_t extent[3] = {};
  /** The number of a pixel's coordinates, array layer included, and of those that shrink from one mip level to the next. */
  int coordinates = 0;
  int axes = 0;
  size_t mip_levels = 1;

  std::mutex mutex;
  std::vector<Mapping> mappings;
  std::vector<std::function<void()>> on_destroy;

  bool is_buffer() const { return type == CL_MEM_OBJECT_BUFFER; }
  bool is_image() const { return type != CL_MEM_OBJECT_BUFFER && type != CL_MEM_OBJECT_PIPE; }
};

struct _cl_sampler : icd::Object {
  static constexpr icd::Kind of_kind = icd::Kind::kSampler;
  _cl_sampler() : Object(of_kind) {}
  ~_cl_sampler();

  icd::Use<_cl_context> context;
  /** With the closing 0; empty if the sampler was created without properties. */
  std::vector<cl_sampler_properties> properties;
};

struct _cl_program : icd::Object {
  static constexpr icd::Kind of_kind = icd::Kind::kProgram;
  _cl_program() : Object(of_kind) {}
  ~_cl_program();

  icd::Use<_cl_context> context;
  std::mutex mutex;
  std::vector<std::function<void()>> on_release;
};

struct _cl_kernel : icd::Object {
  static constexpr icd::Kind of_kind = icd::Kind::kKernel;
  _cl_kernel() : Object(of_kind) {}
  ~_cl_kernel();

  icd::Use<_cl_program> program;
  std::vector<icd::ParameterKind> parameters;
  /** Which arguments are set. */
  std::vector<bool> given;
};

struct _cl_event : icd::Object {
  static constexpr icd::Kind of_kind = icd::Kind::kEvent;
  _cl_event() : Object(of_kind) {}
  ~_cl_event();

  icd::Use<_cl_context> context;
  /** Null for user events. */
  icd::Use<_cl_command_queue> queue;
  cl_command_type type = 0;

  std::mutex mutex;
  std::condition_variable changed;
  /** CL_QUEUED until it is complete: only the server knows the states between. */
  cl_int status = CL_QUEUED;
  /** Whether a user event's status was set. */
  bool set = false;
  std::vector<std::function<void(cl_int)>> on_complete;
};

struct _cl_semaphore_khr : icd::Object {
  static constexpr icd::Kind of_kind = icd::Kind::kSemaphore;
  _cl_semaphore_khr() : Object(of_kind) {}
  ~_cl_semaphore_khr();

  icd::Use<_cl_context> context;
  /** With the closing 0. */
  std::vector<cl_semaphore_properties_khr> properties;
  /** From CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, otherwise the context's. */
  std::vector<cl_device_id> devices;
};

namespace icd {

extern _cl_platform_id platform;
extern _cl_device_id device;

/** Whether a program's handle is an object of this library that the program has not released. */
template <typename T>
bool is(const T* handle) {
  return handle != nullptr && handle->dispatch == &kDispatch && handle->kind == T::of_kind && handle->references.load() > 0;
}
/** Whether it is a queue that the program may enqueue to. */
inline bool is_host_queue(cl_command_queue queue) { return is(queue) && !queue->is_on_device(); }
inline bool is(const _cl_platform_id* handle) { return handle == &platform; }

template <typename T>
cl_int retain(T* handle, cl_int invalid) {
  if (!is(handle)) return invalid;
  handle->references.fetch_add(1);
  return CL_SUCCESS;
}

template <typename T>
cl_int release(T* handle, cl_int invalid) {
  if (!is(handle)) return invalid;
  if (handle->references.fetch_sub(1) == 1) drop(handle);
  return CL_SUCCESS;
}

/** A new object of a context, with an id for the server. */
template <typename T>
T* make(Connection* connection) {
  auto* object = new T();
  object->connection = connection;
  object->id = connection->next_id();
  return object;
}

/** Gives the object to the program, or deletes it if the server has refused it. */
template <typename T>
T* finish(T* object, cl_int status, cl_int* errcode_ret) {
  if (errcode_ret != nullptr) *errcode_ret = status;
  if (status == CL_SUCCESS) return object;
  // The server does not have it.
  object->id = 0;
  drop(object);
  return nullptr;
}

/** For functions that return an object: null, and the error code. */
inline std::nullptr_t fail(cl_int status, cl_int* errcode_ret) {
  if (errcode_ret != nullptr) *errcode_ret = status;
  return nullptr;
}

}  // namespace icd
