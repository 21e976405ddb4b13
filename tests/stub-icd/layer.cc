// SPDX-License-Identifier: MIT
//
// A layer between the ICD loader and the drivers (OPENCL_LAYERS); with CRASHES, a driver that ends the process while it is loaded; with
// WAITS, one that waits for ever for its remote device, as PoCL's client does where a server is silent. The layer counts the buffers that are made and says so when the process ends.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

#include "../../native/src/cl/opencl.gen.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

#if defined(CRASHES)
__attribute__((constructor)) static void crash() { std::abort(); }
#elif defined(WAITS)
__attribute__((constructor)) static void wait() {
  const char* devices = std::getenv("POCL_DEVICES");
  if (devices && std::strstr(devices, "remote"))
    for (;;) pause();
}
#else

namespace {

/** The place of clCreateBuffer in the table of functions that loaders and drivers share (cl_icd.h). */
constexpr size_t create_buffer_at = 14;

using CreateBuffer = cl_mem(CL_API_CALL*)(cl_context, cl_mem_flags, size_t, void*, cl_int*);

CreateBuffer next;
int made;
void* table[256];

cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* code) {
  made++;
  return next(context, flags, size, host, code);
}

}  // namespace

EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_uint key, size_t size, void* value, size_t* needed) {
  // CL_LAYER_API_VERSION, and CL_LAYER_API_VERSION_100
  constexpr cl_uint version = 100;
  if (key != 0x4240) return CL_INVALID_VALUE;
  if (value && size >= sizeof version) std::memcpy(value, &version, sizeof version);
  if (needed) *needed = sizeof version;
  return CL_SUCCESS;
}

EXPORT cl_int CL_API_CALL clInitLayer(cl_uint entries, void** target, cl_uint* count, void*** layer) {
  const size_t known = entries < 256 ? entries : 256;
  std::memcpy(table, target, known * sizeof *table);
  std::memcpy(&next, &table[create_buffer_at], sizeof next);
  table[create_buffer_at] = reinterpret_cast<void*>(create_buffer);
  *count = static_cast<cl_uint>(known);
  *layer = table;
  std::atexit([] { std::fprintf(stderr, "the layer saw %d buffers\n", made); });
  return CL_SUCCESS;
}

#endif
