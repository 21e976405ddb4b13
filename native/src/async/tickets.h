// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <unordered_map>
#include <vector>

#include "../cl/library.h"
#include "../napi/package_copies.h"
#include "completions.h"
#include "status_watch.h"

namespace anycl {

/**
 * The operations that an environment waits for. Each awaited operation has a number, its ticket; while the ticket is outstanding,
 * the values and objects that the operation uses stay alive. A ticket is delivered once, whoever redeems it first: a driver's
 * callback, a sweep over the events, or a poll for failures.
 */
class Tickets {
 public:
  Tickets(napi_env env, std::shared_ptr<Completions> completions, PackageCopies& copies)
      : env_(env), completions_(std::move(completions)), copies_(copies), status_watch_(completions_) {}

  /** Opens a ticket. `notify`: JavaScript is called with it; `keep_alive`: the process stays alive until then. */
  double expect(bool notify, bool keep_alive = true);
  /** Closes a ticket that will not be delivered: the call that it was for failed. */
  void forget(double id);
  /** A driver's callback data for the ticket. */
  Ticket* ticket(double id) { return new Ticket{completions_, id}; }
  /** For messages of drivers about contexts, which may come until a context is gone. */
  Ticket* ticket_of_messages() { return messages_.get(); }

  /** Keeps a JavaScript value alive until the ticket is delivered, at the latest when `event` completes. */
  void pin(double id, napi_value value, cl_event event, Platform* platform);
  /** Keeps an object alive until the event completes. Takes ownership of the reference to the event. */
  void keep(std::shared_ptr<void> object, cl_event event, Platform* platform);
  /**
   * Delivers the ticket when its pinned event completes. If no `sweep` sees the completion first, the driver is asked for a
   * callback in the next iteration of the event loop: NVIDIA's enqueues are slower once it has called back.
   */
  void watch(double id);
  /** Delivers the ticket when `event` reaches `status`, by the driver's callback, or before it if that is late. */
  void await_event(double id, cl_event event, cl_int status, Platform* platform);
  /** Closes the watched tickets whose events are complete. Cheap after a call that waited for commands. */
  void sweep();
  /** The same, then asks the driver for callbacks on the rest. */
  void ask_for_callbacks();

  /** Appends the awaited events that have failed. Returns whether others may fail without a callback. */
  bool collect_failed(std::vector<Completion>& batch);
  /** Waits for the events of drivers that only run commands inside of waiting calls, and appends them. */
  void collect_by_waiting(std::vector<Completion>& batch);
  /** Closes a completion's ticket. Returns whether to notify; `completion.status` becomes the event's own. */
  bool settle(Completion& completion);

  /** Adds the references to events that tickets hold. */
  void count_references(std::unordered_map<cl_event, cl_uint>& counts) const;
  /** Before the engine frees memory that commands read and write: gives these a moment to complete. */
  void finish();

 private:
  struct Expected {
    bool notify = false;
    bool keep_alive = false;
    napi_ref pinned = nullptr;
    std::shared_ptr<void> kept;
    /** The command that uses what is pinned, or the event that is awaited. */
    cl_event event = nullptr;
    Platform* platform = nullptr;
  };
  Expected& at(double id) { return expected_[static_cast<uint64_t>(id)]; }
  void close(double id, Expected& expected);
  /** Whether the process, and what waits for tickets in it, stays alive. */
  void hold(bool on);

  napi_env env_;
  std::shared_ptr<Completions> completions_;
  PackageCopies& copies_;
  StatusWatch status_watch_;
  std::unordered_map<uint64_t, Expected> expected_;
  std::vector<double> watched_;
  /** Tickets for events of platforms that run commands only while the program waits. */
  std::vector<double> to_wait_for_;
  std::unique_ptr<Ticket> messages_{new Ticket{completions_, 0}};
  double next_id_ = 1;
  size_t awaited_ = 0;
};

}  // namespace anycl
