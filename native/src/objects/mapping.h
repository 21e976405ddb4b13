// SPDX-License-Identifier: MIT
#pragma once
#include "../napi/arguments.h"

namespace anycl {

/**
 * A Uint8Array over memory that is not JavaScript's, or null if the engine forbids that (as Electron does) or anycl
 * is built with ANYCL_NO_EXTERNAL_BUFFERS.
 */
napi_value external_bytes(napi_env env, void* data, size_t size);

/** mapBuffer(queue, memory, flags, offset, size, waits): event, mapping, its bytes or undefined. Waits in the words. */
napi_value map_buffer(Arguments& a);
/** mapImage(queue, image, flags, waits): likewise, then row and slice pitch; after the waits origin and region. */
napi_value map_image(Arguments& a);
/** mappingCopy(mapping, view, to the mapping): for mappings without an array over them */
napi_value mapping_copy(Arguments& a);
/** detach(array): detaches an array over foreign memory. */
napi_value detach(Arguments& a);

}  // namespace anycl
