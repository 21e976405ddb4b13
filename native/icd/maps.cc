// SPDX-License-Identifier: MIT
//
// Mapped memory: in the staging memory, or in the program's own (CL_MEM_USE_HOST_PTR).
#include <algorithm>
#include <cstring>

#include "transfers.h"

namespace icd {

namespace {

using Mapping = _cl_mem::Mapping;

constexpr cl_map_flags kWrites = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

cl_int check_map(cl_mem memory, cl_map_flags flags) {
  if ((flags & ~(CL_MAP_READ | kWrites)) != 0) return CL_INVALID_VALUE;
  if ((flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0 && (flags & (CL_MAP_READ | CL_MAP_WRITE)) != 0) return CL_INVALID_VALUE;
  if ((flags & CL_MAP_READ) != 0 && !may_read(memory)) return CL_INVALID_OPERATION;
  if ((flags & kWrites) != 0 && !may_write(memory)) return CL_INVALID_OPERATION;
  return CL_SUCCESS;
}

/** Sends a map command. If the object uses the program's memory, the contents are copied there. */
template <typename Request>
void* map(const Enqueue& enqueue, Request request, cl_command_type type, cl_mem memory, Mapping mapping,
          const HostBox& box, cl_int* errcode_ret) {
  Staging& staging = memory->connection->staging();
  const size_t bytes[3] = {mapping.bytes[0], mapping.bytes[1], mapping.bytes[2]};
  // The device accesses shared virtual memory and shared pages directly.
  const bool is_shared = memory->is_svm || memory->shared != nullptr;
  if (is_shared) request.flags = CL_MAP_WRITE_INVALIDATE_REGION;
  StagedBlock staged(staging, is_shared ? 0 : volume(bytes));
  if (!staged && !is_shared) return fail(CL_MAP_FAILURE, errcode_ret);
  mapping.staged = staged.offset();
  mapping.box = box;
  mapping.writes &= !is_shared;
  if (box.data != nullptr) mapping.pointer = box.data;
  else mapping.pointer = is_shared ? memory->shared + mapping.origin[0] : staged.data();
  request.staged = staged.offset();
  std::function<void(cl_int)> after;
  const bool loads = (request.flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0;
  if (box.data != nullptr && loads) {
    after = [mapping, data = staged.data()](cl_int status) {
      if (status == CL_COMPLETE) unpack(mapping.box, data, mapping.bytes);
    };
  }
  {
    std::lock_guard lock(memory->mutex);
    memory->mappings.push_back(mapping);
  }
  const bool is_done = is_shared && box.data == nullptr && enqueue.blocking && run_now(enqueue, type, [] {});
  const cl_int status = is_done ? CL_SUCCESS : enqueue.send(request, type, std::move(after));
  if (errcode_ret != nullptr) *errcode_ret = status;
  if (status == CL_SUCCESS) {
    staged.take();
    return mapping.pointer;
  }
  std::lock_guard lock(memory->mutex);
  auto& all = memory->mappings;
  all.erase(std::find_if(all.begin(), all.end(), [&](const Mapping& other) {
    return other.staged == mapping.staged && other.pointer == mapping.pointer;
  }));
  return nullptr;
}

/** Removes the mapping that begins at `pointer` from the object, and returns it. */
bool take_mapping(cl_mem memory, void* pointer, Mapping& mapping) {
  std::lock_guard lock(memory->mutex);
  auto& all = memory->mappings;
  const auto it = std::find_if(all.rbegin(), all.rend(), [&](const Mapping& other) { return other.pointer == pointer; });
  if (it == all.rend()) return false;
  mapping = *it;
  all.erase(std::next(it).base());
  return true;
}

}  // namespace

void* CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking_map, cl_map_flags map_flags,
                                     size_t offset, size_t size, cl_uint num_events, const cl_event* wait_list,
                                     cl_event* event, cl_int* errcode_ret) {
  cl_int wrong = check_buffer(queue, buffer);
  if (wrong == CL_SUCCESS && (size == 0 || !is_within(offset, size, buffer->size))) wrong = CL_INVALID_VALUE;
  if (wrong == CL_SUCCESS) wrong = check_map(buffer, map_flags);
  if (wrong != CL_SUCCESS) return fail(wrong, errcode_ret);
  EnqueueMapBuffer request;
  request.buffer = buffer->id;
  request.flags = map_flags;
  request.offset = offset;
  request.size = size;
  Mapping mapping{};
  mapping.writes = (map_flags & kWrites) != 0;
  mapping.origin[0] = offset;
  mapping.bytes[0] = size;
  mapping.bytes[1] = mapping.bytes[2] = 1;
  const HostBox box{buffer->host != nullptr ? buffer->host + offset : nullptr, size, size};
  return map(Enqueue{queue, num_events, wait_list, event, blocking_map != CL_FALSE}, request, CL_COMMAND_MAP_BUFFER,
             buffer, mapping, box, errcode_ret);
}

void* CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking_map, cl_map_flags map_flags,
                                    const size_t* origin, const size_t* region, size_t* image_row_pitch,
                                    size_t* image_slice_pitch, cl_uint num_events, const cl_event* wait_list,
                                    cl_event* event, cl_int* errcode_ret) {
  cl_int wrong = check_image(queue, image);
  if (wrong == CL_SUCCESS) wrong = check_image_region(image, origin, region);
  const bool is_array = wrong == CL_SUCCESS && image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const bool has_slices = wrong == CL_SUCCESS && (is_array || image->type == CL_MEM_OBJECT_IMAGE3D ||
                                                  image->type == CL_MEM_OBJECT_IMAGE2D_ARRAY);
  if (wrong == CL_SUCCESS && (image_row_pitch == nullptr || (has_slices && image_slice_pitch == nullptr))) wrong = CL_INVALID_VALUE;
  if (wrong == CL_SUCCESS) wrong = check_map(image, map_flags);
  if (wrong != CL_SUCCESS) return fail(wrong, errcode_ret);
  EnqueueMapImage request;
  request.image = image->id;
  request.flags = map_flags;
  request.origin = origin_of(image, origin);
  request.region = triple(region);
  Mapping mapping{};
  mapping.writes = (map_flags & kWrites) != 0;
  std::copy(origin, origin + origin_of(image, origin).size, mapping.origin);
  std::copy(region, region + 3, mapping.region);
  mapping.bytes[0] = region[0] * image->element;
  mapping.bytes[1] = region[1];
  mapping.bytes[2] = region[2];
  HostBox box{nullptr, mapping.bytes[0], mapping.bytes[0] * region[1]};
  if (image->host != nullptr) {
    char* data = image->host + origin[2] * image->slice_pitch + origin[1] * image->row_pitch + origin[0] * image->element;
    box = {data, image->row_pitch, image->slice_pitch};
  }
  void* pointer = map(Enqueue{queue, num_events, wait_list, event, blocking_map != CL_FALSE}, request,
                      CL_COMMAND_MAP_IMAGE, image, mapping, box, errcode_ret);
  if (pointer == nullptr) return nullptr;
  *image_row_pitch = is_array ? mapping.bytes[0] : box.row_pitch;
  if (image_slice_pitch != nullptr) *image_slice_pitch = has_slices ? (is_array ? box.row_pitch : box.slice_pitch) : 0;
  return pointer;
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memobj, void* mapped_ptr, cl_uint num_events,
                                           const cl_event* wait_list, cl_event* event) {
  if (!is(queue)) return CL_INVALID_COMMAND_QUEUE;
  if (!is(memobj)) return CL_INVALID_MEM_OBJECT;
  if (memobj->context.get() != queue->context.get()) return CL_INVALID_CONTEXT;
  Mapping mapping{};
  if (!take_mapping(memobj, mapped_ptr, mapping)) return CL_INVALID_VALUE;
  Staging& staging = memobj->connection->staging();
  if (mapping.box.data != nullptr && mapping.writes) pack(staging.at(mapping.staged), mapping.box, mapping.bytes);
  const Enqueue enqueue{queue, num_events, wait_list, event};
  if (mapping.staged == 0 && mapping.box.data == nullptr) {
    if (run_now(enqueue, CL_COMMAND_UNMAP_MEM_OBJECT, [] {})) return CL_SUCCESS;
  }
  const auto after = [&staging, staged = mapping.staged](cl_int) { staging.free(staged); };
  cl_int status;
  if (memobj->is_buffer()) {
    EnqueueUnmapBuffer request;
    request.buffer = memobj->id;
    request.offset = mapping.origin[0];
    request.size = mapping.bytes[0];
    request.staged = mapping.staged;
    request.write = mapping.writes ? 1 : 0;
    status = enqueue.send(request, CL_COMMAND_UNMAP_MEM_OBJECT, after);
  } else {
    EnqueueUnmapImage request;
    request.image = memobj->id;
    request.origin = origin_of(memobj, mapping.origin);
    request.region = triple(mapping.region);
    request.staged = mapping.staged;
    request.write = mapping.writes ? 1 : 0;
    status = enqueue.send(request, CL_COMMAND_UNMAP_MEM_OBJECT, after);
  }
  if (status == CL_SUCCESS) return status;
  std::lock_guard lock(memobj->mutex);
  memobj->mappings.push_back(mapping);
  return status;
}

}  // namespace icd
