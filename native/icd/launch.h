// SPDX-License-Identifier: MIT
//
// The ND-range of a launch, as a program gives it.
#pragma once
#include "commands.h"

namespace icd {

class Range {
 public:
  Range(cl_uint dimensions, const size_t* offset, const size_t* global, const size_t* local)
      : dimensions_(dimensions),
        offset_(sizes(offset)),
        // Missing sizes mean sizes of 0: nothing runs.
        global_(global == nullptr && is_valid() ? std::vector<uint64_t>(dimensions) : sizes(global)),
        local_(sizes(local)) {}

  /** The error code for a launch of the kernel in the context, or CL_SUCCESS. */
  cl_int check(cl_context context, cl_kernel kernel) const {
    if (!is(kernel)) return CL_INVALID_KERNEL;
    if (kernel->program->context.get() != context) return CL_INVALID_CONTEXT;
    return is_valid() ? CL_SUCCESS : CL_INVALID_WORK_DIMENSION;
  }

  /** Sets the fields of a request, which point to it. */
  template <typename Request>
  void describe(cl_kernel kernel, Request& request) const {
    request.kernel = kernel->id;
    request.offset = offset_;
    request.global = global_;
    request.local = local_;
  }

 private:
  bool is_valid() const { return dimensions_ >= 1 && dimensions_ <= 3; }
  std::vector<uint64_t> sizes(const size_t* from) const {
    return from == nullptr || !is_valid() ? std::vector<uint64_t>() : std::vector<uint64_t>(from, from + dimensions_);
  }

  cl_uint dimensions_;
  std::vector<uint64_t> offset_;
  std::vector<uint64_t> global_;
  std::vector<uint64_t> local_;
};

}  // namespace icd
