// SPDX-License-Identifier: MIT
//
// Buffers, sub-buffers, pipes and samplers. Images are in image.h, mappings in mapping.h.
#pragma once
#include <memory>

#include "../napi/arguments.h"

namespace anycl {

/** createBuffer(context, flags, size, host or undefined, properties) */
napi_value create_buffer(Arguments& a);
/** createSubBuffer(buffer, flags, origin, size) */
napi_value create_sub_buffer(Arguments& a);
/** createPipe(context, flags, packet size, packets) */
napi_value create_pipe(Arguments& a);
/** createSampler(context, properties) */
napi_value create_sampler(Arguments& a);
/** onMemoryDestroyed(memory): the ticket */
napi_value on_memory_destroyed(Arguments& a);
/** createFromGlBuffer(context, flags, name), and the same for other objects of GL */
napi_value create_from_gl_buffer(Arguments& a);
napi_value create_from_gl_texture(Arguments& a);
napi_value create_from_gl_renderbuffer(Arguments& a);
/** createFromEglImage(context, display, image, flags): addresses as bigints */
napi_value create_from_egl_image(Arguments& a);

/** Host memory that a memory object uses stays alive until that object is destroyed. */
void keep_host_memory(Environment& environment, cl_mem memory, Platform* platform, napi_value host);

/**
 * Reports to V8 the memory that a JavaScript object owns through its handle, while the handle exists. Otherwise the garbage
 * collector would see some hundred bytes instead of a driver's megabytes. Small objects are not reported.
 */
std::unique_ptr<Attachment> external_memory(napi_env env, size_t bytes);

}  // namespace anycl
