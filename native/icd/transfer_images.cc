// SPDX-License-Identifier: MIT
//
// Reads, writes, copies and fills of images.
#include <algorithm>

#include "transfers.h"

namespace icd {

cl_int check_image(cl_command_queue queue, cl_mem image) {
  if (!is(queue)) return CL_INVALID_COMMAND_QUEUE;
  if (!is(image) || !image->is_image()) return CL_INVALID_MEM_OBJECT;
  return image->context.get() == queue->context.get() ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

cl_int check_image_region(cl_mem image, const size_t* origin, const size_t* region) {
  if (origin == nullptr || !is_region(region)) return CL_INVALID_VALUE;
  const size_t level = level_of(image, origin);
  if (level >= image->mip_levels) return CL_INVALID_MIP_LEVEL;
  for (int i = 0; i < 3; i++) {
    // The first number after the coordinates of a mipmap's pixel is the level.
    const bool is_coordinate = i < image->coordinates || image->mip_levels == 1;
    const size_t extent = i < image->axes ? std::max<size_t>(image->extent[i] >> level, 1) : image->extent[i];
    if (!is_within(is_coordinate ? origin[i] : 0, region[i], extent)) return CL_INVALID_VALUE;
  }
  return CL_SUCCESS;
}

namespace {

/** The program's rows for a region of the image. False if its pitches are too small. */
bool host_box(cl_mem image, const size_t* region, size_t row_pitch, size_t slice_pitch, void* ptr, HostBox& box) {
  const bool is_array = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const size_t least_row = region[0] * image->element;
  const size_t row = row_pitch != 0 ? row_pitch : least_row;
  if (row < least_row) return false;
  const size_t least_slice = is_array ? row : row * region[1];
  const size_t slice = slice_pitch != 0 ? slice_pitch : least_slice;
  const bool has_slices = is_array || image->type == CL_MEM_OBJECT_IMAGE3D || image->type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  if (!has_slices && slice_pitch != 0) return false;
  if (slice < least_slice) return false;
  // The layers of one-dimensional arrays count as rows.
  box = is_array ? HostBox{static_cast<char*>(ptr), slice, slice * region[1]} : HostBox{static_cast<char*>(ptr), row, slice};
  return true;
}

template <typename Request>
Request image_request(cl_mem image, const size_t* origin, const size_t* region) {
  Request request;
  request.image = image->id;
  request.origin = origin_of(image, origin);
  request.region = triple(region);
  return request;
}

}  // namespace

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking_read, const size_t* origin,
                                      const size_t* region, size_t row_pitch, size_t slice_pitch, void* ptr,
                                      cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  cl_int wrong = check_image(queue, image);
  if (wrong == CL_SUCCESS) wrong = check_image_region(image, origin, region);
  if (wrong != CL_SUCCESS) return wrong;
  HostBox box{};
  if (ptr == nullptr || !host_box(image, region, row_pitch, slice_pitch, ptr, box)) return CL_INVALID_VALUE;
  if (!may_read(image)) return CL_INVALID_OPERATION;
  const size_t bytes[3] = {region[0] * image->element, region[1], region[2]};
  return send_read(Enqueue{queue, num_events, wait_list, event, blocking_read != CL_FALSE},
                   image_request<EnqueueReadImage>(image, origin, region), CL_COMMAND_READ_IMAGE, box, bytes);
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking_write,
                                       const size_t* origin, const size_t* region, size_t input_row_pitch,
                                       size_t input_slice_pitch, const void* ptr, cl_uint num_events,
                                       const cl_event* wait_list, cl_event* event) {
  cl_int wrong = check_image(queue, image);
  if (wrong == CL_SUCCESS) wrong = check_image_region(image, origin, region);
  if (wrong != CL_SUCCESS) return wrong;
  HostBox box{};
  if (ptr == nullptr || !host_box(image, region, input_row_pitch, input_slice_pitch, const_cast<void*>(ptr), box))
    return CL_INVALID_VALUE;
  if (!may_write(image)) return CL_INVALID_OPERATION;
  const size_t bytes[3] = {region[0] * image->element, region[1], region[2]};
  return send_write(Enqueue{queue, num_events, wait_list, event, blocking_write != CL_FALSE},
                    image_request<EnqueueWriteImage>(image, origin, region), CL_COMMAND_WRITE_IMAGE, box, bytes);
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem src_image, cl_mem dst_image,
                                      const size_t* src_origin, const size_t* dst_origin, const size_t* region,
                                      cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  for (cl_mem image : {src_image, dst_image})
    if (const cl_int wrong = check_image(queue, image); wrong != CL_SUCCESS) return wrong;
  if (src_image->format.image_channel_order != dst_image->format.image_channel_order ||
      src_image->format.image_channel_data_type != dst_image->format.image_channel_data_type)
    return CL_IMAGE_FORMAT_MISMATCH;
  cl_int wrong = check_image_region(src_image, src_origin, region);
  if (wrong == CL_SUCCESS) wrong = check_image_region(dst_image, dst_origin, region);
  if (wrong != CL_SUCCESS) return wrong;
  if (src_image == dst_image) {
    bool apart = level_of(src_image, src_origin) != level_of(dst_image, dst_origin);
    for (int i = 0; i < src_image->coordinates; i++)
      apart |= src_origin[i] + region[i] <= dst_origin[i] || dst_origin[i] + region[i] <= src_origin[i];
    if (!apart) return CL_MEM_COPY_OVERLAP;
  }
  EnqueueCopyImage request;
  request.from = src_image->id;
  request.to = dst_image->id;
  request.fromOrigin = origin_of(src_image, src_origin);
  request.toOrigin = origin_of(dst_image, dst_origin);
  request.region = triple(region);
  return Enqueue{queue, num_events, wait_list, event}.send(request, CL_COMMAND_COPY_IMAGE);
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void* fill_color,
                                      const size_t* origin, const size_t* region, cl_uint num_events,
                                      const cl_event* wait_list, cl_event* event) {
  cl_int wrong = check_image(queue, image);
  if (wrong == CL_SUCCESS && fill_color == nullptr) wrong = CL_INVALID_VALUE;
  if (wrong == CL_SUCCESS) wrong = check_image_region(image, origin, region);
  if (wrong != CL_SUCCESS) return wrong;
  auto request = image_request<EnqueueFillImage>(image, origin, region);
  const size_t channels = image->format.image_channel_order == CL_DEPTH ? 1 : 4;
  request.color = Slice<uint8_t>(static_cast<const uint8_t*>(fill_color), channels * 4);
  return Enqueue{queue, num_events, wait_list, event}.send(request, CL_COMMAND_FILL_IMAGE);
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem src_image, cl_mem dst_buffer,
                                              const size_t* src_origin, const size_t* region, size_t dst_offset,
                                              cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  cl_int wrong = check_image(queue, src_image);
  if (wrong == CL_SUCCESS) wrong = check_buffer(queue, dst_buffer);
  if (wrong == CL_SUCCESS) wrong = check_image_region(src_image, src_origin, region);
  if (wrong != CL_SUCCESS) return wrong;
  if (!is_within(dst_offset, volume(region) * src_image->element, dst_buffer->size)) return CL_INVALID_VALUE;
  EnqueueCopyImageToBuffer request;
  request.from = src_image->id;
  request.to = dst_buffer->id;
  request.origin = origin_of(src_image, src_origin);
  request.region = triple(region);
  request.toOffset = dst_offset;
  return Enqueue{queue, num_events, wait_list, event}.send(request, CL_COMMAND_COPY_IMAGE_TO_BUFFER);
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem src_buffer, cl_mem dst_image,
                                              size_t src_offset, const size_t* dst_origin, const size_t* region,
                                              cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  cl_int wrong = check_buffer(queue, src_buffer);
  if (wrong == CL_SUCCESS) wrong = check_image(queue, dst_image);
  if (wrong == CL_SUCCESS) wrong = check_image_region(dst_image, dst_origin, region);
  if (wrong != CL_SUCCESS) return wrong;
  if (!is_within(src_offset, volume(region) * dst_image->element, src_buffer->size)) return CL_INVALID_VALUE;
  EnqueueCopyBufferToImage request;
  request.from = src_buffer->id;
  request.to = dst_image->id;
  request.fromOffset = src_offset;
  request.origin = origin_of(dst_image, dst_origin);
  request.region = triple(region);
  return Enqueue{queue, num_events, wait_list, event}.send(request, CL_COMMAND_COPY_BUFFER_TO_IMAGE);
}

}  // namespace icd
