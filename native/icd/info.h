// SPDX-License-Identifier: MIT
//
// Answers of clGet…Info.
#pragma once
#include <cstring>
#include <vector>

#include "connection.h"

namespace icd {

/** The program's memory for an answer. */
struct Target {
  size_t size;
  void* value;
  size_t* size_ret;

  cl_int put(const void* from, size_t bytes) const {
    if (value != nullptr) {
      if (size < bytes) return CL_INVALID_VALUE;
      if (bytes > 0) std::memcpy(value, from, bytes);
    }
    if (size_ret != nullptr) *size_ret = bytes;
    return CL_SUCCESS;
  }
  template <typename T>
  cl_int put(const T& answer) const {
    return put(&answer, sizeof answer);
  }
  template <typename T>
  cl_int put(const std::vector<T>& answer) const {
    return put(answer.data(), answer.size() * sizeof(T));
  }

  /** Copies the server's answer. */
  cl_int ask(Connection& connection, Subject subject, uint32_t object, cl_uint param, uint32_t index = 0,
             Slice<uint64_t> input = {}) const {
    const Answer<Info> answer = connection.ask(Info{static_cast<uint32_t>(subject), object, param, index, input});
    if (answer.status != CL_SUCCESS) return answer.status;
    return put(answer.reply.value.data, answer.reply.value.size);
  }
};

}  // namespace icd
