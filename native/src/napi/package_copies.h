// SPDX-License-Identifier: MIT
#pragma once
#include <node_api.h>

#include <vector>

#include "errors.h"

namespace anycl {

/**
 * The copies of the JavaScript package that use the addon in this thread: usually one. Each has a function that takes finished
 * tickets and messages. The references are weak, so that a copy can be garbage-collected, except while the process is kept alive
 * for a ticket: what waits for it may be reachable through the function only. Bun's cache of modules does not keep the addon alive.
 */
class PackageCopies {
 public:
  explicit PackageCopies(napi_env env) : env_(env) {}

  /** Adds a copy. Errors are thrown as instances of the newest copy's class. */
  void add(napi_value dispatch, napi_value error_class);
  /** Calls each copy. */
  void dispatch(napi_value argument);
  /** Makes the references strong; `release` undoes one call. */
  void hold();
  void release();
  void throw_failure(const Failure& failure);

 private:
  napi_env env_;
  std::vector<napi_ref> dispatchers_;
  unsigned held_ = 0;
  napi_ref error_class_ = nullptr;
};

}  // namespace anycl
