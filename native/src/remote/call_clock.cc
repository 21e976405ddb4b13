// SPDX-License-Identifier: MIT
#include "call_clock.h"

#include <algorithm>
#include <mutex>

namespace anycl {
namespace {

/** Threads that observe go on until the process ends, so this is never destroyed. */
struct Clocks {
  std::mutex mutex;
  std::vector<std::weak_ptr<std::atomic<uint64_t>>> counts;
  std::string last_cut;
};

Clocks& clocks() {
  static auto* const all = new Clocks;
  return *all;
}

/** A place in `counts` and a count, in one number: counts of one place differ in their lower bits. */
constexpr unsigned place_bits = 10;

}  // namespace

std::atomic<uint32_t>& CallClock::cuts() {
  static std::atomic<uint32_t> count{0};
  return count;
}

CallClock::CallClock() {
  const std::lock_guard<std::mutex> lock(clocks().mutex);
  auto& counts = clocks().counts;
  const auto free = std::find_if(counts.begin(), counts.end(), [](const auto& count) { return count.expired(); });
  if (free == counts.end())
    counts.push_back(count_);
  else
    *free = count_;
}

void CallClock::announce_cut(const std::string& reason) {
  {
    const std::lock_guard<std::mutex> lock(clocks().mutex);
    clocks().last_cut = reason;
  }
  cuts()++;
}

std::string CallClock::Running::cut() const {
  if (cuts().load(std::memory_order_relaxed) == cuts_) return {};
  const std::lock_guard<std::mutex> lock(clocks().mutex);
  return clocks().last_cut;
}

bool CallObserver::look() {
  std::vector<uint64_t> running;
  {
    const std::lock_guard<std::mutex> lock(clocks().mutex);
    const auto& counts = clocks().counts;
    for (size_t place = 0; place < counts.size(); place++) {
      const auto count = counts[place].lock();
      const uint64_t value = count ? count->load(std::memory_order_relaxed) : 0;
      if (value % 2 == 1) running.push_back((value << place_bits) + place);
    }
  }
  const bool lasts = std::any_of(running.begin(), running.end(), [this](uint64_t call) {
    return std::find(running_.begin(), running_.end(), call) != running_.end();
  });
  running_ = std::move(running);
  return lasts;
}

}  // namespace anycl
