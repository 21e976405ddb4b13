// SPDX-License-Identifier: MIT
//
// Commands between host memory and the device.
#include "executor.h"

namespace anycl {

Bytes Executor::host() {
  const size_t index = 2 + host_count_;
  if (!a_ || !a_->has(index)) fail(CL_INVALID_HOST_PTR, name_, "no host memory");
  Bytes bytes = a_->bytes(index);
  hosts_[host_count_++] = bytes.value;
  out_ = &made_;
  return bytes;
}

void Executor::keep_host_memory_alive() {
  const double id = environment_.tickets.expect(false);
  if (host_count_ == 1) {
    environment_.tickets.pin(id, hosts_[0], made_, &platform_);
  } else {
    napi_value both = nullptr;
    napi_create_array_with_length(environment_.env, 2, &both);
    napi_set_element(environment_.env, both, 0, hosts_[0]);
    napi_set_element(environment_.env, both, 1, hosts_[1]);
    environment_.tickets.pin(id, both, made_, &platform_);
  }
  if (cl_.clSetEventCallback.in(platform_)) {
    environment_.tickets.watch(id);
  } else {
    // OpenCL 1.0 has no callbacks, so a transfer completes before the call returns.
    cl_.clWaitForEvents.pointer(1, &made_);
    environment_.tickets.forget(id);
  }
}

void Executor::transfer(bool read) {
  name_ = read ? cl_.clEnqueueReadBuffer.name : cl_.clEnqueueWriteBuffer.name;
  cursor_.function(name_);
  const cl_mem memory = cursor_.memory();
  const size_t offset = cursor_.size();
  const Bytes bytes = host();
  done(read ? cl_.clEnqueueReadBuffer.pointer(queue_, memory, 0, offset, bytes.size, bytes.data, waits_.count(),
                                              waits_.list(), out_)
            : cl_.clEnqueueWriteBuffer.pointer(queue_, memory, 0, offset, bytes.size, bytes.data, waits_.count(),
                                               waits_.list(), out_));
}

void Executor::transfer_rect(bool read) {
  const auto read_rect = read ? use(cl_.clEnqueueReadBufferRect) : nullptr;
  const auto write_rect = read ? nullptr : use(cl_.clEnqueueWriteBufferRect);
  const cl_mem memory = cursor_.memory();
  const Size3 buffer_origin = cursor_.triple(), host_origin = cursor_.triple(), region = cursor_.triple();
  const size_t buffer_row = cursor_.size(), buffer_slice = cursor_.size();
  const size_t host_row = cursor_.size(), host_slice = cursor_.size();
  const Bytes bytes = host();
  const double row = host_row ? static_cast<double>(host_row) : static_cast<double>(region.v[0]);
  const double slice = host_slice ? static_cast<double>(host_slice) : row * static_cast<double>(region.v[1]);
  const double end = (static_cast<double>(host_origin.v[2]) + static_cast<double>(region.v[2]) - 1) * slice +
                     (static_cast<double>(host_origin.v[1]) + static_cast<double>(region.v[1]) - 1) * row +
                     static_cast<double>(host_origin.v[0]) + static_cast<double>(region.v[0]);
  require(end <= static_cast<double>(bytes.size), CL_INVALID_VALUE, "the host memory is smaller than the region");
  done(read ? read_rect(queue_, memory, 0, buffer_origin, host_origin, region, buffer_row, buffer_slice, host_row,
                        host_slice, bytes.data, waits_.count(), waits_.list(), out_)
            : write_rect(queue_, memory, 0, buffer_origin, host_origin, region, buffer_row, buffer_slice, host_row,
                         host_slice, bytes.data, waits_.count(), waits_.list(), out_));
}

void Executor::transfer_image(bool read) {
  name_ = read ? cl_.clEnqueueReadImage.name : cl_.clEnqueueWriteImage.name;
  cursor_.function(name_);
  const Slot& image = cursor_.handle(Kind::memory);
  const auto memory = image.as<cl_mem>();
  const auto element = static_cast<double>(image.size);
  const Origin origin = cursor_.origin();
  const Size3 region = cursor_.triple();
  const size_t row_pitch = cursor_.size(), slice_pitch = cursor_.size();
  const Bytes bytes = host();
  const double width = static_cast<double>(region.v[0]) * element;
  const double row = row_pitch ? static_cast<double>(row_pitch) : width;
  const double slice = slice_pitch ? static_cast<double>(slice_pitch) : row * static_cast<double>(region.v[1]);
  // In a one-dimensional array the second coordinate counts slices.
  const double step = slice_pitch && region.v[2] <= 1 ? (slice > row ? slice : row) : row;
  const double end =
      (static_cast<double>(region.v[2]) - 1) * slice + (static_cast<double>(region.v[1]) - 1) * step + width;
  require(end <= static_cast<double>(bytes.size), CL_INVALID_VALUE, "the host memory is smaller than the region");
  done(read ? cl_.clEnqueueReadImage.pointer(queue_, memory, 0, origin, region, row_pitch, slice_pitch, bytes.data,
                                             waits_.count(), waits_.list(), out_)
            : cl_.clEnqueueWriteImage.pointer(queue_, memory, 0, origin, region, row_pitch, slice_pitch, bytes.data,
                                              waits_.count(), waits_.list(), out_));
}

}  // namespace anycl
