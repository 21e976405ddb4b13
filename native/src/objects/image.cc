// SPDX-License-Identifier: MIT
#include "image.h"

#include "info.h"
#include "memory.h"

namespace anycl {

ImageArguments image_arguments(Environment& environment, const Platform& platform, const char* function) {
  const double* word = environment.scratch.word;
  const auto size = [&](size_t i) {
    if (!(word[i] >= 0 && word[i] <= 9007199254740991.0)) fail(CL_INVALID_IMAGE_SIZE, function);
    return static_cast<size_t>(word[i]);
  };
  const auto uint = [&](size_t i) { return static_cast<cl_uint>(size(i)); };
  ImageArguments out = {};
  out.format = {uint(0), uint(1)};
  cl_image_desc& d = out.description;
  d.image_type = uint(2);
  d.image_width = size(3);
  d.image_height = size(4);
  d.image_depth = size(5);
  d.image_array_size = size(6);
  d.image_row_pitch = size(7);
  d.image_slice_pitch = size(8);
  d.num_mip_levels = uint(9);
  d.num_samples = uint(10);
  d.mem_object = word[11] == 0 ? nullptr : environment.handles.get(word[11], Kind::memory, function, platform).as<cl_mem>();
  return out;
}

namespace {

/** Whether the host memory covers what the driver will read. The caller has checked the shape, and the driver checks it again. */
bool covers(const Bytes& host, const cl_image_desc& d, size_t element) {
  const double width = static_cast<double>(d.image_width) * static_cast<double>(element);
  const double row = d.image_row_pitch ? static_cast<double>(d.image_row_pitch) : width;
  const double rows = d.image_height ? static_cast<double>(d.image_height) : 1;
  const double slice = d.image_slice_pitch ? static_cast<double>(d.image_slice_pitch) : row * rows;
  const double slices =
      static_cast<double>(d.image_depth ? d.image_depth : 1) * static_cast<double>(d.image_array_size ? d.image_array_size : 1);
  return static_cast<double>(host.size) >= (slices - 1) * slice + (rows - 1) * row + width;
}

/** Only memory that belongs neither to the host nor to a buffer or another image. */
bool owns_memory(cl_mem_flags flags, const cl_image_desc& d) { return !(flags & CL_MEM_USE_HOST_PTR) && !d.mem_object; }

size_t pixels(const cl_image_desc& d) {
  const auto at_least_one = [](size_t n) { return n ? n : 1; };
  return d.image_width * at_least_one(d.image_height) * at_least_one(d.image_depth) * at_least_one(d.image_array_size);
}

size_t element_size(const Platform& platform, cl_mem image) {
  size_t bytes = 0;
  platform.cl.clGetImageInfo.pointer(image, CL_IMAGE_ELEMENT_SIZE, sizeof bytes, &bytes, nullptr);
  return bytes;
}

}  // namespace

napi_value create_image(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  Platform* platform = context.platform;
  const auto object = context.as<cl_context>();
  const auto flags = static_cast<cl_mem_flags>(a.size(1));
  const ImageArguments image = image_arguments(a.environment(), *platform, "clCreateImage");
  const cl_image_desc& d = image.description;
  Bytes host;
  if (a.has(2)) {
    host = a.bytes(2);
    // The element size is not known here; the least possible one, a byte, still detects gross errors.
    if (!covers(host, d, 1)) fail(CL_INVALID_HOST_PTR, "clCreateImage", "the host memory is smaller than the image");
  }
  const std::vector<cl_ulong> properties = a.properties(3);
  const Library& cl = platform->cl;
  cl_int code = CL_SUCCESS;
  cl_mem memory;
  const char* function = "clCreateImage";
  if (properties.size() > 1) {
    function = "clCreateImageWithProperties";
    memory = cl.clCreateImageWithProperties.of(*platform)(object, properties.data(), flags, &image.format, &d, host.data,
                                                          &code);
  } else if (cl.clCreateImage.in(*platform)) {
    memory = cl.clCreateImage.pointer(object, flags, &image.format, &d, host.data, &code);
  } else if (d.image_type == CL_MEM_OBJECT_IMAGE3D) {
    function = "clCreateImage3D";
    memory = cl.clCreateImage3D.of(*platform)(object, flags, &image.format, d.image_width, d.image_height, d.image_depth,
                                              d.image_row_pitch, d.image_slice_pitch, host.data, &code);
  } else if (d.image_type == CL_MEM_OBJECT_IMAGE2D) {
    function = "clCreateImage2D";
    memory = cl.clCreateImage2D.of(*platform)(object, flags, &image.format, d.image_width, d.image_height,
                                              d.image_row_pitch, host.data, &code);
  } else {
    cl.clCreateImage.of(*platform);
    return nullptr;
  }
  check(code, function);
  if (flags & CL_MEM_USE_HOST_PTR) keep_host_memory(a.environment(), memory, platform, host.value);
  const size_t element = element_size(*platform, memory);
  auto external = external_memory(a.env(), owns_memory(flags, d) ? pixels(d) * element : 0);
  return a.of(a.environment().handles.add(Kind::memory, memory, platform, element, std::move(external)));
}

napi_value supported_image_formats(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  const auto flags = static_cast<cl_mem_flags>(a.size(1));
  const auto type = static_cast<cl_mem_object_type>(a.uint(2));
  const auto get = context.platform->cl.clGetSupportedImageFormats.of(*context.platform);
  cl_uint count = 0;
  check(get(context.as<cl_context>(), flags, type, 0, nullptr, &count), "clGetSupportedImageFormats");
  auto formats = room_for<cl_image_format>(count, "clGetSupportedImageFormats");
  if (count > 0)
    check(get(context.as<cl_context>(), flags, type, count, formats.data(), nullptr), "clGetSupportedImageFormats");
  std::vector<double> out;
  for (const cl_image_format& format : formats) {
    out.push_back(format.image_channel_order);
    out.push_back(format.image_channel_data_type);
  }
  return a.of(out);
}

}  // namespace anycl
