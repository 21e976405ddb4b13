// SPDX-License-Identifier: MIT
//
// Commands that this process carries out on pages that the server maps, too. The server reports when a command may run (its turn).
// Later commands wait until this process reports its end. Where the queue is idle, this process asks for no turn.
#include <condition_variable>
#include <memory>
#include <mutex>

#include "transfers.h"

namespace icd {

namespace {

/** Whether the server has reported the turn, or will never report it. */
class Turn {
 public:
  void come(cl_int status) {
    std::lock_guard lock(mutex_);
    if (known_) return;
    known_ = true;
    status_ = status;
    changed_.notify_all();
  }

  cl_int wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return known_; });
    return status_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool known_ = false;
  cl_int status_ = CL_COMPLETE;
};

/** The request for a turn that `token` announces. */
EnqueueTurn request_for(const Enqueue& enqueue, cl_mem buffer, cl_command_type type, cl_event made,
                        const std::vector<uint32_t>& wait, uint32_t token) {
  EnqueueTurn request;
  request.queue = enqueue.queue->id;
  request.wait = wait;
  request.event = made->id;
  request.type = type;
  request.memory = buffer->id;
  request.token = token;
  return request;
}

}  // namespace

bool run_now(const Enqueue& enqueue, cl_command_type type, const std::function<void()>& run) {
  if (!enqueue.is_ready()) return false;
  cl_command_queue queue = enqueue.queue;
  Connection* connection = queue->connection;
  // Only the server's commands have times.
  const bool is_timed = enqueue.event != nullptr && (queue->flags & CL_QUEUE_PROFILING_ENABLE) != 0;
  if (is_timed || queue->context->terminated.load() || connection->is_dead()) return false;
  std::lock_guard lock(queue->sending);
  if (queue->sent.load() != queue->idle_after.load()) return false;
  run();
  if (enqueue.event == nullptr) return true;
  cl_event made = make<_cl_event>(connection);
  made->context = queue->context;
  made->queue = Use(queue);
  made->type = type;
  made->status = CL_COMPLETE;
  queue->idle_after.store(queue->sent.fetch_add(1) + 1);
  connection->tell(NoteDone{queue->id, made->id, type});
  *enqueue.event = made;
  return true;
}

cl_int take_turn_later(const Enqueue& enqueue, cl_mem buffer, cl_command_type type, const std::function<void()>& copy) {
  std::vector<uint32_t> wait;
  const cl_int wrong = enqueue.read_wait_list(wait);
  if (wrong != CL_SUCCESS) return wrong;
  Connection* connection = enqueue.queue->connection;
  const auto token = std::make_shared<uint32_t>(0);
  // A command that fails has no turn, only an end.
  cl_event made = enqueue.make_event(type, [connection, token](cl_int) { connection->forget_reached(*token); });
  *token = connection->when_reached([connection, copy, id = made->id](cl_int status) {
    if (status < 0) return;
    connection->copy_later([connection, copy, id] {
      copy();
      connection->tell(EndTurn{id});
    });
  });
  const cl_int status = enqueue.ask(request_for(enqueue, buffer, type, made, wait, *token));
  if (status != CL_SUCCESS) connection->forget_reached(*token);
  return enqueue.finish(made, status);
}

cl_int take_turn(const Enqueue& enqueue, cl_mem buffer, cl_command_type type, const std::function<void()>& copy) {
  std::vector<uint32_t> wait;
  const cl_int wrong = enqueue.read_wait_list(wait);
  if (wrong != CL_SUCCESS) return wrong;
  Connection* connection = enqueue.queue->connection;
  const auto turn = std::make_shared<Turn>();
  const auto come = [turn](cl_int status) { turn->come(status); };
  // A command that fails has no turn, only an end.
  cl_event made = enqueue.make_event(type, come);
  const uint32_t token = connection->when_reached(come);
  const cl_int status = enqueue.ask(request_for(enqueue, buffer, type, made, wait, token));
  if (status == CL_SUCCESS && turn->wait() >= 0) {
    copy();
    connection->tell(EndTurn{made->id});
    // What comes later reaches the server after this: there is no need to wait for its notice.
    complete(made, CL_COMPLETE);
  }
  connection->forget_reached(token);
  return enqueue.finish(made, status);
}

}  // namespace icd
