// SPDX-License-Identifier: MIT
#include "info.h"

#include <cstring>

#include "image.h"
#include "lifetime.h"

namespace anycl {
namespace {

napi_value bytes(Arguments& a, const std::vector<uint8_t>& value) { return a.of_bytes(value.data(), value.size()); }

/** An array of C strings is converted to the strings, each with its NUL. */
std::vector<uint8_t> pointed_to(const std::vector<uint8_t>& pointers) {
  std::vector<uint8_t> text;
  for (size_t at = 0; at + sizeof(char*) <= pointers.size(); at += sizeof(char*)) {
    const char* string;
    std::memcpy(&string, pointers.data() + at, sizeof string);
    if (string) text.insert(text.end(), string, string + std::strlen(string) + 1);
  }
  return text;
}

}  // namespace

// The same three lines for each kind; `object` has the C type of the function's first parameter.
#define ANYCL_QUERY(function, type)                                                                \
  bytes(a, query(#function, [&](size_t size, void* value, size_t* needed) {                        \
          return platform.cl.function.of(platform)(static_cast<type>(object), key, size, value, needed); \
        }))
#define ANYCL_QUERY_EXT(function, type)                                                            \
  bytes(a, query(#function, [&](size_t size, void* value, size_t* needed) {                        \
          return platform.ext.function.of(platform)(static_cast<type>(object), key, size, value, needed); \
        }))

napi_value info(Arguments& a) {
  const Slot& slot = a.any(0);
  const cl_uint key = a.uint(1);
  const Platform& platform = *slot.platform;
  void* const object = slot.object;
  switch (slot.kind) {
    case Kind::platform: return ANYCL_QUERY(clGetPlatformInfo, cl_platform_id);
    case Kind::device:
      if (key == CL_DEVICE_SPIRV_EXTENSIONS || key == CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS)
        return bytes(a, pointed_to(query("clGetDeviceInfo", [&](size_t size, void* value, size_t* needed) {
                       return platform.cl.clGetDeviceInfo.of(platform)(static_cast<cl_device_id>(object), key, size,
                                                                        value, needed);
                     })));
      return ANYCL_QUERY(clGetDeviceInfo, cl_device_id);
    case Kind::context: return ANYCL_QUERY(clGetContextInfo, cl_context);
    case Kind::queue: return ANYCL_QUERY(clGetCommandQueueInfo, cl_command_queue);
    case Kind::memory: return ANYCL_QUERY(clGetMemObjectInfo, cl_mem);
    case Kind::sampler: return ANYCL_QUERY(clGetSamplerInfo, cl_sampler);
    case Kind::program:
      // The driver would write to the pointers in the caller's memory; `binaries` passes its own.
      if (key == CL_PROGRAM_BINARIES)
        fail(CL_INVALID_VALUE, "clGetProgramInfo", "binaries have no value of fixed size: ask for program.binaries");
      return ANYCL_QUERY(clGetProgramInfo, cl_program);
    case Kind::kernel: return ANYCL_QUERY(clGetKernelInfo, cl_kernel);
    case Kind::event: return ANYCL_QUERY(clGetEventInfo, cl_event);
    case Kind::semaphore: return ANYCL_QUERY_EXT(clGetSemaphoreInfoKHR, cl_semaphore_khr);
    case Kind::command_buffer: return ANYCL_QUERY_EXT(clGetCommandBufferInfoKHR, cl_command_buffer_khr);
    case Kind::mutable_command: return ANYCL_QUERY_EXT(clGetMutableCommandInfoKHR, cl_mutable_command_khr);
    default: fail(CL_INVALID_VALUE, a.name(), "there is no such query for this object");
  }
}

napi_value image_info(Arguments& a) {
  const Slot& slot = a.handle(0, Kind::memory);
  const cl_uint key = a.uint(1);
  const Platform& platform = *slot.platform;
  void* const object = slot.object;
  return ANYCL_QUERY(clGetImageInfo, cl_mem);
}

napi_value pipe_info(Arguments& a) {
  const Slot& slot = a.handle(0, Kind::memory);
  const cl_uint key = a.uint(1);
  const Platform& platform = *slot.platform;
  void* const object = slot.object;
  return ANYCL_QUERY(clGetPipeInfo, cl_mem);
}

napi_value profiling_info(Arguments& a) {
  const Slot& slot = a.handle(0, Kind::event);
  const cl_uint key = a.uint(1);
  const Platform& platform = *slot.platform;
  void* const object = slot.object;
  return ANYCL_QUERY(clGetEventProfilingInfo, cl_event);
}

napi_value gl_object_info(Arguments& a) {
  const Slot& slot = a.handle(0, Kind::memory);
  cl_uint pair[2] = {0, 0};
  check(slot.platform->ext.clGetGLObjectInfo.of(*slot.platform)(slot.as<cl_mem>(), &pair[0], &pair[1]),
        "clGetGLObjectInfo");
  return a.of_bytes(pair, sizeof pair);
}

napi_value gl_texture_info(Arguments& a) {
  const Slot& slot = a.handle(0, Kind::memory);
  const cl_uint key = a.uint(1);
  const Platform& platform = *slot.platform;
  void* const object = slot.object;
  return ANYCL_QUERY_EXT(clGetGLTextureInfo, cl_mem);
}

napi_value build_info(Arguments& a) {
  const Slot& program = a.handle(0, Kind::program);
  const auto device = a.handle(1, Kind::device, *program.platform).as<cl_device_id>();
  const cl_uint key = a.uint(2);
  const Platform& platform = *program.platform;
  return bytes(a, query("clGetProgramBuildInfo", [&](size_t size, void* value, size_t* needed) {
                 return platform.cl.clGetProgramBuildInfo.of(platform)(program.as<cl_program>(), device, key, size,
                                                                       value, needed);
               }));
}

napi_value arg_info(Arguments& a) {
  const Slot& kernel = a.handle(0, Kind::kernel);
  const cl_uint index = a.uint(1), key = a.uint(2);
  const Platform& platform = *kernel.platform;
  return bytes(a, query("clGetKernelArgInfo", [&](size_t size, void* value, size_t* needed) {
                 return platform.cl.clGetKernelArgInfo.of(platform)(kernel.as<cl_kernel>(), index, key, size, value,
                                                                    needed);
               }));
}

napi_value work_group_info(Arguments& a) {
  const Slot& kernel = a.handle(0, Kind::kernel);
  const auto device = a.handle(1, Kind::device, *kernel.platform).as<cl_device_id>();
  const cl_uint key = a.uint(2);
  const Platform& platform = *kernel.platform;
  return bytes(a, query("clGetKernelWorkGroupInfo", [&](size_t size, void* value, size_t* needed) {
                 return platform.cl.clGetKernelWorkGroupInfo.of(platform)(kernel.as<cl_kernel>(), device, key, size,
                                                                          value, needed);
               }));
}

napi_value sub_group_info(Arguments& a) {
  const Slot& kernel = a.handle(0, Kind::kernel);
  const auto device = a.handle(1, Kind::device, *kernel.platform).as<cl_device_id>();
  const cl_uint key = a.uint(2);
  const std::vector<size_t> input = a.sizes(3);
  const Platform& platform = *kernel.platform;
  const bool core = platform.cl.clGetKernelSubGroupInfo.in(platform) || !platform.ext.clGetKernelSubGroupInfoKHR.pointer;
  return bytes(a, query("clGetKernelSubGroupInfo", [&](size_t size, void* value, size_t* needed) {
                 const void* data = input.empty() ? nullptr : input.data();
                 const size_t bytes = input.size() * sizeof(size_t);
                 // Drivers differ in whether they accept a size query for an array, so the caller gives the number.
                 return core ? platform.cl.clGetKernelSubGroupInfo.of(platform)(kernel.as<cl_kernel>(), device, key,
                                                                                bytes, data, size, value, needed)
                             : platform.ext.clGetKernelSubGroupInfoKHR.of(platform)(
                                   kernel.as<cl_kernel>(), device, key, bytes, data, size, value, needed);
               }));
}

napi_value svm_pointer_info(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  const cl_device_id device = a.has(1) ? a.handle(1, Kind::device, *context.platform).as<cl_device_id>() : nullptr;
  const Slot& svm = a.handle(2, Kind::svm, *context.platform);
  const cl_uint key = a.uint(3);
  const Platform& platform = *context.platform;
  return bytes(a, query("clGetSVMPointerInfoKHR", [&](size_t size, void* value, size_t* needed) {
                 return platform.ext.clGetSVMPointerInfoKHR.of(platform)(context.as<cl_context>(), device, svm.object,
                                                                         key, size, value, needed);
               }));
}

napi_value binaries(Arguments& a) {
  const Slot& program = a.handle(0, Kind::program);
  const Platform& platform = *program.platform;
  const auto object = program.as<cl_program>();
  const auto get = platform.cl.clGetProgramInfo.of(platform);
  const std::vector<uint8_t> raw = query("clGetProgramInfo", [&](size_t size, void* value, size_t* needed) {
    return get(object, CL_PROGRAM_BINARY_SIZES, size, value, needed);
  });
  std::vector<size_t> sizes(raw.size() / sizeof(size_t));
  if (!sizes.empty()) std::memcpy(sizes.data(), raw.data(), sizes.size() * sizeof(size_t));
  std::vector<std::vector<uint8_t>> contents;
  std::vector<uint8_t*> pointers;
  contents.reserve(sizes.size());
  pointers.reserve(sizes.size());
  for (size_t size : sizes) contents.push_back(room_for<uint8_t>(size, "clGetProgramInfo"));
  for (auto& content : contents) pointers.push_back(content.empty() ? nullptr : content.data());
  if (!pointers.empty())
    check(get(object, CL_PROGRAM_BINARIES, pointers.size() * sizeof(uint8_t*), pointers.data(), nullptr),
          "clGetProgramInfo");
  napi_value array;
  napi_create_array_with_length(a.env(), contents.size(), &array);
  for (size_t i = 0; i < contents.size(); i++)
    napi_set_element(a.env(), array, static_cast<uint32_t>(i), bytes(a, contents[i]));
  return array;
}

napi_value image_requirements(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  const auto flags = static_cast<cl_mem_flags>(a.size(1));
  const cl_uint key = a.uint(2);
  const Platform& platform = *context.platform;
  const ImageArguments image = image_arguments(a.environment(), platform, a.name());
  return bytes(a, query("clGetImageRequirementsInfoEXT", [&](size_t size, void* value, size_t* needed) {
                 return platform.ext.clGetImageRequirementsInfoEXT.of(platform)(
                     context.as<cl_context>(), nullptr, flags, &image.format, &image.description, key, size, value,
                     needed);
               }));
}

}  // namespace anycl
