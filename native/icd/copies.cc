// SPDX-License-Identifier: MIT
//
// Copies and fills: commands that use no memory of the program. A queue runs them, or a command buffer records them. Each is written
// once, for a `Sink`: Enqueue or Record.
#include "command_buffer.h"
#include "transfers.h"

namespace icd {

namespace {

/** The buffer that owns the memory, and the offset in it. */
cl_mem root_of(cl_mem buffer) { return buffer->parent ? buffer->parent.get() : buffer; }

bool is_one_memory(cl_mem a, cl_mem b) { return root_of(a) == root_of(b); }

/**
 * Whether two boxes of one memory share a byte. With equal pitches they do if the distance between their starts is a sum of columns,
 * rows and slices, each smaller than the region's extent. A row contains the region's columns, and a slice its rows, so only the two
 * nearest numbers of slices and of rows need to be tried.
 */
bool overlap(const Rect& a, size_t a_base, const Rect& b, size_t b_base, const size_t region[3]) {
  const size_t a_start = a_base + a.offset();
  const size_t b_start = b_base + b.offset();
  if (a_base + a.end(region) <= b_start || b_base + b.end(region) <= a_start) return false;
  if (a.row_pitch != b.row_pitch || a.slice_pitch != b.slice_pitch) return true;
  const size_t distance = a_start > b_start ? a_start - b_start : b_start - a_start;
  const auto rows_meet = [&](size_t rest) {
    const size_t rows = rest / a.row_pitch;
    const size_t columns = rest % a.row_pitch;
    return (rows < region[1] && columns < region[0]) ||
           (rows + 1 < region[1] && a.row_pitch - columns < region[0]);
  };
  const size_t slices = distance / a.slice_pitch;
  const size_t rest = distance % a.slice_pitch;
  return (slices < region[2] && rows_meet(rest)) ||
         (slices + 1 < region[2] && rows_meet(a.slice_pitch - rest));
}

template <typename Request, typename Sink>
cl_int copy_buffer(const Sink& sink, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size) {
  if (const cl_int wrong = sink.check(); wrong != CL_SUCCESS) return wrong;
  for (cl_mem buffer : {from, to})
    if (const cl_int wrong = check_buffer(sink.context(), buffer); wrong != CL_SUCCESS) return wrong;
  if (size == 0 || !is_within(from_offset, size, from->size) || !is_within(to_offset, size, to->size)) return CL_INVALID_VALUE;
  if (is_one_memory(from, to)) {
    const size_t start = from->origin + from_offset;
    const size_t target = to->origin + to_offset;
    if (start < target + size && target < start + size) return CL_MEM_COPY_OVERLAP;
  }
  Request request;
  request.from = from->id;
  request.to = to->id;
  request.fromOffset = from_offset;
  request.toOffset = to_offset;
  request.size = size;
  return sink.send(request, CL_COMMAND_COPY_BUFFER);
}

template <typename Request, typename Sink>
cl_int copy_buffer_rect(const Sink& sink, cl_mem from_buffer, cl_mem to_buffer, Rect from, Rect to, const size_t* region) {
  if (const cl_int wrong = sink.check(); wrong != CL_SUCCESS) return wrong;
  for (cl_mem buffer : {from_buffer, to_buffer})
    if (const cl_int wrong = check_buffer(sink.context(), buffer); wrong != CL_SUCCESS) return wrong;
  const cl_int wrong = check_rect(from_buffer, region, from, to, from_buffer);
  if (wrong != CL_SUCCESS) return wrong;
  if (to.end(region) > to_buffer->size) return CL_INVALID_VALUE;
  if (from_buffer == to_buffer && (from.row_pitch != to.row_pitch || from.slice_pitch != to.slice_pitch)) return CL_INVALID_VALUE;
  if (is_one_memory(from_buffer, to_buffer) && overlap(from, from_buffer->origin, to, to_buffer->origin, region))
    return CL_MEM_COPY_OVERLAP;
  Request request;
  request.from = from_buffer->id;
  request.to = to_buffer->id;
  request.fromOrigin = triple(from.origin);
  request.toOrigin = triple(to.origin);
  request.region = triple(region);
  request.fromRowPitch = from.row_pitch;
  request.fromSlicePitch = from.slice_pitch;
  request.toRowPitch = to.row_pitch;
  request.toSlicePitch = to.slice_pitch;
  return sink.send(request, CL_COMMAND_COPY_BUFFER_RECT);
}

template <typename Request, typename Sink>
cl_int fill_buffer(const Sink& sink, cl_mem buffer, const void* pattern, size_t pattern_size, size_t offset, size_t size) {
  if (const cl_int wrong = sink.check(); wrong != CL_SUCCESS) return wrong;
  const cl_int wrong = check_buffer(sink.context(), buffer);
  if (wrong != CL_SUCCESS) return wrong;
  if (!is_pattern(pattern, pattern_size) || offset % pattern_size != 0 || size % pattern_size != 0 ||
      !is_within(offset, size, buffer->size))
    return CL_INVALID_VALUE;
  Request request;
  request.buffer = buffer->id;
  request.offset = offset;
  request.size = size;
  request.pattern = Slice<uint8_t>(static_cast<const uint8_t*>(pattern), pattern_size);
  return sink.send(request, CL_COMMAND_FILL_BUFFER);
}

template <typename Request, typename Sink>
cl_int copy_image(const Sink& sink, cl_mem from, cl_mem to, const size_t* from_origin, const size_t* to_origin,
                  const size_t* region) {
  if (const cl_int wrong = sink.check(); wrong != CL_SUCCESS) return wrong;
  for (cl_mem image : {from, to})
    if (const cl_int wrong = check_image(sink.context(), image); wrong != CL_SUCCESS) return wrong;
  if (from->format.image_channel_order != to->format.image_channel_order ||
      from->format.image_channel_data_type != to->format.image_channel_data_type)
    return CL_IMAGE_FORMAT_MISMATCH;
  cl_int wrong = check_image_region(from, from_origin, region);
  if (wrong == CL_SUCCESS) wrong = check_image_region(to, to_origin, region);
  if (wrong != CL_SUCCESS) return wrong;
  if (from == to) {
    bool apart = level_of(from, from_origin) != level_of(to, to_origin);
    for (int i = 0; i < from->coordinates; i++)
      apart |= from_origin[i] + region[i] <= to_origin[i] || to_origin[i] + region[i] <= from_origin[i];
    if (!apart) return CL_MEM_COPY_OVERLAP;
  }
  Request request;
  request.from = from->id;
  request.to = to->id;
  request.fromOrigin = origin_of(from, from_origin);
  request.toOrigin = origin_of(to, to_origin);
  request.region = triple(region);
  return sink.send(request, CL_COMMAND_COPY_IMAGE);
}

template <typename Request, typename Sink>
cl_int fill_image(const Sink& sink, cl_mem image, const void* color, const size_t* origin, const size_t* region) {
  cl_int wrong = sink.check();
  if (wrong == CL_SUCCESS) wrong = check_image(sink.context(), image);
  if (wrong == CL_SUCCESS && color == nullptr) wrong = CL_INVALID_VALUE;
  if (wrong == CL_SUCCESS) wrong = check_image_region(image, origin, region);
  if (wrong != CL_SUCCESS) return wrong;
  Request request;
  request.image = image->id;
  request.origin = origin_of(image, origin);
  request.region = triple(region);
  const size_t channels = image->format.image_channel_order == CL_DEPTH ? 1 : 4;
  request.color = Slice<uint8_t>(static_cast<const uint8_t*>(color), channels * 4);
  return sink.send(request, CL_COMMAND_FILL_IMAGE);
}

template <typename Request, typename Sink>
cl_int copy_image_to_buffer(const Sink& sink, cl_mem from, cl_mem to, const size_t* origin, const size_t* region, size_t to_offset) {
  cl_int wrong = sink.check();
  if (wrong == CL_SUCCESS) wrong = check_image(sink.context(), from);
  if (wrong == CL_SUCCESS) wrong = check_buffer(sink.context(), to);
  if (wrong == CL_SUCCESS) wrong = check_image_region(from, origin, region);
  if (wrong != CL_SUCCESS) return wrong;
  if (!is_within(to_offset, volume(region) * from->element, to->size)) return CL_INVALID_VALUE;
  Request request;
  request.from = from->id;
  request.to = to->id;
  request.origin = origin_of(from, origin);
  request.region = triple(region);
  request.toOffset = to_offset;
  return sink.send(request, CL_COMMAND_COPY_IMAGE_TO_BUFFER);
}

template <typename Request, typename Sink>
cl_int copy_buffer_to_image(const Sink& sink, cl_mem from, cl_mem to, size_t from_offset, const size_t* origin, const size_t* region) {
  cl_int wrong = sink.check();
  if (wrong == CL_SUCCESS) wrong = check_buffer(sink.context(), from);
  if (wrong == CL_SUCCESS) wrong = check_image(sink.context(), to);
  if (wrong == CL_SUCCESS) wrong = check_image_region(to, origin, region);
  if (wrong != CL_SUCCESS) return wrong;
  if (!is_within(from_offset, volume(region) * to->element, from->size)) return CL_INVALID_VALUE;
  Request request;
  request.from = from->id;
  request.to = to->id;
  request.fromOffset = from_offset;
  request.origin = origin_of(to, origin);
  request.region = triple(region);
  return sink.send(request, CL_COMMAND_COPY_BUFFER_TO_IMAGE);
}

}  // namespace

cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset,
                                       size_t dst_offset, size_t size, cl_uint num_events, const cl_event* wait_list,
                                       cl_event* event) {
  return copy_buffer<EnqueueCopyBuffer>(Enqueue{queue, num_events, wait_list, event}, src_buffer, dst_buffer, src_offset,
                                        dst_offset, size);
}

cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem src_buffer, cl_mem dst_buffer,
                                           const size_t* src_origin, const size_t* dst_origin, const size_t* region,
                                           size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                                           size_t dst_slice_pitch, cl_uint num_events, const cl_event* wait_list,
                                           cl_event* event) {
  return copy_buffer_rect<EnqueueCopyBufferRect>(Enqueue{queue, num_events, wait_list, event}, src_buffer, dst_buffer,
                                                 {src_origin, src_row_pitch, src_slice_pitch},
                                                 {dst_origin, dst_row_pitch, dst_slice_pitch}, region);
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void* pattern, size_t pattern_size,
                                       size_t offset, size_t size, cl_uint num_events, const cl_event* wait_list,
                                       cl_event* event) {
  return fill_buffer<EnqueueFillBuffer>(Enqueue{queue, num_events, wait_list, event}, buffer, pattern, pattern_size, offset, size);
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem src_image, cl_mem dst_image,
                                      const size_t* src_origin, const size_t* dst_origin, const size_t* region,
                                      cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  return copy_image<EnqueueCopyImage>(Enqueue{queue, num_events, wait_list, event}, src_image, dst_image, src_origin,
                                      dst_origin, region);
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void* fill_color,
                                      const size_t* origin, const size_t* region, cl_uint num_events,
                                      const cl_event* wait_list, cl_event* event) {
  return fill_image<EnqueueFillImage>(Enqueue{queue, num_events, wait_list, event}, image, fill_color, origin, region);
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem src_image, cl_mem dst_buffer,
                                              const size_t* src_origin, const size_t* region, size_t dst_offset,
                                              cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  return copy_image_to_buffer<EnqueueCopyImageToBuffer>(Enqueue{queue, num_events, wait_list, event}, src_image,
                                                        dst_buffer, src_origin, region, dst_offset);
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem src_buffer, cl_mem dst_image,
                                              size_t src_offset, const size_t* dst_origin, const size_t* region,
                                              cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  return copy_buffer_to_image<EnqueueCopyBufferToImage>(Enqueue{queue, num_events, wait_list, event}, src_buffer,
                                                        dst_image, src_offset, dst_origin, region);
}

cl_int CL_API_CALL clCommandCopyBufferKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                          const cl_command_properties_khr* properties, cl_mem src_buffer,
                                          cl_mem dst_buffer, size_t src_offset, size_t dst_offset, size_t size,
                                          cl_uint num_points, const cl_sync_point_khr* points,
                                          cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle) {
  return copy_buffer<RecordCopyBuffer>(Record{command_buffer, queue, properties, num_points, points, sync_point, mutable_handle},
      src_buffer, dst_buffer, src_offset, dst_offset, size);
}

cl_int CL_API_CALL clCommandCopyBufferRectKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                              const cl_command_properties_khr* properties, cl_mem src_buffer,
                                              cl_mem dst_buffer, const size_t* src_origin, const size_t* dst_origin,
                                              const size_t* region, size_t src_row_pitch, size_t src_slice_pitch,
                                              size_t dst_row_pitch, size_t dst_slice_pitch, cl_uint num_points,
                                              const cl_sync_point_khr* points, cl_sync_point_khr* sync_point,
                                              cl_mutable_command_khr* mutable_handle) {
  return copy_buffer_rect<RecordCopyBufferRect>(Record{command_buffer, queue, properties, num_points, points, sync_point, mutable_handle},
      src_buffer, dst_buffer,
                                                {src_origin, src_row_pitch, src_slice_pitch},
                                                {dst_origin, dst_row_pitch, dst_slice_pitch}, region);
}

cl_int CL_API_CALL clCommandFillBufferKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                          const cl_command_properties_khr* properties, cl_mem buffer,
                                          const void* pattern, size_t pattern_size, size_t offset, size_t size,
                                          cl_uint num_points, const cl_sync_point_khr* points,
                                          cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle) {
  return fill_buffer<RecordFillBuffer>(Record{command_buffer, queue, properties, num_points, points, sync_point, mutable_handle},
      buffer, pattern, pattern_size, offset, size);
}

cl_int CL_API_CALL clCommandCopyImageKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                         const cl_command_properties_khr* properties, cl_mem src_image,
                                         cl_mem dst_image, const size_t* src_origin, const size_t* dst_origin,
                                         const size_t* region, cl_uint num_points, const cl_sync_point_khr* points,
                                         cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle) {
  return copy_image<RecordCopyImage>(Record{command_buffer, queue, properties, num_points, points, sync_point, mutable_handle},
      src_image, dst_image, src_origin, dst_origin, region);
}

cl_int CL_API_CALL clCommandFillImageKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                         const cl_command_properties_khr* properties, cl_mem image,
                                         const void* fill_color, const size_t* origin, const size_t* region,
                                         cl_uint num_points, const cl_sync_point_khr* points,
                                         cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle) {
  return fill_image<RecordFillImage>(Record{command_buffer, queue, properties, num_points, points, sync_point, mutable_handle},
      image, fill_color, origin, region);
}

cl_int CL_API_CALL clCommandCopyImageToBufferKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                                 const cl_command_properties_khr* properties, cl_mem src_image,
                                                 cl_mem dst_buffer, const size_t* src_origin, const size_t* region,
                                                 size_t dst_offset, cl_uint num_points,
                                                 const cl_sync_point_khr* points, cl_sync_point_khr* sync_point,
                                                 cl_mutable_command_khr* mutable_handle) {
  return copy_image_to_buffer<RecordCopyImageToBuffer>(Record{command_buffer, queue, properties, num_points, points, sync_point, mutable_handle},
      src_image, dst_buffer, src_origin, region, dst_offset);
}

cl_int CL_API_CALL clCommandCopyBufferToImageKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                                 const cl_command_properties_khr* properties, cl_mem src_buffer,
                                                 cl_mem dst_image, size_t src_offset, const size_t* dst_origin,
                                                 const size_t* region, cl_uint num_points,
                                                 const cl_sync_point_khr* points, cl_sync_point_khr* sync_point,
                                                 cl_mutable_command_khr* mutable_handle) {
  return copy_buffer_to_image<RecordCopyBufferToImage>(Record{command_buffer, queue, properties, num_points, points, sync_point, mutable_handle},
      src_buffer, dst_image, src_offset, dst_origin, region);
}

}  // namespace icd
