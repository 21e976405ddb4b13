// SPDX-License-Identifier: MIT
//
// Notifies JavaScript of completions from a driver's threads: they put a ticket's number into a queue and wake the environment's
// thread once per batch. The queue outlives its environment for as long as a driver holds a ticket. It knows the outstanding
// tickets, so that those of a driver that never calls back are not leaks.
#pragma once
#include <node_api.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "../cl/opencl.gen.h"

namespace anycl {

struct Completion {
  double id;
  cl_int status;
};

struct Ticket;

class Completions {
 public:
  using Deliver = void (*)(napi_env env, void* context);

  void open(napi_env env, Deliver deliver, void* context);
  /** From any thread. After `close` it does nothing. */
  void push(Completion completion);
  /** Delivers in the next iteration of the event loop, even if nothing has arrived. */
  void call_soon();
  /** A driver's message about a context, from any thread. */
  void push_message(std::string text);
  /** On the environment's thread: takes everything that has arrived. */
  void drain(std::vector<Completion>& into);
  void drain_messages(std::vector<std::string>& into);
  /** Whether outstanding deliveries keep the process alive. */
  void keep_alive(napi_env env, bool on);
  void close();
  /** From any thread: a ticket is outstanding from its construction to its destruction. */
  void add(Ticket& ticket);
  void remove(Ticket& ticket);

 private:
  void wake();
  std::mutex mutex_;
  std::vector<Completion> waiting_;
  std::vector<std::string> messages_;
  napi_threadsafe_function function_ = nullptr;
  bool woken_ = false;
  // Separate from `mutex_`: creating a ticket should not wait for a driver's thread that wakes the loop.
  std::mutex out_mutex_;
  Ticket* out_ = nullptr;
};

// Drivers hand a ticket from thread to thread in order, by means that ThreadSanitizer does not see in all of them.
#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
inline void given_to_driver(void* object) { __tsan_release(object); }
inline void taken_from_driver(void* object) { __tsan_acquire(object); }
#else
inline void given_to_driver(void*) {}
inline void taken_from_driver(void*) {}
#endif

/** The user data of a driver's callback: the environment that waits, and its ticket. */
struct Ticket {
  const std::shared_ptr<Completions> completions;
  const double id;

  Ticket(std::shared_ptr<Completions> c, double i) : completions(std::move(c)), id(i) {
    completions->add(*this);
    given_to_driver(this);
  }
  ~Ticket() { completions->remove(*this); }
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;

  /** Delivers the ticket and deletes it. */
  void redeem(cl_int status) {
    taken_from_driver(this);
    completions->push({id, status});
    delete this;
  }

 private:
  friend class Completions;
  // The next outstanding ticket, under the lock of `completions`.
  Ticket* next_ = nullptr;
  Ticket* previous_ = nullptr;
};

}  // namespace anycl
