// SPDX-License-Identifier: MIT
#include "open_user_events.h"

#include <algorithm>

namespace anycl {

bool OpenUserEvents::any_open(const Ids& ids) const {
  return std::any_of(ids.begin(), ids.end(), [this](uint64_t id) { return open_.count(id) > 0; });
}

void OpenUserEvents::add(Ids& to, const Ids& ids) const {
  for (const uint64_t id : ids)
    if (open_.count(id) > 0 && std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
}

void OpenUserEvents::open(cl_event user_event) {
  open_.insert(next_);
  user_events_[user_event] = next_++;
}

void OpenUserEvents::close(cl_event user_event) {
  const auto found = user_events_.find(user_event);
  if (found == user_events_.end()) return;
  remove(found->second);
  user_events_.erase(found);
}

void OpenUserEvents::lose(cl_event user_event) {
  const auto found = user_events_.find(user_event);
  if (found == user_events_.end()) return;
  if (!holds_any(found->second)) remove(found->second);
  user_events_.erase(found);
}

bool OpenUserEvents::holds_any(uint64_t id) const {
  const auto holds = [id](const Ids& ids) { return std::find(ids.begin(), ids.end(), id) != ids.end(); };
  return std::any_of(commands_.begin(), commands_.end(), [&](const auto& entry) { return holds(entry.second); }) ||
         std::any_of(queues_.begin(), queues_.end(), [&](const auto& entry) { return holds(entry.second.all); });
}

void OpenUserEvents::remove(uint64_t id) {
  open_.erase(id);
  if (!open_.empty()) return;
  commands_.clear();
  queues_.clear();
}

OpenUserEvents::Ids OpenUserEvents::before(cl_command_queue queue, const cl_event* waits, size_t count, After after) const {
  Ids ids;
  for (size_t i = 0; i < count; i++) {
    const auto user_event = user_events_.find(waits[i]);
    if (user_event != user_events_.end()) add(ids, {user_event->second});
    const auto command = commands_.find(waits[i]);
    if (command != commands_.end()) add(ids, command->second);
  }
  const auto found = queues_.find(queue);
  if (found == queues_.end()) return ids;
  const bool all = found->second.in_order || after != After::as_the_queue_does;
  add(ids, all ? found->second.all : found->second.barriers);
  return ids;
}

void OpenUserEvents::enqueued(cl_command_queue queue, const Platform& platform, cl_event event, const Ids& ids, After after) {
  // The driver may have given the event the address of an earlier one.
  if (event) commands_.erase(event);
  if (ids.empty()) return;
  if (event) commands_[event] = ids;
  auto found = queues_.find(queue);
  if (found == queues_.end()) {
    cl_command_queue_properties properties = 0;
    platform.cl.clGetCommandQueueInfo.pointer(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr);
    const bool in_order = platform.quirks.runs_all_in_order || !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    found = queues_.insert({queue, {in_order, {}, {}}}).first;
  }
  add(found->second.all, ids);
  if (after == After::barrier) add(found->second.barriers, ids);
}

bool OpenUserEvents::blocks(cl_event event) const {
  if (is_open(event)) return true;
  const auto command = commands_.find(event);
  return command != commands_.end() && any_open(command->second);
}

bool OpenUserEvents::blocks(cl_command_queue queue) const {
  const auto found = queues_.find(queue);
  return found != queues_.end() && any_open(found->second.all);
}

}  // namespace anycl
