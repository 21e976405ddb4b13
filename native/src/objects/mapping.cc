// SPDX-License-Identifier: MIT
#include "mapping.h"

#include <cstring>

#include "../events/wait_list.h"
#include "lifetime.h"

namespace anycl {

napi_value external_bytes(napi_env env, void* data, size_t size) {
#if defined(ANYCL_NO_EXTERNAL_BUFFERS)
  (void)env, (void)data, (void)size;
  return nullptr;
#else
  napi_value buffer = nullptr, view = nullptr;
  const auto nothing = [](napi_env, void*, void*) {};
  if (size == 0 || napi_create_external_arraybuffer(env, data, size, nothing, nullptr, &buffer) != napi_ok) return nullptr;
  return napi_create_typedarray(env, napi_uint8_array, size, buffer, 0, &view) == napi_ok ? view : nullptr;
#endif
}

namespace {

std::vector<cl_event> waits(Arguments& a, const Platform& platform, size_t count, const double* word) {
  std::vector<cl_event> events;
  if (count > Scratch::words / 2) fail(CL_INVALID_EVENT_WAIT_LIST, a.name());
  for (size_t i = 0; i < count; i++)
    events.push_back(a.environment().handles.get(word[i], Kind::event, a.name(), platform).as<cl_event>());
  return events;
}

napi_value mapped(Arguments& a, Platform* platform, cl_mem memory, cl_event event, void* pointer, size_t size,
                  size_t row_pitch, size_t slice_pitch) {
  HandleTable& handles = a.environment().handles;
  const double event_handle = handles.add(Kind::event, event, platform);
  const double mapping = handles.add(Kind::mapping, pointer, platform, size,
                                     std::make_unique<MappingAttachment>(*platform, memory));
  return a.list({a.of(event_handle), a.of(mapping), external_bytes(a.env(), pointer, size),
                 a.of(static_cast<double>(size)), a.of(static_cast<double>(row_pitch)),
                 a.of(static_cast<double>(slice_pitch))});
}

}  // namespace

napi_value map_buffer(Arguments& a) {
  const Slot& queue = a.handle(0, Kind::queue);
  Platform* platform = queue.platform;
  const auto memory = a.handle(1, Kind::memory, *platform).as<cl_mem>();
  const auto flags = static_cast<cl_map_flags>(a.size(2));
  const size_t offset = a.size(3), size = a.size(4);
  auto events = waits(a, *platform, a.size(5), a.environment().scratch.word);
  WaitList waited_for(a.environment(), *platform, queue.as<cl_command_queue>());
  waited_for.prepare(events.data(), events.size());
  cl_event event = nullptr;
  cl_int code = CL_SUCCESS;
  void* pointer = platform->cl.clEnqueueMapBuffer.pointer(queue.as<cl_command_queue>(), memory, 0, flags, offset, size,
                                                          static_cast<cl_uint>(events.size()),
                                                          events.empty() ? nullptr : events.data(), &event, &code);
  check(code, "clEnqueueMapBuffer");
  waited_for.made(event);
  return mapped(a, platform, memory, event, pointer, size, 0, 0);
}

napi_value map_image(Arguments& a) {
  const Slot& queue = a.handle(0, Kind::queue);
  Platform* platform = queue.platform;
  const Slot& image = a.handle(1, Kind::memory, *platform);
  const auto memory = image.as<cl_mem>();
  const size_t element = image.size;
  const auto flags = static_cast<cl_map_flags>(a.size(2));
  const size_t count = a.size(3);
  const double* word = a.environment().scratch.word;
  auto events = waits(a, *platform, count, word);
  size_t box[7];
  for (size_t i = 0; i < 7; i++) {
    const double value = word[count + i];
    if (!(value >= 0 && value <= 9007199254740991.0)) fail(CL_INVALID_VALUE, "clEnqueueMapImage", "a size must be a whole number");
    box[i] = static_cast<size_t>(value);
  }
  const size_t* origin = box;
  const size_t* region = box + 4;
  size_t row_pitch = 0, slice_pitch = 0;
  WaitList waited_for(a.environment(), *platform, queue.as<cl_command_queue>());
  waited_for.prepare(events.data(), events.size());
  cl_event event = nullptr;
  cl_int code = CL_SUCCESS;
  void* pointer = platform->cl.clEnqueueMapImage.pointer(
      queue.as<cl_command_queue>(), memory, 0, flags, origin, region, &row_pitch, &slice_pitch,
      static_cast<cl_uint>(events.size()), events.empty() ? nullptr : events.data(), &event, &code);
  check(code, "clEnqueueMapImage");
  waited_for.made(event);
  const size_t rows = region[1] > 0 ? region[1] : 1;
  const size_t slices = region[2] > 0 ? region[2] : 1;
  // The rows of a one-dimensional array are a slice pitch apart.
  cl_mem_object_type type = 0;
  platform->cl.clGetMemObjectInfo.pointer(memory, CL_MEM_TYPE, sizeof type, &type, nullptr);
  const size_t step = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice_pitch : row_pitch;
  const size_t size = (slices - 1) * slice_pitch + (rows - 1) * step + region[0] * element;
  return mapped(a, platform, memory, event, pointer, size, row_pitch, slice_pitch);
}

napi_value mapping_copy(Arguments& a) {
  const Slot& mapping = a.handle(0, Kind::mapping);
  const Bytes host = a.bytes(1);
  const size_t size = host.size < mapping.size ? host.size : mapping.size;
  const bool to_mapping = a.flag(2);
  if (size > 0)
    std::memcpy(to_mapping ? mapping.object : host.data, to_mapping ? host.data : mapping.object, size);
  return a.nothing();
}

napi_value detach(Arguments& a) {
  napi_value buffer = nullptr;
  napi_typedarray_type type;
  size_t length, offset;
  void* data;
  if (napi_get_typedarray_info(a.env(), a.value(0), &type, &length, &data, &buffer, &offset) == napi_ok)
    napi_detach_arraybuffer(a.env(), buffer);
  return a.nothing();
}

}  // namespace anycl
