// SPDX-License-Identifier: MIT
#include "environment.h"

#include <algorithm>

#include "cl/event_info.h"
#include "left_behind.h"
#include "objects/event.h"
#include "objects/lifetime.h"

namespace anycl {
namespace {

/** How many transfers may be watched without callbacks: a script that never lets the loop turn keeps no more memory alive. */
constexpr size_t most_watched = 64;

bool is_user_event(cl_event event, const Platform& platform) {
  cl_command_type type = 0;
  const cl_int code = platform.cl.clGetEventInfo.pointer(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr);
  return code != CL_SUCCESS || type == CL_COMMAND_USER;
}

}  // namespace

Environment::Environment(napi_env e) : env(e) { completions->open(env, &Environment::deliver, this); }

napi_value Environment::attach(napi_value dispatch, napi_value error_class, bool main_thread) {
  napi_value buffer = nullptr;
  void* data = nullptr;
  // A second copy of the package in the thread gets the same memory: both go on to make quick calls with it.
  if (scratch_ref_) {
    napi_get_reference_value(env, scratch_ref_, &buffer);
    napi_get_arraybuffer_info(env, buffer, &data, nullptr);
  } else {
    if (napi_create_arraybuffer(env, Scratch::total, &data, &buffer) != napi_ok)
      fail(CL_OUT_OF_HOST_MEMORY, "attach", "no memory for the commands");
    napi_create_reference(env, buffer, 1, &scratch_ref_);
  }
  if (error_class_) napi_delete_reference(env, error_class_);
  dispatchers_.emplace_back();
  napi_create_reference(env, dispatch, 0, &dispatchers_.back());
  napi_create_reference(env, error_class, 1, &error_class_);
  scratch.word = static_cast<double*>(data);
  scratch.completion = scratch.word + Scratch::words;
  scratch.byte = reinterpret_cast<uint8_t*>(scratch.completion + 2 * Scratch::completions);
  scratch.operand = reinterpret_cast<double*>(scratch.byte + Scratch::bytes);
  main_thread_ = main_thread;
  return buffer;
}

void Environment::throw_failure(const Failure& failure) {
  napi_value error_class = nullptr, error = nullptr;
  napi_value arguments[3];
  napi_create_int32(env, failure.code, &arguments[0]);
  napi_create_string_utf8(env, failure.function, NAPI_AUTO_LENGTH, &arguments[1]);
  if (failure.detail.empty())
    napi_get_undefined(env, &arguments[2]);
  else
    napi_create_string_utf8(env, failure.detail.data(), failure.detail.size(), &arguments[2]);
  if (error_class_) napi_get_reference_value(env, error_class_, &error_class);
  if (error_class && napi_new_instance(env, error_class, 3, arguments, &error) == napi_ok) {
    napi_throw(env, error);
    return;
  }
  napi_throw_error(env, nullptr, (std::string(failure.function) + ": " + failure.detail).c_str());
}

double Environment::expect(bool notify, bool keep_alive) {
  const double id = next_id_++;
  Expected& expected = expected_[static_cast<uint64_t>(id)];
  expected.notify = notify;
  expected.keep_alive = notify && keep_alive;
  if (expected.keep_alive && awaited_++ == 0) completions->keep_alive(env, true);
  return id;
}

void Environment::pin(double id, napi_value value, cl_event event, Platform* platform) {
  Expected& expected = expected_[static_cast<uint64_t>(id)];
  napi_create_reference(env, value, 1, &expected.pinned);
  expected.event = event;
  expected.platform = platform;
  if (event) platform->cl.clRetainEvent.pointer(event);
}

void Environment::settle(double id, Expected& expected) {
  if (expected.keep_alive && --awaited_ == 0) completions->keep_alive(env, false);
  if (expected.pinned) napi_delete_reference(env, expected.pinned);
  if (expected.event) expected.platform->cl.clReleaseEvent.pointer(expected.event);
  expected_.erase(static_cast<uint64_t>(id));
}

void Environment::forget(double id) {
  auto found = expected_.find(static_cast<uint64_t>(id));
  if (found != expected_.end()) settle(id, found->second);
}

void Environment::keep(std::shared_ptr<void> object, cl_event event, Platform* platform) {
  if (!under_way(event, *platform)) {
    platform->cl.clReleaseEvent.pointer(event);
    return;
  }
  const double id = expect(false);
  Expected& expected = expected_[static_cast<uint64_t>(id)];
  expected.kept = std::move(object);
  expected.event = event;
  expected.platform = platform;
  watch(id);
}

void Environment::watch(double id) {
  watched_.push_back(id);
  if (watched_.size() < most_watched)
    completions->call_soon();
  else
    ask_for_callbacks();
}

void Environment::sweep() {
  const auto ended = [this](double id) {
    const auto found = expected_.find(static_cast<uint64_t>(id));
    if (found == expected_.end()) return true;
    Expected& expected = found->second;
    if (under_way(expected.event, *expected.platform)) return false;
    settle(id, expected);
    return true;
  };
  watched_.erase(std::remove_if(watched_.begin(), watched_.end(), ended), watched_.end());
  held_events.sweep();
}

void Environment::ask_for_callbacks() {
  sweep();
  // Where the driver refuses, the memory stays and a later sweep sees the end: nobody is there to hear of it.
  const auto asked = [this](double id) {
    const Expected& expected = expected_[static_cast<uint64_t>(id)];
    return ask_for_callback(*expected.platform, expected.event, CL_COMPLETE, ticket(id)) == CL_SUCCESS;
  };
  watched_.erase(std::remove_if(watched_.begin(), watched_.end(), asked), watched_.end());
}

void Environment::await_event(double id, cl_event event, cl_int status, Platform* platform) {
  Expected& expected = expected_[static_cast<uint64_t>(id)];
  expected.event = event;
  expected.platform = platform;
  platform->cl.clRetainEvent.pointer(event);
  notify_on(*this, *platform, event, status, id);
  if (!platform->quirks.acts_only_in_waits) return;
  to_wait_for_.push_back(id);
  completions->call_soon();
}

void Environment::set_user_status(cl_event event, cl_int status, const Platform& platform) {
  static constexpr const char* function = "clSetUserEventStatus";
  // NVIDIA's driver takes a second status.
  const bool has_status = !gates.is_open(event) && is_user_event(event, platform) && !under_way(event, platform);
  if (has_status || held_events.pending_status(event) != CL_COMPLETE)
    fail(CL_INVALID_OPERATION, function, "the event has got its status before");
  if (status < CL_COMPLETE && held_events.is_open(event)) return fail_event(event, status, platform);
  check(platform.cl.clSetUserEventStatus.of(platform)(event, status), function);
  gates.close(event);
  held_events.close(event);
  if (status < CL_COMPLETE) look_for_failures();
}

void Environment::fail_event(cl_event event, cl_int status, const Platform& platform) {
  if (platform.quirks.mishandles_failed_events) {
    held_events.fail(event, status, platform);
  } else {
    platform.cl.clSetUserEventStatus.pointer(event, status);
    gates.close(event);
  }
  look_for_failures();
}

void Environment::count_references(std::unordered_map<cl_event, cl_uint>& counts) {
  handles.each([&counts](const Slot& slot) {
    if (slot.kind == Kind::event) counts[slot.as<cl_event>()]++;
  });
  for (const auto& [id, expected] : expected_)
    if (expected.event) counts[expected.event]++;
}

void Environment::look_for_failures() {
  may_have_failed_ = true;
  completions->call_soon();
}

void Environment::add_failed() {
  if (!may_have_failed_ || std::chrono::steady_clock::now() < next_look_) return;
  may_have_failed_ = false;
  held_events.fail_pending();
  bool later = held_events.any_pending();
  for (const auto& [id, expected] : expected_) {
    if (!expected.notify || !expected.event) continue;
    const cl_int status = status_of(expected.event, *expected.platform);
    if (status < CL_COMPLETE)
      batch_.push_back({static_cast<double>(id), status});
    else if (status > CL_COMPLETE && expected.platform->quirks.fails_later_in_silence)
      later = true;
  }
  if (later) look_again();
}

void Environment::look_again() {
  may_have_failed_ = true;
  next_look_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
  std::thread([queue = completions, when = next_look_] {
    std::this_thread::sleep_until(when);
    queue->call_soon();
  }).detach();
}

void Environment::add_waited_for() {
  std::vector<double> ids;
  ids.swap(to_wait_for_);
  for (const double id : ids) {
    const auto found = expected_.find(static_cast<uint64_t>(id));
    if (found == expected_.end()) continue;
    const Expected& expected = found->second;
    // The program itself completes a user event, and the driver calls back from that call.
    if (!is_user_event(expected.event, *expected.platform))
      expected.platform->cl.clWaitForEvents.pointer(1, &expected.event);
    const cl_int status = status_of(expected.event, *expected.platform);
    if (status <= CL_COMPLETE) batch_.push_back({id, status});
  }
}

Job& Environment::start(double id, Platform* platform, std::function<cl_int(Job&)> work) {
  auto owned = std::make_unique<Job>();
  Job& job = *owned;
  job.platform = platform;
  jobs_[static_cast<uint64_t>(id)] = std::move(owned);
  job.thread = std::thread([&job, work = std::move(work), ticket = ticket(id)] {
    const cl_int status = work(job);
    job.done = true;
    ticket->redeem(status);
  });
  return job;
}

std::unique_ptr<Job> Environment::take_job(double id) {
  auto found = jobs_.find(static_cast<uint64_t>(id));
  if (found == jobs_.end()) return nullptr;
  std::unique_ptr<Job> job = std::move(found->second);
  jobs_.erase(found);
  if (job->thread.joinable()) job->thread.join();
  return job;
}

void Environment::deliver(napi_env, void* context) { static_cast<Environment*>(context)->deliver_batch(); }

void Environment::deliver_batch() {
  napi_handle_scope scope;
  napi_open_handle_scope(env, &scope);
  ask_for_callbacks();
  completions->drain_messages(messages_);
  completions->drain(batch_);
  // The driver may call back for these as well: a ticket is looked up, so that it is delivered once.
  add_failed();
  add_waited_for();
  for (const std::string& message : messages_) {
    napi_value argument;
    napi_create_string_utf8(env, message.data(), message.size(), &argument);
    dispatch(argument);
  }
  // A callback may enqueue and so come back here through nothing but the loop: the batch is ours until the end.
  size_t filled = 0;
  const auto flush = [&] {
    if (filled == 0) return;
    napi_value argument;
    napi_create_double(env, static_cast<double>(filled), &argument);
    filled = 0;
    dispatch(argument);
  };
  for (const Completion& completion : batch_) {
    auto found = expected_.find(static_cast<uint64_t>(completion.id));
    if (found == expected_.end()) continue;
    const Expected& expected = found->second;
    const bool notify = expected.notify;
    cl_int status = completion.status;
    // PoCL 3.1 says that an event is complete when asked to call back for one that has failed.
    if (notify && expected.event && status == CL_COMPLETE)
      status = std::min(status, status_of(expected.event, *expected.platform));
    settle(completion.id, found->second);
    if (!notify) continue;
    scratch.completion[2 * filled] = completion.id;
    scratch.completion[2 * filled + 1] = status;
    if (++filled == Scratch::completions) flush();
  }
  flush();
  napi_close_handle_scope(env, scope);
}

void Environment::dispatch(napi_value argument) {
  napi_value receiver;
  napi_get_undefined(env, &receiver);
  // By index: what is called may attach another one.
  for (size_t i = 0; i < dispatchers_.size();) {
    napi_value function = nullptr;
    napi_get_reference_value(env, dispatchers_[i], &function);
    if (!function) {
      napi_delete_reference(env, dispatchers_[i]);
      dispatchers_.erase(dispatchers_.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    i++;
    if (napi_call_function(env, receiver, function, 1, &argument, nullptr) == napi_pending_exception) {
      napi_value error;
      napi_get_and_clear_last_exception(env, &error);
      napi_fatal_exception(env, error);
    }
  }
}

void Environment::finish_pinned() {
  // The engine is about to free memory that commands in flight read and write: they get a moment to finish.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  for (auto& [id, expected] : expected_) {
    if (!expected.event) continue;
    while ((expected.pinned || expected.kept) && under_way(expected.event, *expected.platform) &&
           std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (expected.kept && under_way(expected.event, *expected.platform))
      leave_behind(std::make_unique<std::shared_ptr<void>>(std::move(expected.kept)));
    expected.platform->cl.clReleaseEvent.pointer(expected.event);
  }
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
  finish_pinned();
  for (auto& [id, job] : jobs_) {
    if (!job->thread.joinable()) continue;
    // A build cannot be interrupted, and its thread uses the job: it keeps both.
    if (job->done) {
      job->thread.join();
    } else {
      job->thread.detach();
      leave_behind(std::move(job));
    }
  }
  // With it stay the completions, which know the tickets that drivers have not called back for.
  leave_behind(std::move(ticket_of_messages_));
  // At the end of the process its memory goes anyway, and a driver may wait for kernels that never end.
  if (main_thread_) {
    handles.each([](Slot& slot) { leave_behind(std::move(slot.attachment)); });
    for (auto& platform : platforms) leave_behind(std::move(platform));
    return;
  }
  handles.each([](Slot& slot) { release_object(slot); });
  // Detached jobs and late callbacks may still name a platform.
  for (auto& platform : platforms) leave_behind(std::move(platform));
}

}  // namespace anycl
