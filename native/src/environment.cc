// SPDX-License-Identifier: MIT
#include "environment.h"

#include "immortal.h"
#include "objects/lifetime.h"

namespace anycl {

Environment::Environment(napi_env e) : env(e) { completions->open(env, &Environment::deliver, this); }

napi_value Environment::attach(napi_value dispatch, napi_value error_class, bool main_thread) {
  napi_value buffer = nullptr;
  void* data = nullptr;
  // A second copy of the package in the thread shares the memory: both continue to use it for quick calls.
  if (scratch_ref_) {
    napi_get_reference_value(env, scratch_ref_, &buffer);
    napi_get_arraybuffer_info(env, buffer, &data, nullptr);
  } else {
    if (napi_create_arraybuffer(env, Scratch::total, &data, &buffer) != napi_ok)
      fail(CL_OUT_OF_HOST_MEMORY, "attach", "no memory for the commands");
    napi_create_reference(env, buffer, 1, &scratch_ref_);
  }
  package_copies.add(dispatch, error_class);
  scratch.place(data);
  main_thread_ = main_thread;
  return buffer;
}

void Environment::sweep() {
  tickets.sweep();
  pocl_failed_events.sweep();
}

void Environment::count_references(std::unordered_map<cl_event, cl_uint>& counts) {
  handles.each([&counts](const Slot& slot) {
    if (slot.kind == Kind::event) counts[slot.as<cl_event>()]++;
  });
  tickets.count_references(counts);
}

void Environment::deliver(napi_env, void* context) { static_cast<Environment*>(context)->deliver_batch(); }

void Environment::deliver_batch() {
  napi_handle_scope scope;
  napi_open_handle_scope(env, &scope);
  // The last ticket is closed before it is delivered.
  package_copies.hold();
  tickets.ask_for_callbacks();
  pocl_failed_events.sweep();
  completions->drain_messages(messages_);
  completions->drain(batch_);
  // The driver may also call back for these. Tickets are looked up, so that each is delivered once.
  poll_failures();
  tickets.collect_by_waiting(batch_);
  deliver_messages();
  deliver_completions();
  package_copies.release();
  napi_close_handle_scope(env, scope);
}

void Environment::poll_failures() {
  if (!failures.due()) return;
  pocl_failed_events.fail_pending();
  const bool later = tickets.collect_failed(batch_);
  if (later || pocl_failed_events.any_pending()) failures.request_later();
}

void Environment::deliver_messages() {
  for (const std::string& message : messages_) {
    napi_value argument = nullptr;
    napi_create_string_utf8(env, message.data(), message.size(), &argument);
    package_copies.dispatch(argument);
  }
}

void Environment::deliver_completions() {
  // JavaScript may enqueue meanwhile, but only the event loop calls this function, so the batch does not
  // change.
  size_t filled = 0;
  const auto flush = [&] {
    if (filled == 0) return;
    napi_value argument = nullptr;
    napi_create_double(env, static_cast<double>(filled), &argument);
    filled = 0;
    package_copies.dispatch(argument);
  };
  for (Completion completion : batch_) {
    if (!tickets.settle(completion)) continue;
    scratch.completion[2 * filled] = completion.id;
    scratch.completion[2 * filled + 1] = completion.status;
    if (++filled == Scratch::completions) flush();
  }
  flush();
}

Environment::~Environment() {
  completions->close();
  for (auto& [id, call] : native_calls) call->finish();
  handles.each([](Slot& slot) {
    if (slot.kind == Kind::queue) slot.platform->cl.clFlush.pointer(slot.as<cl_command_queue>());
  });
  closing_ = true;
  if (!main_thread_)
    for (SvmBlock* block : svm_blocks) block->keep_until_ends();
  tickets.finish();
  jobs.finish();
  // At the end of the process its memory is freed anyway, and a driver may wait for kernels that never end.
  if (main_thread_)
    handles.each([](Slot& slot) { make_immortal(std::move(slot.attachment)); });
  else
    handles.each([](Slot& slot) { release_object(slot); });
  // Detached jobs and late callbacks may still use a platform.
  for (auto& platform : platforms) make_immortal(std::move(platform));
}

}  // namespace anycl
