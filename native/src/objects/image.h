// SPDX-License-Identifier: MIT
#pragma once
#include "../napi/arguments.h"

namespace anycl {

struct ImageArguments {
  cl_image_format format;
  cl_image_desc description;
};

/**
 * From the scratch words: channel order and type, then object type, width, height, depth, array size, row and slice
 * pitch, mip levels, samples, and the parent's handle or 0.
 */
ImageArguments image_arguments(Environment& environment, const Platform& platform, const char* function);

/** createImage(context, flags, host or undefined, properties); the rest in the scratch words */
napi_value create_image(Arguments& a);
/** supportedImageFormats(context, flags, type): order and type of each, one after the other */
napi_value supported_image_formats(Arguments& a);

}  // namespace anycl
