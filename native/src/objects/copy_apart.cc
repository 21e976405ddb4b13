// SPDX-License-Identifier: MIT
#include "copy_apart.h"

#include <cstring>

namespace anycl {

napi_value copy_apart(Arguments& a) {
  const Slot& slot = a.handle(0, Kind::queue);
  Platform* platform = slot.platform;
  const Library& cl = platform->cl;
  const auto queue = slot.as<cl_command_queue>();
  const auto memory = a.handle(1, Kind::memory, *platform).as<cl_mem>();
  const size_t offset = a.size(2);
  const Bytes host = a.bytes(3);
  const bool read = a.flag(4);
  check(cl.clRetainCommandQueue.pointer(queue), "clRetainCommandQueue");
  check(cl.clRetainMemObject.pointer(memory), "clRetainMemObject");
  Environment& environment = a.environment();
  const double id = environment.tickets.expect(true);
  environment.tickets.pin(id, host.value, nullptr, platform);
  const auto work = [=, &cl](Job&) {
    const cl_int code = read ? cl.clEnqueueReadBuffer.pointer(queue, memory, CL_TRUE, offset, host.size, host.data, 0, nullptr, nullptr)
                             : cl.clEnqueueWriteBuffer.pointer(queue, memory, CL_TRUE, offset, host.size, host.data, 0, nullptr, nullptr);
    cl.clReleaseMemObject.pointer(memory);
    cl.clReleaseCommandQueue.pointer(queue);
    return code;
  };
  environment.jobs.start(environment.tickets.ticket(id), platform, work, Jobs::AtEnd::wait);
  return a.of(id);
}

napi_value copy_memory(Arguments& a) {
  const Bytes from = a.bytes(1);
  const Bytes to = a.bytes(2);
  if (from.size != to.size) a.wrong(2, "memory of the same size");
  Platform* platform = a.handle(0, Kind::queue).platform;
  Environment& environment = a.environment();
  napi_value both = a.list({from.value, to.value});
  const double id = environment.tickets.expect(true);
  environment.tickets.pin(id, both, nullptr, platform);
  const auto work = [=](Job&) {
    std::memcpy(to.data, from.data, to.size);
    return CL_SUCCESS;
  };
  environment.jobs.start(environment.tickets.ticket(id), platform, work, Jobs::AtEnd::wait);
  return a.of(id);
}

}  // namespace anycl
