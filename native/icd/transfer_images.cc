// SPDX-License-Identifier: MIT
//
// Reads and writes of images.
#include <algorithm>

#include "transfers.h"

namespace icd {

cl_int check_image(cl_context context, cl_mem image) {
  if (!is(image) || !image->is_image()) return CL_INVALID_MEM_OBJECT;
  return image->context.get() == context ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

cl_int check_image(cl_command_queue queue, cl_mem image) {
  return is(queue) ? check_image(queue->context.get(), image) : CL_INVALID_COMMAND_QUEUE;
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

}  // namespace icd
