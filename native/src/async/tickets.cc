// SPDX-License-Identifier: MIT
#include "tickets.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "../events/event_info.h"
#include "../immortal.h"
#include "../napi/errors.h"

namespace anycl {
namespace {

/**
 * The most transfers that are watched without callbacks, which limits the memory that a script keeps alive while it blocks the
 * event loop.
 */
constexpr size_t most_watched = 64;

void CL_CALLBACK on_status(cl_event, cl_int status, void* user) { static_cast<Ticket*>(user)->redeem(status); }

/** Has the driver redeem the ticket when the event reaches the status; deletes the ticket on failure. */
cl_int ask_for_callback(const Platform& platform, cl_event event, cl_int status, Ticket* ticket) {
  const cl_int code = platform.cl.clSetEventCallback.of(platform)(event, status, on_status, ticket);
  if (code != CL_SUCCESS) delete ticket;
  return code;
}

}  // namespace

double Tickets::expect(bool notify, bool keep_alive) {
  const double id = next_id_++;
  Expected& expected = at(id);
  expected.notify = notify;
  expected.keep_alive = notify && keep_alive;
  if (expected.keep_alive && awaited_++ == 0) hold(true);
  return id;
}

void Tickets::forget(double id) {
  auto found = expected_.find(static_cast<uint64_t>(id));
  if (found != expected_.end()) close(id, found->second);
}

void Tickets::close(double id, Expected& expected) {
  if (expected.keep_alive && --awaited_ == 0) hold(false);
  if (expected.pinned) napi_delete_reference(env_, expected.pinned);
  if (expected.event) expected.platform->cl.clReleaseEvent.pointer(expected.event);
  expected_.erase(static_cast<uint64_t>(id));
}

void Tickets::hold(bool on) {
  completions_->keep_alive(env_, on);
  if (on)
    copies_.hold();
  else
    copies_.release();
}

void Tickets::pin(double id, napi_value value, cl_event event, Platform* platform) {
  Expected& expected = at(id);
  napi_create_reference(env_, value, 1, &expected.pinned);
  expected.event = event;
  expected.platform = platform;
  if (event) platform->cl.clRetainEvent.pointer(event);
}

void Tickets::keep(std::shared_ptr<void> object, cl_event event, Platform* platform) {
  if (!under_way(event, *platform)) {
    platform->cl.clReleaseEvent.pointer(event);
    return;
  }
  const double id = expect(false);
  Expected& expected = at(id);
  expected.kept = std::move(object);
  expected.event = event;
  expected.platform = platform;
  watch(id);
}

void Tickets::watch(double id) {
  watched_.push_back(id);
  if (watched_.size() < most_watched)
    completions_->call_soon();
  else
    ask_for_callbacks();
}

void Tickets::await_event(double id, cl_event event, cl_int status, Platform* platform) {
  Expected& expected = at(id);
  expected.event = event;
  expected.platform = platform;
  platform->cl.clRetainEvent.pointer(event);
  const cl_int code = ask_for_callback(*platform, event, status, ticket(id));
  if (code != CL_SUCCESS) {
    forget(id);
    fail(code, "clSetEventCallback");
  }
  if (platform->quirks.calls_back_late) status_watch_.add(id, event, status, platform);
  if (!platform->quirks.acts_only_in_waits) return;
  to_wait_for_.push_back(id);
  completions_->call_soon();
}

void Tickets::sweep() {
  const auto ended = [this](double id) {
    const auto found = expected_.find(static_cast<uint64_t>(id));
    if (found == expected_.end()) return true;
    Expected& expected = found->second;
    if (under_way(expected.event, *expected.platform)) return false;
    close(id, expected);
    return true;
  };
  watched_.erase(std::remove_if(watched_.begin(), watched_.end(), ended), watched_.end());
}

void Tickets::ask_for_callbacks() {
  sweep();
  // If the driver refuses, the memory stays alive and a later sweep sees the completion.
  const auto asked = [this](double id) {
    const Expected& expected = at(id);
    return ask_for_callback(*expected.platform, expected.event, CL_COMPLETE, ticket(id)) == CL_SUCCESS;
  };
  watched_.erase(std::remove_if(watched_.begin(), watched_.end(), asked), watched_.end());
}

bool Tickets::collect_failed(std::vector<Completion>& batch) {
  bool later = false;
  for (const auto& [id, expected] : expected_) {
    if (!expected.notify || !expected.event) continue;
    const cl_int status = status_of(expected.event, *expected.platform);
    if (status < CL_COMPLETE)
      batch.push_back({static_cast<double>(id), status});
    else if (status > CL_COMPLETE && expected.platform->quirks.fails_later_in_silence)
      later = true;
  }
  return later;
}

void Tickets::collect_by_waiting(std::vector<Completion>& batch) {
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
    if (status <= CL_COMPLETE) batch.push_back({id, status});
  }
}

bool Tickets::settle(Completion& completion) {
  auto found = expected_.find(static_cast<uint64_t>(completion.id));
  if (found == expected_.end()) return false;
  const Expected& expected = found->second;
  const bool notify = expected.notify;
  // PoCL 3.1 calls back with CL_COMPLETE for an event that has failed.
  if (notify && expected.event && completion.status == CL_COMPLETE)
    completion.status = std::min(completion.status, status_of(expected.event, *expected.platform));
  close(completion.id, found->second);
  return notify;
}

void Tickets::count_references(std::unordered_map<cl_event, cl_uint>& counts) const {
  for (const auto& [id, expected] : expected_)
    if (expected.event) counts[expected.event]++;
}

void Tickets::finish() {
  status_watch_.stop();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  for (auto& [id, expected] : expected_) {
    if (!expected.event) continue;
    while ((expected.pinned || expected.kept) && under_way(expected.event, *expected.platform) &&
           std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (expected.kept && under_way(expected.event, *expected.platform))
      make_immortal(std::make_unique<std::shared_ptr<void>>(std::move(expected.kept)));
    expected.platform->cl.clReleaseEvent.pointer(expected.event);
  }
  // This also keeps the completions alive, which have the tickets that drivers have not called back for.
  make_immortal(std::move(messages_));
}

}  // namespace anycl
