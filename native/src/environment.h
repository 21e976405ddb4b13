// SPDX-License-Identifier: MIT
//
// The state of one JavaScript environment: the main thread has one, and so does each worker thread. No other thread touches
// it, except its queue of completions.
#pragma once
#include <node_api.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "async/completions.h"
#include "async/failure_poll.h"
#include "async/jobs.h"
#include "async/tickets.h"
#include "cl/library.h"
#include "events/open_user_events.h"
#include "napi/errors.h"
#include "napi/handles.h"
#include "napi/native_call.h"
#include "napi/package_copies.h"
#include "napi/scratch.h"
#include "remote/call_clock.h"
#include "workarounds/pocl_failed_events.h"

namespace anycl {

struct SvmBlock;

class Environment {
 public:
  explicit Environment(napi_env env);
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment();

  /**
   * Adds a copy of the package: the function that takes finished tickets, the error class, and whether this is the process's
   * main thread. Returns the scratch memory.
   */
  napi_value attach(napi_value dispatch, napi_value error_class, bool main_thread);
  /** After a call that waited for commands: releases what completed commands kept alive. */
  void sweep();
  /** Call it before waiting for an event or a queue: throws if the awaited commands wait for this thread. */
  template <typename Awaited>
  void before_blocking(const char* function, Awaited awaited) {
    if (!native_calls.empty())
      fail(CL_INVALID_OPERATION, function, "a native kernel waits for this thread: await instead of blocking it");
    pocl_failed_events.await_pending();
    if (open_user_events.blocks(awaited))
      fail(CL_INVALID_OPERATION, function,
           "a command waits for a user event that only this thread can complete: complete it before, or await");
  }
  /** Whether the environment is being destroyed, and its objects with it, in any order. */
  bool closing() const { return closing_; }

  napi_env env;
  const Library* library = nullptr;
  std::vector<std::unique_ptr<Platform>> platforms;
  HandleTable handles;
  std::unordered_set<SvmBlock*> svm_blocks;
  Scratch scratch;
  PackageCopies package_copies{env};
  CallClock call_clock;

  std::shared_ptr<Completions> completions = std::make_shared<Completions>();
  Tickets tickets{env, completions, package_copies};
  Jobs jobs;
  FailurePoll failures{completions};
  OpenUserEvents open_user_events;
  PoclFailedEvents pocl_failed_events{open_user_events, [this](auto& counts) { count_references(counts); }};
  /** Commands that wait for this thread to run JavaScript. While there are any, it must not block. */
  std::unordered_map<uint64_t, std::shared_ptr<NativeCall>> native_calls;

 private:
  static void deliver(napi_env env, void* context);
  void deliver_batch();
  void deliver_messages();
  void deliver_completions();
  void poll_failures();
  /** The number of references to each event that handles and tickets hold. */
  void count_references(std::unordered_map<cl_event, cl_uint>& counts);

  std::vector<Completion> batch_;
  std::vector<std::string> messages_;
  bool main_thread_ = true;
  bool closing_ = false;
  napi_ref scratch_ref_ = nullptr;
};

}  // namespace anycl
