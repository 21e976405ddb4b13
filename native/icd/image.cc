// SPDX-License-Identifier: MIT
//
// Images and samplers.
#include "image.h"

#include <cstring>
#include <initializer_list>
#include <set>

#include "info.h"
#include "memory.h"

namespace icd {

namespace {

bool is_one_of(cl_uint value, std::initializer_list<cl_uint> values) {
  for (cl_uint other : values)
    if (value == other) return true;
  return false;
}

size_t channels_of(cl_channel_order order) {
  switch (order) {
    case CL_R:
    case CL_A:
    case CL_Rx:
    case CL_INTENSITY:
    case CL_LUMINANCE:
    case CL_DEPTH:
      return 1;
    case CL_RG:
    case CL_RA:
    case CL_RGx:
    case CL_DEPTH_STENCIL:
      return 2;
    case CL_RGB:
    case CL_RGBx:
    case CL_sRGB:
      return 3;
    case CL_RGBA:
    case CL_BGRA:
    case CL_ARGB:
    case CL_ABGR:
    case CL_sRGBx:
    case CL_sRGBA:
    case CL_sBGRA:
      return 4;
    default:
      return 0;
  }
}

size_t bytes_of(cl_channel_type type) {
  switch (type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
      return 1;
    case CL_SNORM_INT16:
    case CL_UNORM_INT16:
    case CL_SIGNED_INT16:
    case CL_UNSIGNED_INT16:
    case CL_HALF_FLOAT:
      return 2;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
      return 4;
    default:
      return 0;
  }
}

/** Bytes of a pixel; 0 for an invalid format (table of image formats). */
size_t element_size(const cl_image_format& format) {
  const cl_channel_order order = format.image_channel_order;
  const cl_channel_type type = format.image_channel_data_type;
  const size_t channels = channels_of(order);
  if (channels == 0) return 0;
  if (is_one_of(type, {CL_UNORM_SHORT_565, CL_UNORM_SHORT_555})) return is_one_of(order, {CL_RGB, CL_RGBx}) ? 2 : 0;
  if (type == CL_UNORM_INT_101010) return is_one_of(order, {CL_RGB, CL_RGBx}) ? 4 : 0;
  if (type == CL_UNORM_INT_101010_2) return order == CL_RGBA ? 4 : 0;
  if (type == CL_UNORM_INT24) return is_one_of(order, {CL_DEPTH, CL_DEPTH_STENCIL}) ? 4 : 0;
  const size_t bytes = bytes_of(type);
  if (bytes == 0) return 0;
  const bool normalized = is_one_of(type, {CL_SNORM_INT8, CL_UNORM_INT8, CL_SNORM_INT16, CL_UNORM_INT16, CL_HALF_FLOAT, CL_FLOAT});
  if (is_one_of(order, {CL_INTENSITY, CL_LUMINANCE}) && !normalized) return 0;
  if (is_one_of(order, {CL_RGB, CL_RGBx})) return 0;
  if (is_one_of(order, {CL_ARGB, CL_BGRA, CL_ABGR}) && bytes != 1) return 0;
  if (is_one_of(order, {CL_sRGB, CL_sRGBx, CL_sRGBA, CL_sBGRA}) && type != CL_UNORM_INT8) return 0;
  if (order == CL_DEPTH && !is_one_of(type, {CL_UNORM_INT16, CL_FLOAT})) return 0;
  return channels * bytes;
}

/** How many dimensions an image has, array layers included, in the order of origins and regions. */
struct Shape {
  size_t extent[3];
  int coordinates;
  /** Coordinates that are not array layers; 0 if the type is not an image. */
  int axes;

  bool is_valid() const { return axes != 0; }
};

Shape shape_of(const cl_image_desc& desc) {
  switch (desc.image_type) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      return {{desc.image_width, 1, 1}, 1, 1};
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      return {{desc.image_width, desc.image_array_size, 1}, 2, 1};
    case CL_MEM_OBJECT_IMAGE2D:
      return {{desc.image_width, desc.image_height, 1}, 2, 2};
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      return {{desc.image_width, desc.image_height, desc.image_array_size}, 3, 2};
    case CL_MEM_OBJECT_IMAGE3D:
      return {{desc.image_width, desc.image_height, desc.image_depth}, 3, 3};
    default:
      return {{0, 0, 0}, 0, 0};
  }
}

bool is_sliced(cl_mem_object_type type) {
  return is_one_of(type, {CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE1D_ARRAY});
}

/** Fills in the pitches of the host's memory, if there is any. False if they are invalid. */
bool resolve_pitches(const cl_image_desc& desc, const size_t extent[3], size_t element, bool has_host, size_t& row, size_t& slice) {
  if (!has_host && desc.mem_object == nullptr && (desc.image_row_pitch != 0 || desc.image_slice_pitch != 0)) return false;
  const size_t least_row = extent[0] * element;
  row = desc.image_row_pitch != 0 ? desc.image_row_pitch : least_row;
  if (row < least_row || row % element != 0) return false;
  const size_t rows = desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : extent[1];
  const size_t least_slice = row * rows;
  slice = is_sliced(desc.image_type) && desc.image_slice_pitch != 0 ? desc.image_slice_pitch : least_slice;
  if (slice < least_slice || slice % row != 0) return false;
  // Origins and regions count the layers of one-dimensional arrays as rows.
  if (desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY) row = slice;
  return true;
}

cl_mem create_image(cl_context context, const cl_mem_properties* properties, cl_mem_flags flags,
                    const cl_image_format* format, const cl_image_desc* desc, void* host_ptr, cl_int* errcode_ret) {
  if (!is(context)) return fail(CL_INVALID_CONTEXT, errcode_ret);
  std::vector<cl_mem_properties> list;
  const cl_int wrong = read_mem_properties(properties, list);
  if (wrong != CL_SUCCESS) return fail(wrong, errcode_ret);
  // All of them are properties of buffers.
  if (list.size() > 1) return fail(CL_INVALID_PROPERTY, errcode_ret);
  if (!are_consistent(flags)) return fail(CL_INVALID_VALUE, errcode_ret);
  const size_t element = format == nullptr ? 0 : element_size(*format);
  if (element == 0) return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, errcode_ret);
  if (desc == nullptr) return fail(CL_INVALID_IMAGE_DESCRIPTOR, errcode_ret);
  const Shape shape = shape_of(*desc);
  const bool has_levels = desc->num_mip_levels > 1;
  if (!shape.is_valid() || desc->num_samples != 0 || (has_levels && desc->mem_object != nullptr))
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, errcode_ret);
  cl_mem parent = desc->mem_object;
  const bool is_over_buffer = desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  if (is_over_buffer && parent == nullptr) return fail(CL_INVALID_IMAGE_DESCRIPTOR, errcode_ret);
  if (parent != nullptr) {
    if (!is_over_buffer && desc->image_type != CL_MEM_OBJECT_IMAGE2D) return fail(CL_INVALID_IMAGE_DESCRIPTOR, errcode_ret);
    if (!is(parent) || parent->type == CL_MEM_OBJECT_PIPE || (is_over_buffer && !parent->is_buffer()))
      return fail(CL_INVALID_IMAGE_DESCRIPTOR, errcode_ret);
    if (widens_access(flags, parent->flags) || (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0)
      return fail(CL_INVALID_VALUE, errcode_ret);
  }
  for (size_t n : shape.extent)
    if (n == 0) return fail(CL_INVALID_IMAGE_SIZE, errcode_ret);
  size_t row = 0;
  size_t slice = 0;
  if (!resolve_pitches(*desc, shape.extent, element, host_ptr != nullptr, row, slice))
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, errcode_ret);
  // A mipmap's levels are written by later commands.
  if (!fits_host_pointer(flags, host_ptr) || (has_levels && host_ptr != nullptr)) return fail(CL_INVALID_HOST_PTR, errcode_ret);

  Connection* connection = context->connection;
  cl_mem image = make<_cl_mem>(connection);
  image->context = Use(context);
  if (parent != nullptr) image->parent = Use(parent);
  image->type = desc->image_type;
  image->flags = parent != nullptr ? inherit(flags, parent->flags) : (flags == 0 ? CL_MEM_READ_WRITE : flags);
  image->properties = std::move(list);
  image->format = *format;
  image->element = element;
  std::memcpy(image->extent, shape.extent, sizeof shape.extent);
  image->coordinates = shape.coordinates;
  image->axes = shape.axes;
  if (has_levels) image->mip_levels = desc->num_mip_levels;
  image->row_pitch = row;
  image->slice_pitch = slice;
  if ((flags & CL_MEM_USE_HOST_PTR) != 0) image->host = static_cast<char*>(host_ptr);

  CreateImage request;
  request.id = image->id;
  request.context = context->id;
  request.flags = server_flags(image->flags);
  request.order = format->image_channel_order;
  request.type = format->image_channel_data_type;
  request.objectType = desc->image_type;
  request.width = desc->image_width;
  request.height = desc->image_height;
  request.depth = desc->image_depth;
  request.arraySize = desc->image_array_size;
  request.mipLevels = desc->num_mip_levels;
  if (parent != nullptr) {
    request.rowPitch = desc->image_row_pitch;
    request.parent = parent->id;
  }
  const cl_int status = connection->ask(request).status;
  if (status != CL_SUCCESS || host_ptr == nullptr) return finish(image, status, errcode_ret);
  const size_t size = shape.extent[0] * shape.extent[1] * shape.extent[2] * element;
  const StagedBlock staged(connection->staging(), size);
  if (!staged) {
    drop(image);
    return fail(CL_OUT_OF_HOST_MEMORY, errcode_ret);
  }
  const size_t bytes[3] = {shape.extent[0] * element, shape.extent[1], shape.extent[2]};
  pack(staged.data(), {static_cast<char*>(host_ptr), row, slice}, bytes);
  const cl_int filled = connection->ask(FillMemory{image->id, staged.offset(), size}).status;
  if (filled == CL_SUCCESS) return finish(image, CL_SUCCESS, errcode_ret);
  drop(image);
  return fail(filled, errcode_ret);
}

}  // namespace

void pack(char* packed, const HostBox& box, const size_t bytes[3]) {
  if (box.row_pitch == bytes[0] && box.slice_pitch == bytes[0] * bytes[1]) {
    std::memcpy(packed, box.data, bytes[0] * bytes[1] * bytes[2]);
    return;
  }
  for (size_t z = 0; z < bytes[2]; z++)
    for (size_t y = 0; y < bytes[1]; y++, packed += bytes[0])
      std::memcpy(packed, box.data + z * box.slice_pitch + y * box.row_pitch, bytes[0]);
}

void unpack(const HostBox& box, const char* packed, const size_t bytes[3]) {
  if (box.row_pitch == bytes[0] && box.slice_pitch == bytes[0] * bytes[1]) {
    std::memcpy(box.data, packed, bytes[0] * bytes[1] * bytes[2]);
    return;
  }
  for (size_t z = 0; z < bytes[2]; z++)
    for (size_t y = 0; y < bytes[1]; y++, packed += bytes[0])
      std::memcpy(box.data + z * box.slice_pitch + y * box.row_pitch, packed, bytes[0]);
}

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format* image_format,
                                 const cl_image_desc* image_desc, void* host_ptr, cl_int* errcode_ret) {
  return create_image(context, nullptr, flags, image_format, image_desc, host_ptr, errcode_ret);
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context, const cl_mem_properties* properties,
                                               cl_mem_flags flags, const cl_image_format* image_format,
                                               const cl_image_desc* image_desc, void* host_ptr, cl_int* errcode_ret) {
  return create_image(context, properties, flags, image_format, image_desc, host_ptr, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format* image_format,
                                   size_t image_width, size_t image_height, size_t image_row_pitch, void* host_ptr,
                                   cl_int* errcode_ret) {
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = image_width;
  desc.image_height = image_height;
  desc.image_row_pitch = image_row_pitch;
  return create_image(context, nullptr, flags, image_format, &desc, host_ptr, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format* image_format,
                                   size_t image_width, size_t image_height, size_t image_depth, size_t image_row_pitch,
                                   size_t image_slice_pitch, void* host_ptr, cl_int* errcode_ret) {
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE3D;
  desc.image_width = image_width;
  desc.image_height = image_height;
  desc.image_depth = image_depth;
  desc.image_row_pitch = image_row_pitch;
  desc.image_slice_pitch = image_slice_pitch;
  return create_image(context, nullptr, flags, image_format, &desc, host_ptr, errcode_ret);
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type image_type,
                                              cl_uint num_entries, cl_image_format* image_formats,
                                              cl_uint* num_image_formats) {
  if (!is(context)) return CL_INVALID_CONTEXT;
  cl_image_desc desc{};
  desc.image_type = image_type;
  if (!are_consistent(flags) || !shape_of(desc).is_valid() || (num_entries == 0 && image_formats != nullptr))
    return CL_INVALID_VALUE;
  const Answer<ImageFormats> answer = context->connection->ask(ImageFormats{context->id, flags, image_type});
  if (answer.status != CL_SUCCESS) return answer.status;
  const size_t count = answer.reply.formats.size / sizeof(cl_image_format);
  if (num_image_formats != nullptr) *num_image_formats = static_cast<cl_uint>(count);
  const size_t given = count < num_entries ? count : num_entries;
  if (image_formats != nullptr && given > 0)
    std::memcpy(image_formats, answer.reply.formats.data, given * sizeof(cl_image_format));
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size, void* param_value,
                                  size_t* param_value_size_ret) {
  if (!is(image) || !image->is_image()) return CL_INVALID_MEM_OBJECT;
  const Target target{param_value_size, param_value, param_value_size_ret};
  const bool is_array = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  switch (param_name) {
    case CL_IMAGE_BUFFER:
      return target.put(image->parent && image->parent->is_buffer() ? image->parent.get() : nullptr);
    // The server does not know them.
    case CL_IMAGE_ROW_PITCH:
      return target.put(is_array ? image->extent[0] * image->element : image->row_pitch);
    case CL_IMAGE_SLICE_PITCH:
      return target.put(is_sliced(image->type) ? image->slice_pitch : size_t{0});
    default:
      return target.ask(*image->connection, Subject::kImage, image->id, param_name);
  }
}

namespace {

cl_sampler create_sampler(cl_context context, const std::vector<uint64_t>& properties, cl_int* errcode_ret) {
  Connection* connection = context->connection;
  cl_sampler sampler = make<_cl_sampler>(connection);
  sampler->context = Use(context);
  return finish(sampler, connection->ask(CreateSampler{sampler->id, context->id, properties}).status, errcode_ret);
}

bool is_sampler_value(cl_sampler_properties key, cl_sampler_properties value) {
  switch (key) {
    case CL_SAMPLER_NORMALIZED_COORDS:
      return value == CL_TRUE || value == CL_FALSE;
    case CL_SAMPLER_ADDRESSING_MODE:
      return value >= CL_ADDRESS_NONE && value <= CL_ADDRESS_MIRRORED_REPEAT;
    case CL_SAMPLER_FILTER_MODE:
    case CL_SAMPLER_MIP_FILTER_MODE:
      return value == CL_FILTER_NEAREST || value == CL_FILTER_LINEAR;
    case CL_SAMPLER_LOD_MIN_KHR:
    case CL_SAMPLER_LOD_MAX_KHR:
      return true;
    default:
      return false;
  }
}

}  // namespace

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized_coords,
                                       cl_addressing_mode addressing_mode, cl_filter_mode filter_mode,
                                       cl_int* errcode_ret) {
  const cl_sampler_properties properties[] = {
      CL_SAMPLER_NORMALIZED_COORDS, normalized_coords, CL_SAMPLER_ADDRESSING_MODE, addressing_mode,
      CL_SAMPLER_FILTER_MODE,       filter_mode,       0};
  cl_sampler sampler = clCreateSamplerWithProperties(context, properties, errcode_ret);
  // Only images that were created with properties report them.
  if (sampler != nullptr) sampler->properties.clear();
  return sampler;
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                     const cl_sampler_properties* sampler_properties,
                                                     cl_int* errcode_ret) {
  if (!is(context)) return fail(CL_INVALID_CONTEXT, errcode_ret);
  std::vector<uint64_t> list;
  std::set<cl_sampler_properties> seen;
  for (const cl_sampler_properties* at = sampler_properties; at != nullptr && *at != 0; at += 2) {
    if (!is_sampler_value(at[0], at[1]) || !seen.insert(at[0]).second) return fail(CL_INVALID_VALUE, errcode_ret);
    list.insert(list.end(), {at[0], at[1]});
  }
  cl_sampler sampler = create_sampler(context, list, errcode_ret);
  if (sampler == nullptr || sampler_properties == nullptr) return sampler;
  sampler->properties.assign(list.begin(), list.end());
  sampler->properties.push_back(0);
  return sampler;
}

cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) { return retain(sampler, CL_INVALID_SAMPLER); }
cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) { return release(sampler, CL_INVALID_SAMPLER); }

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t param_value_size,
                                    void* param_value, size_t* param_value_size_ret) {
  if (!is(sampler)) return CL_INVALID_SAMPLER;
  const Target target{param_value_size, param_value, param_value_size_ret};
  switch (param_name) {
    case CL_SAMPLER_REFERENCE_COUNT:
      return target.put(cl_uint{sampler->references});
    case CL_SAMPLER_CONTEXT:
      return target.put(sampler->context.get());
    case CL_SAMPLER_PROPERTIES:
      return target.put(sampler->properties);
    default:
      return target.ask(*sampler->connection, Subject::kSampler, sampler->id, param_name);
  }
}

}  // namespace icd
