// SPDX-License-Identifier: MIT
#pragma once
#include <node_api.h>

#include <vector>

#include "errors.h"

namespace anycl {

/**
 * The copies of the JavaScript package that use the addon in this thread: usually one. Each has a function that takes finished
 * tickets and messages. The references are weak: a copy that was garbage-collected waits for nothing.
 */
class PackageCopies {
 public:
  explicit PackageCopies(napi_env env) : env_(env) {}

  /** Adds a copy. Errors are thrown as instances of the newest copy's class. */
  void add(napi_value dispatch, napi_value error_class);
  /** Calls each copy. */
  void dispatch(napi_value argument);
  void throw_failure(const Failure& failure);

 private:
  napi_env env_;
  std::vector<napi_ref> dispatchers_;
  napi_ref error_class_ = nullptr;
};

}  // namespace anycl
