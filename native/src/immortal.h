// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <mutex>
#include <vector>

namespace anycl {

/**
 * Keeps an object until the process ends, for others, such as a driver's threads, that may still use it after its owner is
 * gone. It stays reachable, so that leak checkers do not report it.
 */
template <typename T>
void make_immortal(std::unique_ptr<T> object) {
  static std::mutex mutex;
  static auto* const all = new std::vector<std::unique_ptr<T>>;
  if (!object) return;
  const std::lock_guard<std::mutex> lock(mutex);
  all->push_back(std::move(object));
}

}  // namespace anycl
