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

/** The bytes that a query of OpenCL answers; its last three parameters are the room for them. */
template <typename Function, typename... Operands>
std::vector<uint8_t> answer(const char* name, Function function, Operands... operands) {
  return query(name, [&](size_t size, void* value, size_t* needed) { return function(operands..., size, value, needed); });
}

}  // namespace

#define ANYCL_QUERY(table, function, ...) answer(#function, platform.table.function.of(platform), __VA_ARGS__)
#define ANYCL_ANSWER(table, function, ...) bytes(a, ANYCL_QUERY(table, function, __VA_ARGS__))

napi_value info(Arguments& a) {
  const Slot& slot = a.any(0);
  const cl_uint key = a.uint(1);
  const Platform& platform = *slot.platform;
  switch (slot.kind) {
    case Kind::platform: return ANYCL_ANSWER(cl, clGetPlatformInfo, slot.as<cl_platform_id>(), key);
    case Kind::device:
      if (key == CL_DEVICE_SPIRV_EXTENSIONS || key == CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS)
        return bytes(a, pointed_to(ANYCL_QUERY(cl, clGetDeviceInfo, slot.as<cl_device_id>(), key)));
      return ANYCL_ANSWER(cl, clGetDeviceInfo, slot.as<cl_device_id>(), key);
    case Kind::context: return ANYCL_ANSWER(cl, clGetContextInfo, slot.as<cl_context>(), key);
    case Kind::queue: return ANYCL_ANSWER(cl, clGetCommandQueueInfo, slot.as<cl_command_queue>(), key);
    case Kind::memory: return ANYCL_ANSWER(cl, clGetMemObjectInfo, slot.as<cl_mem>(), key);
    case Kind::sampler: return ANYCL_ANSWER(cl, clGetSamplerInfo, slot.as<cl_sampler>(), key);
    case Kind::program:
      // The driver would write to the pointers in the caller's memory; `binaries` passes its own.
      if (key == CL_PROGRAM_BINARIES)
        fail(CL_INVALID_VALUE, "clGetProgramInfo", "binaries have no value of fixed size: ask for program.binaries");
      return ANYCL_ANSWER(cl, clGetProgramInfo, slot.as<cl_program>(), key);
    case Kind::kernel: return ANYCL_ANSWER(cl, clGetKernelInfo, slot.as<cl_kernel>(), key);
    case Kind::event: return ANYCL_ANSWER(cl, clGetEventInfo, slot.as<cl_event>(), key);
    case Kind::semaphore: return ANYCL_ANSWER(ext, clGetSemaphoreInfoKHR, slot.as<cl_semaphore_khr>(), key);
    case Kind::command_buffer:
      return ANYCL_ANSWER(ext, clGetCommandBufferInfoKHR, slot.as<cl_command_buffer_khr>(), key);
    case Kind::mutable_command:
      return ANYCL_ANSWER(ext, clGetMutableCommandInfoKHR, slot.as<cl_mutable_command_khr>(), key);
    default: fail(CL_INVALID_VALUE, a.name(), "there is no such query for this object");
  }
}

napi_value image_info(Arguments& a) {
  const Slot& image = a.handle(0, Kind::memory);
  const cl_uint key = a.uint(1);
  const Platform& platform = *image.platform;
  return ANYCL_ANSWER(cl, clGetImageInfo, image.as<cl_mem>(), key);
}

napi_value pipe_info(Arguments& a) {
  const Slot& pipe = a.handle(0, Kind::memory);
  const cl_uint key = a.uint(1);
  const Platform& platform = *pipe.platform;
  return ANYCL_ANSWER(cl, clGetPipeInfo, pipe.as<cl_mem>(), key);
}

napi_value profiling_info(Arguments& a) {
  const Slot& event = a.handle(0, Kind::event);
  const cl_uint key = a.uint(1);
  const Platform& platform = *event.platform;
  return ANYCL_ANSWER(cl, clGetEventProfilingInfo, event.as<cl_event>(), key);
}

napi_value gl_object_info(Arguments& a) {
  const Slot& slot = a.handle(0, Kind::memory);
  cl_uint pair[2] = {0, 0};
  check(slot.platform->ext.clGetGLObjectInfo.of(*slot.platform)(slot.as<cl_mem>(), &pair[0], &pair[1]),
        "clGetGLObjectInfo");
  return a.of_bytes(pair, sizeof pair);
}

napi_value gl_texture_info(Arguments& a) {
  const Slot& texture = a.handle(0, Kind::memory);
  const cl_uint key = a.uint(1);
  const Platform& platform = *texture.platform;
  return ANYCL_ANSWER(ext, clGetGLTextureInfo, texture.as<cl_mem>(), key);
}

napi_value build_info(Arguments& a) {
  const Slot& program = a.handle(0, Kind::program);
  const auto device = a.handle(1, Kind::device, *program.platform).as<cl_device_id>();
  const cl_uint key = a.uint(2);
  const Platform& platform = *program.platform;
  return ANYCL_ANSWER(cl, clGetProgramBuildInfo, program.as<cl_program>(), device, key);
}

napi_value arg_info(Arguments& a) {
  const Slot& kernel = a.handle(0, Kind::kernel);
  const cl_uint index = a.uint(1), key = a.uint(2);
  const Platform& platform = *kernel.platform;
  return ANYCL_ANSWER(cl, clGetKernelArgInfo, kernel.as<cl_kernel>(), index, key);
}

napi_value work_group_info(Arguments& a) {
  const Slot& kernel = a.handle(0, Kind::kernel);
  const auto device = a.handle(1, Kind::device, *kernel.platform).as<cl_device_id>();
  const cl_uint key = a.uint(2);
  const Platform& platform = *kernel.platform;
  return ANYCL_ANSWER(cl, clGetKernelWorkGroupInfo, kernel.as<cl_kernel>(), device, key);
}

napi_value sub_group_info(Arguments& a) {
  const Slot& kernel = a.handle(0, Kind::kernel);
  const auto device = a.handle(1, Kind::device, *kernel.platform).as<cl_device_id>();
  const cl_uint key = a.uint(2);
  const std::vector<size_t> input = a.sizes(3);
  const Platform& platform = *kernel.platform;
  const void* const data = input.empty() ? nullptr : input.data();
  const size_t size = input.size() * sizeof(size_t);
  // Drivers differ in whether they accept a size query for an array, so the caller gives the number.
  const bool core = platform.cl.clGetKernelSubGroupInfo.in(platform) || !platform.ext.clGetKernelSubGroupInfoKHR.pointer;
  const auto get = core ? platform.cl.clGetKernelSubGroupInfo.of(platform)
                        : platform.ext.clGetKernelSubGroupInfoKHR.of(platform);
  return bytes(a, answer("clGetKernelSubGroupInfo", get, kernel.as<cl_kernel>(), device, key, size, data));
}

napi_value svm_pointer_info(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  const cl_device_id device = a.has(1) ? a.handle(1, Kind::device, *context.platform).as<cl_device_id>() : nullptr;
  const Slot& svm = a.handle(2, Kind::svm, *context.platform);
  const cl_uint key = a.uint(3);
  const Platform& platform = *context.platform;
  return ANYCL_ANSWER(ext, clGetSVMPointerInfoKHR, context.as<cl_context>(), device, svm.object, key);
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
  std::vector<napi_value> all;
  all.reserve(contents.size());
  for (const auto& content : contents) all.push_back(bytes(a, content));
  return a.list(all);
}

napi_value image_requirements(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  const auto flags = static_cast<cl_mem_flags>(a.size(1));
  const cl_uint key = a.uint(2);
  const Platform& platform = *context.platform;
  const ImageArguments image = image_arguments(a.environment(), platform, a.name());
  return ANYCL_ANSWER(ext, clGetImageRequirementsInfoEXT, context.as<cl_context>(), nullptr, flags, &image.format,
                      &image.description, key);
}

}  // namespace anycl
