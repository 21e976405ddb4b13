// SPDX-License-Identifier: MIT
//
// The state of one JavaScript environment: the main thread has one, and so does each worker thread. Nothing in it is
// touched by another thread, except its queue of completions.
#pragma once
#include <node_api.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cl/library.h"
#include "interface.gen.h"
#include "napi/completions.h"
#include "napi/errors.h"
#include "napi/handles.h"
#include "napi/native_call.h"
#include "objects/gates.h"
#include "objects/held_events.h"

namespace anycl {

struct SvmBlock;

/**
 * Memory that both sides know the place of, so that the hot calls pass nothing: command words, finished tickets, the
 * bytes of a kernel's argument, and the operands and results of quick calls. Its figures are generated for both.
 */
struct Scratch {
  static constexpr size_t words = scratch_words;
  static constexpr size_t completions = scratch_completions;
  static constexpr size_t bytes = scratch_bytes;
  static constexpr size_t operands = scratch_operands;
  static constexpr size_t total = words * 8 + completions * 16 + bytes + operands * 8;
  double* word = nullptr;
  double* completion = nullptr;
  uint8_t* byte = nullptr;
  double* operand = nullptr;
};

/** Work on a thread of its own that ends in a ticket: builds, which drivers do in the calling thread. */
struct Job {
  std::thread thread;
  std::atomic<bool> done{false};
  /** What it made, if anything: taken by `take_job`. */
  void* result = nullptr;
  Platform* platform = nullptr;
};

class Environment {
 public:
  explicit Environment(napi_env env);

  /**
   * Takes the function that gets finished tickets, the error class, and whether this is the process's own thread; gives the
   * scratch memory.
   */
  napi_value attach(napi_value dispatch, napi_value error_class, bool main_thread);
  void throw_failure(const Failure& failure);

  /** A number for something that will finish; `notify` calls JavaScript with it then. */
  double expect(bool notify, bool keep_alive = true);
  /** Keeps a JavaScript value alive until the ticket `id` is delivered; `event` says when that is at the latest. */
  void pin(double id, napi_value value, cl_event event, Platform* platform);
  /**
   * The ticket `id` is delivered when its pinned event ends. The driver is asked to call back from the next turn of the
   * loop on, if `sweep` has not seen the end by then: NVIDIA's enqueues slower after it has once called back.
   */
  void watch(double id);
  /** Forgets the watched tickets whose events have ended: cheap after a call that waited for commands. */
  void sweep();
  /**
   * The ticket `id` is delivered when `event` gets to `status`, as the driver calls back; where it is known not to, in the
   * next turn of the loop.
   */
  void await_event(double id, cl_event event, cl_int status, Platform* platform);
  /** A user event was made, for a script or by the addon. */
  void open_event(cl_event event, const Platform& platform) {
    gates.open(event);
    held_events.open(event, platform);
  }
  void set_user_status(cl_event event, cl_int status, const Platform& platform);
  /** Gives the user event an error as its status, and tells those who await what fails with it. */
  void fail_event(cl_event event, cl_int status, const Platform& platform);
  Ticket* ticket(double id) { return new Ticket{completions, id}; }
  /** For what drivers say of contexts, all of them, and may say of one until it is gone. */
  Ticket* ticket_of_messages() { return ticket_of_messages_.get(); }
  /** The ticket will never be delivered after all: the call that it was for failed. */
  void forget(double id);
  /** Keeps an object until the event ends, a reference to which it takes over. */
  void keep(std::shared_ptr<void> object, cl_event event, Platform* platform);
  /** Whether the environment is going, and its objects with it, in any order. */
  bool closing() const { return closing_; }

  Job& start(double id, Platform* platform, std::function<cl_int(Job&)> work);
  std::unique_ptr<Job> take_job(double id);

  napi_env env;
  const Library* library = nullptr;
  std::vector<std::unique_ptr<Platform>> platforms;
  HandleTable handles;
  std::unordered_set<SvmBlock*> svm_blocks;
  Gates gates;
  HeldEvents held_events{gates, [this](auto& counts) { count_references(counts); }};
  /** Commands that wait for this thread to run JavaScript: as long as there are any, it must not block. */
  std::unordered_map<uint64_t, std::shared_ptr<NativeCall>> native_calls;
  /** To be called before whatever waits for an event or a queue: nothing that these wait for may wait for this thread. */
  template <typename Awaited>
  void before_blocking(const char* function, Awaited awaited) {
    if (!native_calls.empty())
      fail(CL_INVALID_OPERATION, function, "a native kernel waits for this thread: await instead of blocking it");
    held_events.await_pending();
    if (gates.shut(awaited))
      fail(CL_INVALID_OPERATION, function,
           "a command waits for a user event that only this thread can complete: complete it before, or await");
  }
  Scratch scratch;
  std::shared_ptr<Completions> completions = std::make_shared<Completions>();

  ~Environment();

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
  static void deliver(napi_env env, void* context);
  void deliver_batch();
  void settle(double id, Expected& expected);
  void ask_for_callbacks();
  /** How many references to each event the handles and the tickets are. */
  void count_references(std::unordered_map<cl_event, cl_uint>& counts);
  /**
   * In the next turn of the loop, delivers awaited events that have failed: PoCL 3.1 does not call back for those. Where
   * events fail later it keeps looking.
   */
  void look_for_failures();
  void add_failed();
  void look_again();
  void add_waited_for();
  /** Calls each copy of the package: tickets are of one of them. */
  void dispatch(napi_value argument);
  void finish_pinned();

  std::unordered_map<uint64_t, Expected> expected_;
  std::unordered_map<uint64_t, std::unique_ptr<Job>> jobs_;
  std::vector<double> watched_;
  /** Tickets for events of platforms that do nothing until somebody waits. */
  std::vector<double> to_wait_for_;
  std::unique_ptr<Ticket> ticket_of_messages_{new Ticket{completions, 0}};
  bool may_have_failed_ = false;
  /** Not before this: until then somebody sleeps who will wake us. */
  std::chrono::steady_clock::time_point next_look_;
  std::vector<Completion> batch_;
  std::vector<std::string> messages_;
  double next_id_ = 1;
  size_t awaited_ = 0;
  bool main_thread_ = true;
  bool closing_ = false;
  napi_ref scratch_ref_ = nullptr;
  /** Weak, one for each copy of the package in this thread: a copy that is gone waits for nothing. */
  std::vector<napi_ref> dispatchers_;
  napi_ref error_class_ = nullptr;
};

}  // namespace anycl
