// SPDX-License-Identifier: MIT
#pragma once
#include "cursor.h"
#include "../events/wait_list.h"
#include "lifetime.h"

namespace anycl {

using Events = SmallList<cl_event>;

/** One call of `execute` or `submit`: decodes the commands in the scratch words and enqueues them, one after the other. */
class Executor {
 public:
  /** `a`: the call's arguments, of which the third and fourth are host memory; none for a quick call. */
  Executor(Environment& environment, Arguments* a, const Slot& queue, size_t words)
      : a_(a),
        environment_(environment),
        platform_(*queue.platform),
        cl_(queue.platform->cl),
        ext_(queue.platform->ext),
        queue_(queue.as<cl_command_queue>()),
        cursor_(environment_, platform_, words) {}

  /** The last command's event, or 0. */
  double run();

 private:
  OpenUserEvents::After after(Opcode opcode) {
    if (opcode == Opcode::barrier) return OpenUserEvents::After::barrier;
    return opcode == Opcode::marker && waits_.count() == 0 ? OpenUserEvents::After::all_before : OpenUserEvents::After::as_the_queue_does;
  }
  /** The function, and its name for the errors of the operands that follow. */
  template <typename F>
  F use(const Function<F>& function) {
    name_ = function.name;
    cursor_.function(function.name);
    return function.of(platform_);
  }
  void done(cl_int code) { check(code, name_); }
  /**
   * `done` for commands on shared memory. PoCL 7.1 writes into the event of such a command even if the command failed and has
   * none, so the event pointer initially points to spare memory.
   */
  template <typename Call>
  void done_with_room(Call call) {
    alignas(void*) unsigned char room[1024];
    const auto no_event = reinterpret_cast<cl_event>(room);
    if (out_) made_ = no_event;
    const cl_int code = call();
    const bool failed = made_ == no_event;
    if (failed) made_ = nullptr;
    done(code);
    if (failed) fail(CL_INVALID_VALUE, name_, "the driver refused the command and did not say why");
  }

  /** The host memory that is passed besides the words: it is kept until the command's event completes. */
  Bytes host();
  void keep_host_memory_alive();

  void require(bool condition, cl_int code, const char* detail) {
    if (!condition) refuse(code, name_, detail);
  }

  void command(Opcode opcode);
  void kernel();
  void transfer(bool read);
  void transfer_rect(bool read);
  void transfer_image(bool read);
  void svm_memcpy();
  void svm_fill();
  void svm_map();
  void svm_unmap();
  void svm_free();
  void svm_migrate();
  void semaphores(bool wait);
  void marker();
  void barrier();

  template <typename F>
  void share(const Function<F>& function) {
    const auto call = use(function);
    SmallList<cl_mem> memories;
    cursor_.handles(memories, Kind::memory);
    done(call(queue_, memories.count(), memories.list(), waits_.count(), waits_.list(), out_));
  }

  Arguments* a_;
  Environment& environment_;
  Platform& platform_;
  const Library& cl_;
  const Extensions& ext_;
  cl_command_queue queue_;
  Cursor cursor_;
  Events waits_;
  cl_event made_ = nullptr;
  cl_event* out_ = nullptr;
  const char* name_ = "execute";
  napi_value hosts_[2] = {};
  size_t host_count_ = 0;
};

}  // namespace anycl
