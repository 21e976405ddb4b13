// SPDX-License-Identifier: MIT
#include "held_events.h"

#include <algorithm>

namespace anycl {
namespace {

/** Commands show their end a little before the driver has told those that wait for them. */
constexpr auto time_to_tell = std::chrono::milliseconds(100);

}  // namespace

bool HeldEvents::is_open(cl_event event) const { return std::find(open_.begin(), open_.end(), event) != open_.end(); }

void HeldEvents::open(cl_event user_event, const Platform& platform) {
  if (platform.quirks.frees_failed_events) open_.push_back(user_event);
}

void HeldEvents::close(cl_event user_event) {
  const auto found = std::find(open_.begin(), open_.end(), user_event);
  if (found == open_.end()) return;
  *found = open_.back();
  open_.pop_back();
  if (!open_.empty()) return;
  ends_held_.clear();
  sweep();
}

bool HeldEvents::last_of_open(cl_event event, const Platform& platform) const {
  if (!is_open(event)) return false;
  cl_uint references = 0;
  return platform.cl.clGetEventInfo.pointer(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, nullptr) ==
             CL_SUCCESS &&
         references == 1;
}

void HeldEvents::hold_end_of(cl_command_queue queue, const Platform& platform) {
  if (std::find(ends_held_.begin(), ends_held_.end(), queue) != ends_held_.end()) return;
  cl_event end = nullptr;
  if (platform.cl.clEnqueueMarkerWithWaitList.pointer(queue, 0, nullptr, &end) != CL_SUCCESS) return;
  held_.push_back({end, &platform});
  if (any_open()) ends_held_.push_back(queue);
}

void HeldEvents::hold(cl_event event, const Platform& platform) {
  // One that is open never ends by itself, and what it waits for is nothing.
  if (is_open(event)) return;
  platform.cl.clRetainEvent.pointer(event);
  held_.push_back({event, &platform});
  if (held_.size() >= next_sweep_) sweep();
}

void HeldEvents::sweep() {
  if (held_.empty()) return;
  bool under_way = false;
  const auto complete = [&under_way](const Held& held) {
    cl_int status = CL_QUEUED;
    held.platform->cl.clGetEventInfo.pointer(held.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (status > CL_COMPLETE) under_way = true;
    if (status != CL_COMPLETE) return false;
    held.platform->cl.clReleaseEvent.pointer(held.event);
    return true;
  };
  held_.erase(std::remove_if(held_.begin(), held_.end(), complete), held_.end());
  const auto now = std::chrono::steady_clock::now();
  if (under_way || any_open()) {
    quiet_ = false;
  } else if (!quiet_) {
    quiet_ = true;
    quiet_since_ = now;
  } else if (now - quiet_since_ >= time_to_tell) {
    for (const Held& failed : held_) failed.platform->cl.clReleaseEvent.pointer(failed.event);
    held_.clear();
    quiet_ = false;
  }
  next_sweep_ = std::max<size_t>(64, 2 * held_.size());
}

}  // namespace anycl
