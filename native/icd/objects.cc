// SPDX-License-Identifier: MIT
#include "objects.h"

#include "command_buffer.h"

namespace {

void release_on_server(const icd::Object& object) {
  if (object.id != 0) object.connection->tell(icd::Release{object.id});
}

}  // namespace

namespace icd {

_cl_platform_id platform;
_cl_device_id device;

}  // namespace icd

_cl_device_id::~_cl_device_id() { release_on_server(*this); }

bool _cl_context::has(cl_device_id device) const {
  for (const auto& own : devices)
    if (own.get() == device) return true;
  return false;
}

std::vector<cl_device_id> _cl_context::handles() const {
  std::vector<cl_device_id> all;
  all.reserve(devices.size());
  for (const auto& own : devices) all.push_back(own.get());
  return all;
}

_cl_context::~_cl_context() {
  for (auto it = on_destroy.rbegin(); it != on_destroy.rend(); ++it) connection->call_back(std::move(*it));
  release_on_server(*this);
}

_cl_command_queue::~_cl_command_queue() {
  if (context) {
    std::lock_guard lock(context->mutex);
    if (context->default_queue == this) context->default_queue = nullptr;
  }
  release_on_server(*this);
}

_cl_mem::~_cl_mem() {
  for (const Mapping& mapping : mappings) connection->staging().free(mapping.staged);
  if (!on_destroy.empty() || pages.offset != 0) {
    // Commands in flight may still use it: the server reports its destruction.
    auto* of = connection;
    of->when_destroyed(id, [of, pages = pages, run = std::move(on_destroy)]() mutable {
      of->slabs().free(pages);
      for (auto it = run.rbegin(); it != run.rend(); ++it) of->call_back(std::move(*it));
    });
  }
  release_on_server(*this);
}

_cl_sampler::~_cl_sampler() { release_on_server(*this); }

_cl_program::~_cl_program() {
  for (auto it = on_release.rbegin(); it != on_release.rend(); ++it) connection->call_back(std::move(*it));
  release_on_server(*this);
}

_cl_kernel::~_cl_kernel() { release_on_server(*this); }

_cl_event::~_cl_event() { release_on_server(*this); }

_cl_semaphore_khr::~_cl_semaphore_khr() { release_on_server(*this); }

_cl_command_buffer_khr::~_cl_command_buffer_khr() { release_on_server(*this); }
