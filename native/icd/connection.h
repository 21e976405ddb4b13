// SPDX-License-Identifier: MIT
//
// The connection of this process to its server: requests with replies, and notices from the server. Any thread may send requests;
// one thread reads, one runs the program's callbacks, and one copies.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "../src/cl/opencl.gen.h"
#include "messages.gen.h"
#include "slabs.h"
#include "staging.h"
#include "svm_space.h"

namespace icd {

/** The reply to a request. Unless `status` is CL_SUCCESS, nothing else is meaningful. */
template <typename Request>
struct Answer {
  explicit Answer(std::vector<char> message) : bytes(std::move(message)), reader(bytes.data(), bytes.size()) {
    status = bytes.empty() ? CL_OUT_OF_RESOURCES : reader.template scalar<int32_t>();
    if (status == CL_SUCCESS) reply.decode(reader);
  }
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  cl_int status;
  typename Request::Reply reply;

 private:
  /** The bytes that lists in the reply point into. */
  std::vector<char> bytes;
  Reader reader;
};

/** A thread that runs functions one after the other. It starts with the first one. */
class Tasks {
 public:
  void add(std::function<void()> run);

 private:
  void run_all();

  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<std::function<void()>> waiting_;
  bool started_ = false;
};

/** `idle` is the number of commands that the event's queue has accepted if it is idle then, otherwise 0. */
using Completion = std::function<void(cl_int status, uint32_t idle)>;

class Connection {
  struct Pending {
    std::condition_variable answered;
    bool done = false;
    std::vector<char> bytes;
  };

 public:
  /** This process's connection, opened when it is first needed; null if no server can be started. */
  static Connection* open();
  /** The same if it is open already. */
  static Connection* current();

  template <typename Request>
  Answer<Request> ask(const Request& request) {
    static_assert(Request::replied);
    return Answer<Request>(exchange(message(request)));
  }
  /** Sends now. The returned function waits for the reply, on any thread. */
  template <typename Request>
  std::function<cl_int()> ask_later(const Request& request) {
    auto pending = std::make_shared<Pending>();
    const bool sent = post(message(request), *pending);
    return [this, pending, sent] { return sent ? Answer<Request>(await(*pending)).status : CL_OUT_OF_RESOURCES; };
  }
  template <typename Request>
  void tell(const Request& request) {
    static_assert(!Request::replied);
    const Writer out = message(request);
    send(out, 0);
  }

  /** Whether the server has ended. */
  bool is_dead() {
    std::lock_guard lock(mutex_);
    return dead_;
  }

  uint32_t next_id() { return next_ids(1); }
  /** Reserves consecutive ids; returns the first. */
  uint32_t next_ids(uint32_t count) { return next_id_.fetch_add(count, std::memory_order_relaxed); }
  Staging& staging() { return staging_; }
  SvmSpace& svm() { return svm_; }
  Slabs& slabs() { return slabs_; }

  /** Runs `run` on the thread for the program's callbacks. */
  void call_back(std::function<void()> run) { callbacks_.add(std::move(run)); }
  /** Runs `run`, which waits for nothing, on the thread for copies: callbacks may take long. */
  void copy_later(std::function<void()> run) { copies_.add(std::move(run)); }
  /** Runs `done` on the reading thread when the event `id` is complete or the server has ended. Call it before the event exists. */
  void when_complete(uint32_t id, Completion done);
  /** Removes the callback: the event was not created. */
  void forget(uint32_t id);
  uint32_t when_reached(std::function<void(cl_int status)> done);
  void forget_reached(uint32_t token);
  void when_destroyed(uint32_t id, std::function<void()> done);

 private:
  Connection() = default;
  bool start();
  /** Checks that the server is of the same build; otherwise it prints a message. */
  bool greet();
  void read_loop();
  void handle(uint32_t opcode, uint32_t sequence, std::vector<char> body);
  void die();
  std::vector<char> exchange(const Writer& out);
  bool post(const Writer& out, Pending& pending);
  std::vector<char> await(Pending& pending);
  bool send(const Writer& out, uint32_t sequence);
  template <typename Done>
  Done take(std::unordered_map<uint32_t, Done>& from, uint32_t id);

  template <typename Request>
  static Writer message(const Request& request) {
    Writer out;
    out.scalar(uint32_t{0});
    out.scalar(Request::opcode);
    out.scalar(uint32_t{0});
    request.encode(out);
    out.patch(0, static_cast<uint32_t>(out.size()));
    return out;
  }

  int socket_ = -1;
  Staging staging_;
  SvmSpace svm_{staging_};
  Slabs slabs_{staging_};
  std::atomic<uint32_t> next_id_{1};

  std::mutex write_mutex_;
  std::mutex mutex_;
  bool dead_ = false;
  uint32_t next_sequence_ = 1;
  std::unordered_map<uint32_t, Pending*> pending_;
  std::unordered_map<uint32_t, Completion> completions_;
  std::unordered_map<uint32_t, std::function<void(cl_int)>> reached_;
  std::unordered_map<uint32_t, std::function<void()>> destroyed_;

  Tasks callbacks_;
  Tasks copies_;
};

}  // namespace icd
