// SPDX-License-Identifier: MIT
#include "status_watch.h"

#include <algorithm>

#include "../events/event_info.h"

namespace anycl {
namespace {

constexpr std::chrono::microseconds shortest_pause{20};
constexpr std::chrono::microseconds longest_pause{1000};
constexpr int part_of_age = 16;

}  // namespace

void StatusWatch::add(double id, cl_event event, cl_int status, Platform* platform) {
  platform->cl.clRetainEvent.pointer(event);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    added_.push_back({id, event, status, platform, Clock::now()});
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  }
  changed_.notify_one();
}

void StatusWatch::stop() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

bool StatusWatch::deliver(const Watched& watched) {
  const cl_int status = status_of(watched.event, *watched.platform);
  if (status > watched.status) return false;
  completions_->push({watched.id, status});
  watched.platform->cl.clReleaseEvent.pointer(watched.event);
  return true;
}

StatusWatch::Clock::duration StatusWatch::pause(const std::vector<Watched>& events) {
  const auto youngest = std::max_element(events.begin(), events.end(),
                                         [](const Watched& a, const Watched& b) { return a.since < b.since; });
  const Clock::duration age = Clock::now() - youngest->since;
  return std::clamp<Clock::duration>(age / part_of_age, shortest_pause, longest_pause);
}

void StatusWatch::run() {
  std::vector<Watched> events;
  for (;;) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      const auto news = [this] { return stopping_ || !added_.empty(); };
      if (events.empty())
        changed_.wait(lock, news);
      else
        changed_.wait_for(lock, pause(events), news);
      if (stopping_) break;
      events.insert(events.end(), added_.begin(), added_.end());
      added_.clear();
    }
    events.erase(std::remove_if(events.begin(), events.end(), [this](const Watched& w) { return deliver(w); }),
                 events.end());
  }
  for (const Watched& watched : events) watched.platform->cl.clReleaseEvent.pointer(watched.event);
}

}  // namespace anycl
