// SPDX-License-Identifier: MIT
#pragma once
#include "../napi/arguments.h"

namespace anycl {

napi_value create_user_event(Arguments& a);
napi_value set_user_status(Arguments& a);
/** eventStatus(event): execution status or error code */
napi_value event_status(Arguments& a);
/** onEvent(event, status): the ticket that comes when it gets there */
napi_value on_event(Arguments& a);
/** waitSync(events): blocks. */
napi_value wait_sync(Arguments& a);
/** eventFromGlSync(context, sync) */
napi_value event_from_gl_sync(Arguments& a);
/** eventFromEglSync(context, sync, display) */
napi_value event_from_egl_sync(Arguments& a);

/**
 * What a command waits for. Where drivers never end a command that waits for an event which has failed (see quirks.h), such
 * an event gives its place to one that fails when this goes, after the command was enqueued: so the command fails as it
 * should. Where drivers free events that fail too early, what may fail is held.
 */
class WaitList {
 public:
  WaitList(Environment& environment, const Platform& platform, cl_command_queue queue)
      : environment_(environment), platform_(platform), queue_(queue) {}
  WaitList(const WaitList&) = delete;
  WaitList& operator=(const WaitList&) = delete;
  ~WaitList() {
    if (stand_in_) fail_stand_in();
  }
  /** To be called before the command is enqueued, with what it waits for. */
  void prepare(cl_event* events, size_t count, Gates::After after = Gates::After::as_the_queue_does) {
    if (count > 0 && platform_.quirks.hangs_on_failed_waits) replace(events, count);
    after_ = after;
    if (environment_.gates.any_open()) gates_ = environment_.gates.before(queue_, events, count, after);
    if (must_hold()) hold(events, count);
  }
  /** Whether the command's event must be asked for, and given to `made`. */
  bool must_hold() const {
    return platform_.quirks.mishandles_failed_events && environment_.held_events.any_open();
  }
  void made(cl_event event) {
    if (environment_.gates.any_open()) environment_.gates.enqueued(queue_, platform_, event, gates_, after_);
    if (event && must_hold()) environment_.held_events.hold(event, platform_, !gates_.empty());
  }

 private:
  void replace(cl_event* events, size_t count);
  void hold(const cl_event* events, size_t count);
  void fail_stand_in();
  Environment& environment_;
  const Platform& platform_;
  cl_command_queue queue_;
  cl_event stand_in_ = nullptr;
  Gates::After after_ = Gates::After::as_the_queue_does;
  Gates::Ids gates_;
};

/** Has the driver redeem the ticket when the event gets there; on failure the ticket is gone. */
cl_int ask_for_callback(const Platform& platform, cl_event event, cl_int status, Ticket* ticket);
/** Registers a ticket for the event; on failure the ticket is forgotten and a Failure thrown. */
void notify_on(Environment& environment, const Platform& platform, cl_event event, cl_int status, double id);

}  // namespace anycl
