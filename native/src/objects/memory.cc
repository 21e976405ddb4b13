// SPDX-License-Identifier: MIT
#include "memory.h"

#include <cstring>

namespace anycl {
namespace {

void CL_CALLBACK on_destroyed(cl_mem, void* user) { static_cast<Ticket*>(user)->redeem(CL_SUCCESS); }

constexpr cl_mem_flags host_flags = CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;

/** Smaller memory is not reported: an object of V8 has a similar size, and a report would cost more than it gains. */
constexpr size_t least_external_memory = size_t{64} << 10;

struct ExternalMemory : Attachment {
  ExternalMemory(napi_env e, size_t b) : env(e), bytes(static_cast<int64_t>(b)) { adjust(bytes); }
  ExternalMemory(const ExternalMemory&) = delete;
  ExternalMemory& operator=(const ExternalMemory&) = delete;
  ~ExternalMemory() override { adjust(-bytes); }

 private:
  void adjust(int64_t by) const {
    int64_t total = 0;
    napi_adjust_external_memory(env, by, &total);
  }
  napi_env env;
  int64_t bytes;
};

}  // namespace

std::unique_ptr<Attachment> external_memory(napi_env env, size_t bytes) {
  if (bytes < least_external_memory) return nullptr;
  return std::make_unique<ExternalMemory>(env, bytes);
}

void keep_host_memory(Environment& environment, cl_mem memory, Platform* platform, napi_value host) {
  const double id = environment.tickets.expect(false);
  environment.tickets.pin(id, host, nullptr, platform);
  Ticket* ticket = environment.tickets.ticket(id);
  // Without the callback (OpenCL 1.0) the host memory simply stays.
  if (!platform->cl.clSetMemObjectDestructorCallback.in(*platform) ||
      platform->cl.clSetMemObjectDestructorCallback.pointer(memory, on_destroyed, ticket) != CL_SUCCESS)
    delete ticket;
}

napi_value create_buffer(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  Platform* platform = context.platform;
  const auto object = context.as<cl_context>();
  const auto flags = static_cast<cl_mem_flags>(a.size(1));
  const size_t size = a.size(2);
  Bytes host;
  if (a.has(3)) {
    host = a.bytes(3);
    if (host.size < size) fail(CL_INVALID_HOST_PTR, "clCreateBuffer", "the host memory is smaller than the buffer");
    if (!(flags & host_flags)) fail(CL_INVALID_HOST_PTR, "clCreateBuffer", "host memory without a flag that uses it");
  }
  const std::vector<cl_ulong> properties = a.properties(4);
  cl_int code = CL_SUCCESS;
  cl_mem memory;
  const char* function = "clCreateBuffer";
  if (properties.size() > 1) {
    function = "clCreateBufferWithProperties";
    memory = platform->cl.clCreateBufferWithProperties.of(*platform)(object, properties.data(), flags, size, host.data,
                                                                     &code);
  } else {
    memory = platform->cl.clCreateBuffer.of(*platform)(object, flags, size, host.data, &code);
  }
  check(code, function);
  if (flags & CL_MEM_USE_HOST_PTR) keep_host_memory(a.environment(), memory, platform, host.value);
  // V8 already accounts for the host's memory.
  auto external = external_memory(a.env(), flags & CL_MEM_USE_HOST_PTR ? 0 : size);
  return a.of(a.environment().handles.add(Kind::memory, memory, platform, size, std::move(external)));
}

napi_value create_sub_buffer(Arguments& a) {
  const Slot& parent = a.handle(0, Kind::memory);
  Platform* platform = parent.platform;
  const auto flags = static_cast<cl_mem_flags>(a.size(1));
  const cl_buffer_region region = {a.size(2), a.size(3)};
  cl_int code = CL_SUCCESS;
  const cl_mem memory = platform->cl.clCreateSubBuffer.of(*platform)(parent.as<cl_mem>(), flags,
                                                                     CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  check(code, "clCreateSubBuffer");
  return a.of(a.environment().handles.add(Kind::memory, memory, platform, region.size));
}

napi_value create_pipe(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  Platform* platform = context.platform;
  cl_int code = CL_SUCCESS;
  const cl_mem pipe = platform->cl.clCreatePipe.of(*platform)(
      context.as<cl_context>(), static_cast<cl_mem_flags>(a.size(1)), a.uint(2), a.uint(3), nullptr, &code);
  check(code, "clCreatePipe");
  return a.of(a.environment().handles.add(Kind::memory, pipe, platform));
}

napi_value create_sampler(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  Platform* platform = context.platform;
  const auto object = context.as<cl_context>();
  const std::vector<cl_ulong> properties = a.properties(1);
  cl_int code = CL_SUCCESS;
  cl_sampler sampler;
  const char* function = "clCreateSamplerWithProperties";
  if (platform->cl.clCreateSamplerWithProperties.in(*platform)) {
    sampler = platform->cl.clCreateSamplerWithProperties.pointer(object, properties.data(), &code);
  } else {
    function = "clCreateSampler";
    cl_bool normalized = 1;
    cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
    cl_filter_mode filter = CL_FILTER_NEAREST;
    for (size_t i = 0; i + 1 < properties.size(); i += 2) {
      if (properties[i] == CL_SAMPLER_NORMALIZED_COORDS)
        normalized = static_cast<cl_bool>(properties[i + 1]);
      else if (properties[i] == CL_SAMPLER_ADDRESSING_MODE)
        addressing = static_cast<cl_addressing_mode>(properties[i + 1]);
      else if (properties[i] == CL_SAMPLER_FILTER_MODE)
        filter = static_cast<cl_filter_mode>(properties[i + 1]);
      else if (properties[i] != 0)
        fail(CL_INVALID_VALUE, function, "a sampler property that needs OpenCL 2.0");
    }
    sampler = platform->cl.clCreateSampler.of(*platform)(object, normalized, addressing, filter, &code);
  }
  check(code, function);
  return a.of(a.environment().handles.add(Kind::sampler, sampler, platform));
}

napi_value on_memory_destroyed(Arguments& a) {
  const Slot& memory = a.handle(0, Kind::memory);
  const auto set = memory.platform->cl.clSetMemObjectDestructorCallback.of(*memory.platform);
  const double id = a.environment().tickets.expect(true, false);
  Ticket* ticket = a.environment().tickets.ticket(id);
  const cl_int code = set(memory.as<cl_mem>(), on_destroyed, ticket);
  if (code != CL_SUCCESS) {
    a.environment().tickets.forget(id);
    delete ticket;
    fail(code, "clSetMemObjectDestructorCallback");
  }
  return a.of(id);
}

napi_value create_from_gl_buffer(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  Platform* platform = context.platform;
  cl_int code = CL_SUCCESS;
  const cl_mem memory = platform->ext.clCreateFromGLBuffer.of(*platform)(
      context.as<cl_context>(), static_cast<cl_mem_flags>(a.size(1)), a.uint(2), &code);
  check(code, "clCreateFromGLBuffer");
  return a.of(a.environment().handles.add(Kind::memory, memory, platform));
}

napi_value create_from_gl_texture(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  Platform* platform = context.platform;
  const auto flags = static_cast<cl_mem_flags>(a.size(1));
  const cl_uint target = a.uint(2), name = a.uint(4);
  const auto level = static_cast<cl_GLint>(a.uint(3));
  cl_int code = CL_SUCCESS;
  cl_mem memory;
  // Before OpenCL 1.2 there is a function for each number of dimensions; GL_TEXTURE_3D is 0x806F.
  if (platform->ext.clCreateFromGLTexture.pointer)
    memory = platform->ext.clCreateFromGLTexture.pointer(context.as<cl_context>(), flags, target, level, name, &code);
  else if (target == 0x806f)
    memory = platform->ext.clCreateFromGLTexture3D.of(*platform)(context.as<cl_context>(), flags, target, level, name, &code);
  else
    memory = platform->ext.clCreateFromGLTexture2D.of(*platform)(context.as<cl_context>(), flags, target, level, name, &code);
  check(code, "clCreateFromGLTexture");
  return a.of(a.environment().handles.add(Kind::memory, memory, platform));
}

napi_value create_from_gl_renderbuffer(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  Platform* platform = context.platform;
  cl_int code = CL_SUCCESS;
  const cl_mem memory = platform->ext.clCreateFromGLRenderbuffer.of(*platform)(
      context.as<cl_context>(), static_cast<cl_mem_flags>(a.size(1)), a.uint(2), &code);
  check(code, "clCreateFromGLRenderbuffer");
  return a.of(a.environment().handles.add(Kind::memory, memory, platform));
}

napi_value create_from_egl_image(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  Platform* platform = context.platform;
  cl_int code = CL_SUCCESS;
  const cl_mem memory = platform->ext.clCreateFromEGLImageKHR.of(*platform)(
      context.as<cl_context>(), reinterpret_cast<CLeglDisplayKHR>(a.bigint(1)),
      reinterpret_cast<CLeglImageKHR>(a.bigint(2)), static_cast<cl_mem_flags>(a.size(3)), nullptr, &code);
  check(code, "clCreateFromEGLImageKHR");
  return a.of(a.environment().handles.add(Kind::memory, memory, platform));
}

}  // namespace anycl
