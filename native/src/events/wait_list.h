// SPDX-License-Identifier: MIT
#pragma once
#include "../environment.h"

namespace anycl {

/**
 * The wait list of a command that is about to be enqueued. It works around drivers that never end a command whose wait list
 * has a failed event (quirks.h): a stand-in takes the place of such an event, and fails when this object is destroyed, after the
 * command was enqueued. So the command fails as it should. Where drivers free failed events too early, it holds those that
 * may fail.
 */
class WaitList {
 public:
  using After = OpenUserEvents::After;
  WaitList(Environment& environment, const Platform& platform, cl_command_queue queue)
      : environment_(environment), platform_(platform), queue_(queue) {}
  WaitList(const WaitList&) = delete;
  WaitList& operator=(const WaitList&) = delete;
  ~WaitList() {
    if (stand_in_) fail_stand_in();
  }
  /** Call it with the wait list before enqueueing the command. It may replace events of the list. */
  void prepare(cl_event* events, size_t count, After after = After::as_the_queue_does) {
    if (count > 0 && platform_.quirks.hangs_on_failed_waits) replace(events, count);
    after_ = after;
    if (environment_.open_user_events.any_open())
      awaited_ = environment_.open_user_events.before(queue_, events, count, after);
    if (must_hold()) hold(events, count);
  }
  /** Whether the command's event must be requested, and given to `made`. */
  bool must_hold() const {
    return platform_.quirks.mishandles_failed_events && environment_.pocl_failed_events.any_open();
  }
  /** The command was enqueued; `event` may be null. */
  void made(cl_event event) {
    if (environment_.open_user_events.any_open())
      environment_.open_user_events.enqueued(queue_, platform_, event, awaited_, after_);
    if (event && must_hold()) environment_.pocl_failed_events.hold(event, platform_, !awaited_.empty());
  }

 private:
  void replace(cl_event* events, size_t count);
  void hold(const cl_event* events, size_t count);
  void fail_stand_in();
  Environment& environment_;
  const Platform& platform_;
  cl_command_queue queue_;
  cl_event stand_in_ = nullptr;
  After after_ = After::as_the_queue_does;
  /** The open user events that the command waits for. */
  OpenUserEvents::Ids awaited_;
};

}  // namespace anycl
