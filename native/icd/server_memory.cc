// SPDX-License-Identifier: MIT
//
// The server's part of this library. The server loads it as an addon of Node.js and maps pages of the staging memory over part of a
// WebAssembly memory, so that kernels see what the program writes (ts/icd/sharing.ts). None of this runs in the program itself,
// which does not have Node.js's functions.
#include <node_api.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#pragma weak napi_create_function
#pragma weak napi_get_cb_info
#pragma weak napi_get_typedarray_info
#pragma weak napi_get_value_int64
#pragma weak napi_set_named_property
#pragma weak napi_throw_error

namespace {

struct Bytes {
  void* data = nullptr;
  size_t size = 0;
};

bool read_bytes(napi_env env, napi_value value, Bytes& bytes) {
  napi_typedarray_type type;
  return napi_get_typedarray_info(env, value, &type, &bytes.size, &bytes.data, nullptr, nullptr) == napi_ok &&
         type == napi_uint8_array && bytes.size > 0;
}

napi_value refuse(napi_env env, const char* why) {
  napi_throw_error(env, nullptr, why);
  return nullptr;
}

/** share(bytes, file, offset) */
napi_value share(napi_env env, napi_callback_info info) {
  size_t count = 3;
  napi_value arguments[3];
  Bytes bytes;
  int64_t file = -1;
  int64_t offset = -1;
  if (napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr) != napi_ok || count != 3 ||
      !read_bytes(env, arguments[0], bytes) || napi_get_value_int64(env, arguments[1], &file) != napi_ok ||
      napi_get_value_int64(env, arguments[2], &offset) != napi_ok)
    return refuse(env, "share(bytes, file, offset)");
  void* at = mmap(bytes.data, bytes.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, static_cast<int>(file), offset);
  return at == MAP_FAILED ? refuse(env, std::strerror(errno)) : nullptr;
}

/** unshare(bytes) */
napi_value unshare(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument;
  Bytes bytes;
  if (napi_get_cb_info(env, info, &count, &argument, nullptr, nullptr) != napi_ok || count != 1 || !read_bytes(env, argument, bytes))
    return refuse(env, "unshare(bytes)");
  void* at = mmap(bytes.data, bytes.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return at == MAP_FAILED ? refuse(env, std::strerror(errno)) : nullptr;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  const struct {
    const char* name;
    napi_callback run;
  } functions[] = {{"share", share}, {"unshare", unshare}};
  for (const auto& [name, run] : functions) {
    napi_value made;
    if (napi_create_function(env, name, NAPI_AUTO_LENGTH, run, nullptr, &made) != napi_ok) return nullptr;
    napi_set_named_property(env, exports, name, made);
  }
  return exports;
}
