// SPDX-License-Identifier: MIT
//
// Reads and writes of buffers.
#include "transfers.h"

#include <cstring>
#include <optional>
#include <utility>

namespace icd {

bool Rect::resolve(const size_t region[3]) {
  if (row_pitch == 0) row_pitch = region[0];
  if (row_pitch < region[0]) return false;
  if (slice_pitch == 0) slice_pitch = row_pitch * region[1];
  return slice_pitch >= row_pitch * region[1] && slice_pitch % row_pitch == 0;
}

bool is_region(const size_t* region) { return region != nullptr && region[0] != 0 && region[1] != 0 && region[2] != 0; }

cl_int check_buffer(cl_context context, cl_mem buffer) {
  if (!is(buffer) || !buffer->is_buffer()) return CL_INVALID_MEM_OBJECT;
  return buffer->context.get() == context ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

cl_int check_buffer(cl_command_queue queue, cl_mem buffer) {
  return is(queue) ? check_buffer(queue->context.get(), buffer) : CL_INVALID_COMMAND_QUEUE;
}

cl_int check_rect(cl_mem buffer, const size_t* region, Rect& in_buffer, Rect& in_host, const void* ptr) {
  if (ptr == nullptr || !is_region(region) || in_buffer.origin == nullptr || in_host.origin == nullptr) return CL_INVALID_VALUE;
  if (!in_buffer.resolve(region) || !in_host.resolve(region)) return CL_INVALID_VALUE;
  return in_buffer.end(region) <= buffer->size ? CL_SUCCESS : CL_INVALID_VALUE;
}

namespace {

cl_int check_span(cl_mem buffer, size_t offset, size_t size, const void* ptr) {
  if (ptr == nullptr || size == 0 || !is_within(offset, size, buffer->size)) return CL_INVALID_VALUE;
  return CL_SUCCESS;
}

}  // namespace

/**
 * Long transfers are staged in blocks of this size: the server copies one while the program copies another. Smaller blocks cost
 * more round trips, larger ones do not fit the processor's cache.
 */
constexpr size_t kPart = size_t{4} << 20;

/** Transfers of at least this size are copied in shared pages. For shorter ones a second copy costs less than further messages. */
constexpr size_t kLeastTurn = size_t{256} << 10;

/** The program may have released the buffer when the copy runs. */
char* shared_at(cl_mem buffer, size_t offset) { return buffer->shared == nullptr ? nullptr : buffer->shared + offset; }

/** A copy of this size takes no longer than a turn and passing it to another thread. */
constexpr size_t kMostAtOnce = size_t{2} << 20;

/**
 * Copies to or from the pages that both processes map. Nothing if the server has to copy, because they share none or because the
 * transfer has to wait and is short.
 */
std::optional<cl_int> copy_here(const Enqueue& enqueue, cl_mem buffer, cl_command_type type, size_t size,
                                const std::function<void()>& copy) {
  if (buffer->shared == nullptr) return std::nullopt;
  if (enqueue.blocking || size <= kMostAtOnce)
    if (run_now(enqueue, type, copy)) return CL_SUCCESS;
  if (size < kLeastTurn) return std::nullopt;
  return (enqueue.blocking ? take_turn : take_turn_later)(enqueue, buffer, type, copy);
}

/** A long blocking transfer, in parts. */
template <typename Request>
class Parts {
 public:
  Parts(const Enqueue& enqueue, Request request, cl_command_type type) : enqueue_(enqueue), request_(request), type_(type) {}

  /** Fills and sends a block while the server reads the previous one. */
  cl_int write(size_t offset, size_t size, const char* from) {
    cl_int status = CL_SUCCESS;
    for (size_t done = 0; done < size && status == CL_SUCCESS; done += kPart) {
      const size_t part = size - done < kPart ? size - done : kPart;
      Slot& slot = slots_[done / kPart % 2];
      status = settle(slot);
      if (status == CL_SUCCESS && !slot.block) return CL_OUT_OF_HOST_MEMORY;
      if (status != CL_SUCCESS) break;
      std::memcpy(slot.block.data(), from + done, part);
      status = send(slot, offset + done, part);
    }
    return finish(status);
  }

  /** Requests the next block before it copies this one. */
  cl_int read(size_t offset, size_t size, char* to) {
    cl_int status = CL_SUCCESS;
    for (size_t done = 0; done < size + kPart && status == CL_SUCCESS; done += kPart) {
      if (done < size) status = send(slots_[done / kPart % 2], offset + done, size - done < kPart ? size - done : kPart);
      if (done == 0 || status != CL_SUCCESS) continue;
      Slot& slot = slots_[(done / kPart - 1) % 2];
      status = settle(slot);
      const size_t start = done - kPart;
      if (status == CL_SUCCESS) std::memcpy(to + start, slot.block.data(), size - start < kPart ? size - start : kPart);
    }
    return finish(status);
  }

 private:
  struct Slot {
    explicit Slot(Staging& staging) : block(staging, kPart) {}
    StagedBlock block;
    cl_event sent = nullptr;
  };

  cl_int send(Slot& slot, size_t offset, size_t size) {
    if (!slot.block) return CL_OUT_OF_HOST_MEMORY;
    request_.offset = offset;
    request_.size = size;
    request_.staged = slot.block.offset();
    Enqueue part = enqueue_;
    part.event = &slot.sent;
    part.blocking = false;
    const cl_int status = part.send(request_, type_);
    last_ = status == CL_SUCCESS ? &slot : last_;
    return status;
  }

  /** Waits for the slot's previous use. */
  cl_int settle(Slot& slot) {
    if (slot.sent == nullptr) return CL_SUCCESS;
    const cl_int status = wait_for(slot.sent);
    // The last part's event is the program's; `finish` returns it.
    if (&slot != last_) clReleaseEvent(std::exchange(slot.sent, nullptr));
    return status < 0 ? status : CL_SUCCESS;
  }

  cl_int finish(cl_int status) {
    for (Slot& slot : slots_) {
      const bool is_last = &slot == last_;
      if (slot.sent == nullptr) continue;
      const cl_int end = wait_for(slot.sent);
      if (status == CL_SUCCESS && end < 0) status = end;
      cl_event done = std::exchange(slot.sent, nullptr);
      if (is_last && status == CL_SUCCESS && enqueue_.event != nullptr) *enqueue_.event = done;
      else clReleaseEvent(done);
    }
    return status;
  }

  const Enqueue& enqueue_;
  Request request_;
  cl_command_type type_;
  Slot slots_[2] = {Slot(enqueue_.queue->connection->staging()), Slot(enqueue_.queue->connection->staging())};
  Slot* last_ = nullptr;
};

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking_read, size_t offset,
                                       size_t size, void* ptr, cl_uint num_events, const cl_event* wait_list,
                                       cl_event* event) {
  cl_int wrong = check_buffer(queue, buffer);
  if (wrong == CL_SUCCESS) wrong = check_span(buffer, offset, size, ptr);
  if (wrong != CL_SUCCESS) return wrong;
  if (!may_read(buffer)) return CL_INVALID_OPERATION;
  EnqueueReadBuffer request;
  request.buffer = buffer->id;
  request.offset = offset;
  request.size = size;
  const Enqueue enqueue{queue, num_events, wait_list, event, blocking_read != CL_FALSE};
  const auto copy = [=, shared = shared_at(buffer, offset)] { std::memcpy(ptr, shared, size); };
  if (const auto status = copy_here(enqueue, buffer, CL_COMMAND_READ_BUFFER, size, copy)) return *status;
  if (enqueue.blocking && size > kPart)
    return Parts(enqueue, request, CL_COMMAND_READ_BUFFER).read(offset, size, static_cast<char*>(ptr));
  const size_t bytes[3] = {size, 1, 1};
  return send_read(enqueue, request, CL_COMMAND_READ_BUFFER, {static_cast<char*>(ptr), size, size}, bytes);
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking_write, size_t offset,
                                        size_t size, const void* ptr, cl_uint num_events, const cl_event* wait_list,
                                        cl_event* event) {
  cl_int wrong = check_buffer(queue, buffer);
  if (wrong == CL_SUCCESS) wrong = check_span(buffer, offset, size, ptr);
  if (wrong != CL_SUCCESS) return wrong;
  if (!may_write(buffer)) return CL_INVALID_OPERATION;
  EnqueueWriteBuffer request;
  request.buffer = buffer->id;
  request.offset = offset;
  request.size = size;
  const Enqueue enqueue{queue, num_events, wait_list, event, blocking_write != CL_FALSE};
  const auto copy = [=, shared = shared_at(buffer, offset)] { std::memcpy(shared, ptr, size); };
  if (const auto status = copy_here(enqueue, buffer, CL_COMMAND_WRITE_BUFFER, size, copy)) return *status;
  if (enqueue.blocking && size > kPart)
    return Parts(enqueue, request, CL_COMMAND_WRITE_BUFFER).write(offset, size, static_cast<const char*>(ptr));
  const size_t bytes[3] = {size, 1, 1};
  return send_write(enqueue, request, CL_COMMAND_WRITE_BUFFER, {static_cast<char*>(const_cast<void*>(ptr)), size, size}, bytes);
}

namespace {

template <typename Request>
Request rect_request(cl_mem buffer, const Rect& in_buffer, const size_t* region) {
  Request request;
  request.buffer = buffer->id;
  request.origin = triple(in_buffer.origin);
  request.region = triple(region);
  request.rowPitch = in_buffer.row_pitch;
  request.slicePitch = in_buffer.slice_pitch;
  return request;
}

}  // namespace

cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking_read,
                                           const size_t* buffer_origin, const size_t* host_origin,
                                           const size_t* region, size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                           size_t host_row_pitch, size_t host_slice_pitch, void* ptr,
                                           cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  Rect in_buffer{buffer_origin, buffer_row_pitch, buffer_slice_pitch};
  Rect in_host{host_origin, host_row_pitch, host_slice_pitch};
  cl_int wrong = check_buffer(queue, buffer);
  if (wrong == CL_SUCCESS) wrong = check_rect(buffer, region, in_buffer, in_host, ptr);
  if (wrong != CL_SUCCESS) return wrong;
  if (!may_read(buffer)) return CL_INVALID_OPERATION;
  const HostBox box{static_cast<char*>(ptr) + in_host.offset(), in_host.row_pitch, in_host.slice_pitch};
  return send_read(Enqueue{queue, num_events, wait_list, event, blocking_read != CL_FALSE},
                   rect_request<EnqueueReadBufferRect>(buffer, in_buffer, region), CL_COMMAND_READ_BUFFER_RECT, box, region);
}

cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking_write,
                                            const size_t* buffer_origin, const size_t* host_origin,
                                            const size_t* region, size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                            size_t host_row_pitch, size_t host_slice_pitch, const void* ptr,
                                            cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  Rect in_buffer{buffer_origin, buffer_row_pitch, buffer_slice_pitch};
  Rect in_host{host_origin, host_row_pitch, host_slice_pitch};
  cl_int wrong = check_buffer(queue, buffer);
  if (wrong == CL_SUCCESS) wrong = check_rect(buffer, region, in_buffer, in_host, ptr);
  if (wrong != CL_SUCCESS) return wrong;
  if (!may_write(buffer)) return CL_INVALID_OPERATION;
  char* data = static_cast<char*>(const_cast<void*>(ptr)) + in_host.offset();
  return send_write(Enqueue{queue, num_events, wait_list, event, blocking_write != CL_FALSE},
                    rect_request<EnqueueWriteBufferRect>(buffer, in_buffer, region), CL_COMMAND_WRITE_BUFFER_RECT,
                    {data, in_host.row_pitch, in_host.slice_pitch}, region);
}

}  // namespace icd
