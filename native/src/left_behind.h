// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <mutex>
#include <vector>

namespace anycl {

/**
 * Keeps what others may still use when its owner goes, such as a driver's threads, until the process ends. It stays
 * reachable, so that no tool takes it for lost.
 */
template <typename T>
void leave_behind(std::unique_ptr<T> object) {
  static std::mutex mutex;
  static auto* const all = new std::vector<std::unique_ptr<T>>;
  if (!object) return;
  const std::lock_guard<std::mutex> lock(mutex);
  all->push_back(std::move(object));
}

}  // namespace anycl
