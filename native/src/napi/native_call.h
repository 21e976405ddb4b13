// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "../async/completions.h"

namespace anycl {

/** A call of a driver's thread that waits for JavaScript. */
struct NativeCall {
  std::shared_ptr<Completions> completions;
  double id;
  std::vector<void*> memory;
  std::vector<size_t> sizes;

  /** On the driver's thread. */
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!done_) completions->push({id, CL_SUCCESS});
    condition_.wait(lock, [this] { return done_; });
  }
  void finish() {
    std::lock_guard<std::mutex> lock(mutex_);
    done_ = true;
    condition_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable condition_;
  bool done_ = false;
};

}  // namespace anycl
