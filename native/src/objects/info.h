// SPDX-License-Identifier: MIT
//
// Every clGet…Info: the bytes of the answer.
#pragma once
#include <string>
#include <vector>

#include "../napi/arguments.h"

namespace anycl {

/** info(object, key), for every kind of object. */
napi_value info(Arguments& a);
napi_value image_info(Arguments& a);
napi_value pipe_info(Arguments& a);
/** buildInfo(program, device, key) */
napi_value build_info(Arguments& a);
/** argInfo(kernel, index, key) */
napi_value arg_info(Arguments& a);
/** workGroupInfo(kernel, device, key) */
napi_value work_group_info(Arguments& a);
/** subGroupInfo(kernel, device, key, numbers) */
napi_value sub_group_info(Arguments& a);
napi_value profiling_info(Arguments& a);
/** svmPointerInfo(context, device, svm, key) */
napi_value svm_pointer_info(Arguments& a);
napi_value gl_object_info(Arguments& a);
napi_value gl_texture_info(Arguments& a);
/** binaries(program): one per device, empty if there is none. */
napi_value binaries(Arguments& a);
/** imageRequirements(context, flags, words, key) */
napi_value image_requirements(Arguments& a);

/** Allocates the size that a driver returned, unless it is implausible. */
template <typename T>
std::vector<T> room_for(size_t count, const char* function) {
  constexpr size_t limit = size_t{1} << 30;
  if (count > limit / sizeof(T))
    fail(CL_OUT_OF_HOST_MEMORY, function, "the driver claims an answer of " + std::to_string(count) + " elements");
  return std::vector<T>(count);
}

/**
 * Queries the size, then the value. `get(size, value, size_ret)` is a clGet…Info with its first arguments
 * bound.
 */
template <typename Get>
std::vector<uint8_t> query(const char* function, Get get) {
  size_t size = 0;
  check(get(0, nullptr, &size), function);
  auto bytes = room_for<uint8_t>(size, function);
  if (size > 0) check(get(size, bytes.data(), nullptr), function);
  return bytes;
}

}  // namespace anycl
