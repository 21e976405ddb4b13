// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "../cl/opencl.gen.h"

namespace anycl {

/** A failed call: becomes an OpenCLError at the boundary to JavaScript. */
struct Failure {
  cl_int code;
  const char* function;
  std::string detail;
};

/** A JavaScript exception is pending already, or the thread is terminated, so that nobody sees a result. */
struct PendingException {};

[[noreturn]] inline void fail(cl_int code, const char* function, std::string detail = {}) {
  throw Failure{code, function, std::move(detail)};
}

/** The same, out of line, so that building the text does not slow down successful calls. */
[[noreturn]] void refuse(cl_int code, const char* function, const char* detail);

inline void check(cl_int code, const char* function) {
  if (code != CL_SUCCESS) fail(code, function);
}

}  // namespace anycl
