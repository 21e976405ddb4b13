// SPDX-License-Identifier: MIT
#include "pocl_failed_events.h"

#include <algorithm>
#include <thread>

#include "../events/event_info.h"

namespace anycl {
namespace {

/**
 * A command reports its completion before the driver has notified the commands that wait for it; it takes at
 * most this long.
 */
constexpr auto notification_time = std::chrono::milliseconds(100);
/** Running commands are mostly short: wait this long, so that the call that causes a failure reports it. */
constexpr auto patience = std::chrono::milliseconds(1);

}  // namespace

bool PoclFailedEvents::is_open(cl_event event) const { return std::find(open_.begin(), open_.end(), event) != open_.end(); }

void PoclFailedEvents::open(cl_event user_event, const Platform& platform) {
  if (platform.quirks.mishandles_failed_events) open_.push_back(user_event);
}

void PoclFailedEvents::close(cl_event user_event) {
  const auto found = std::find(open_.begin(), open_.end(), user_event);
  if (found == open_.end()) return;
  *found = open_.back();
  open_.pop_back();
  if (!open_.empty()) return;
  ends_held_.clear();
  sweep();
}

void PoclFailedEvents::hold_end_of(cl_command_queue queue, const Platform& platform, bool waits) {
  if (std::find(ends_held_.begin(), ends_held_.end(), queue) != ends_held_.end()) return;
  cl_event end = nullptr;
  if (platform.cl.clEnqueueMarkerWithWaitList.pointer(queue, 0, nullptr, &end) != CL_SUCCESS) return;
  held_.insert({end, {&platform, waits, false, {}}});
  ends_held_.push_back(queue);
}

void PoclFailedEvents::hold(cl_event event, const Platform& platform, bool waits) {
  // An open user event waits for nothing.
  if (is_open(event)) return;
  if (!held_.insert({event, {&platform, waits, false, {}}}).second) return;
  platform.cl.clRetainEvent.pointer(event);
  if (held_.size() >= next_sweep_) sweep();
}

void PoclFailedEvents::sweep() {
  if (held_.empty()) return;
  const auto now = Clock::now();
  bool any_running = false;
  for (auto at = held_.begin(); at != held_.end();) {
    auto& [event, held] = *at;
    const cl_int status = status_of(event, *held.platform);
    if (status > CL_COMPLETE) {
      any_running = true;
    } else if (!held.ended) {
      held.ended = true;
      held.when = now;
    } else if (status == CL_COMPLETE && now - held.when >= notification_time) {
      held.platform->cl.clReleaseEvent.pointer(event);
      at = held_.erase(at);
      continue;
    }
    ++at;
  }
  if (any_running || any_open()) {
    quiet_ = false;
  } else if (!quiet_) {
    quiet_ = true;
    quiet_since_ = now;
  } else if (now - quiet_since_ >= notification_time) {
    for (const auto& [event, held] : held_) held.platform->cl.clReleaseEvent.pointer(event);
    held_.clear();
    quiet_ = false;
  }
  next_sweep_ = std::max<size_t>(64, 2 * held_.size());
}

bool PoclFailedEvents::still_waits(cl_event event, const Held& held) {
  return held.waits && status_of(event, *held.platform) == CL_QUEUED;
}

bool PoclFailedEvents::nothing_running() {
  const auto now = Clock::now();
  bool just_ended = false;
  for (auto& [event, held] : held_) {
    const cl_int status = status_of(event, *held.platform);
    if (status <= CL_COMPLETE && !held.ended) {
      held.ended = true;
      held.when = now;
    }
    if (!held.ended && !still_waits(event, held)) return false;
    if (held.ended && now - held.when < notification_time) just_ended = true;
  }
  if (!just_ended) return true;
  // The driver releases its own reference to a command last.
  std::unordered_map<cl_event, cl_uint> ours;
  count_references_(ours);
  const auto notified = [&](const auto& entry) {
    const auto& [event, held] = entry;
    return !held.ended || now - held.when >= notification_time || references_to(event, *held.platform) <= ours[event] + 1;
  };
  if (!std::all_of(held_.begin(), held_.end(), notified)) return false;
  // A waiting command may have been notified meanwhile.
  return std::all_of(held_.begin(), held_.end(),
                     [](const auto& entry) { return entry.second.ended || still_waits(entry.first, entry.second); });
}

void PoclFailedEvents::fail(cl_event user_event, cl_int status, const Platform& platform) {
  platform.cl.clRetainEvent.pointer(user_event);
  pending_.push_back({user_event, status, &platform});
  const auto until = Clock::now() + patience;
  do {
    fail_pending();
    if (!any_pending()) return;
    std::this_thread::yield();
  } while (Clock::now() < until);
}

void PoclFailedEvents::fail_pending() {
  if (!any_pending() || !nothing_running()) return;
  std::vector<Pending> pending;
  pending.swap(pending_);
  for (const Pending& failing : pending) {
    failing.platform->cl.clSetUserEventStatus.pointer(failing.event, failing.status);
    open_user_events_.close(failing.event);
    close(failing.event);
    failing.platform->cl.clReleaseEvent.pointer(failing.event);
  }
}

void PoclFailedEvents::await_pending() {
  for (fail_pending(); any_pending(); fail_pending()) std::this_thread::sleep_for(std::chrono::microseconds(50));
}

cl_int PoclFailedEvents::pending_status(cl_event user_event) const {
  for (const Pending& failing : pending_)
    if (failing.event == user_event) return failing.status;
  return CL_COMPLETE;
}

}  // namespace anycl
