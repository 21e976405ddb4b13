// SPDX-License-Identifier: MIT
#include "completions.h"

namespace anycl {
namespace {

struct Delivery {
  Completions::Deliver deliver;
  void* context;
};

void call_js(napi_env env, napi_value, void* context, void*) {
  auto* delivery = static_cast<Delivery*>(context);
  if (env) delivery->deliver(env, delivery->context);
}

void finalize(napi_env, void* data, void*) { delete static_cast<Delivery*>(data); }

}  // namespace

void Completions::open(napi_env env, Deliver deliver, void* context) {
  napi_value name = nullptr;
  napi_create_string_utf8(env, "anycl", NAPI_AUTO_LENGTH, &name);
  auto* delivery = new Delivery{deliver, context};
  napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, delivery, finalize, delivery, call_js,
                                  &function_);
  napi_unref_threadsafe_function(env, function_);
}

void Completions::wake() {
  // Under the lock, so that the function is not closed meanwhile.
  if (woken_ || !function_) return;
  woken_ = napi_call_threadsafe_function(function_, nullptr, napi_tsfn_nonblocking) == napi_ok;
}

void Completions::push(Completion completion) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!function_) return;
  waiting_.push_back(completion);
  wake();
}

void Completions::call_soon() {
  std::lock_guard<std::mutex> lock(mutex_);
  wake();
}

void Completions::push_message(std::string text) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!function_) return;
  messages_.push_back(std::move(text));
  wake();
}

void Completions::drain(std::vector<Completion>& into) {
  into.clear();
  std::lock_guard<std::mutex> lock(mutex_);
  into.swap(waiting_);
  woken_ = false;
}

void Completions::drain_messages(std::vector<std::string>& into) {
  into.clear();
  std::lock_guard<std::mutex> lock(mutex_);
  into.swap(messages_);
}

void Completions::keep_alive(napi_env env, bool on) {
  if (!function_) return;
  if (on)
    napi_ref_threadsafe_function(env, function_);
  else
    napi_unref_threadsafe_function(env, function_);
}

void Completions::close() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!function_) return;
  napi_release_threadsafe_function(function_, napi_tsfn_abort);
  function_ = nullptr;
  waiting_.clear();
  messages_.clear();
}

void Completions::add(Ticket& ticket) {
  std::lock_guard<std::mutex> lock(out_mutex_);
  ticket.next_ = out_;
  if (out_) out_->previous_ = &ticket;
  out_ = &ticket;
}

void Completions::remove(Ticket& ticket) {
  std::lock_guard<std::mutex> lock(out_mutex_);
  (ticket.previous_ ? ticket.previous_->next_ : out_) = ticket.next_;
  if (ticket.next_) ticket.next_->previous_ = ticket.previous_;
}

}  // namespace anycl
