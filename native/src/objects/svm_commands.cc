// SPDX-License-Identifier: MIT
//
// Commands on shared virtual memory.
#include "executor.h"

namespace anycl {
namespace {

void CL_CALLBACK leave_svm(cl_command_queue, cl_uint, void**, void*) {}

}  // namespace

void Executor::svm_memcpy() {
  const auto copy = use(cl_.clEnqueueSVMMemcpy);
  struct Side {
    uint8_t* data;
    size_t size;
  };
  const auto side = [&]() -> Side {
    const double handle = cursor_.number();
    const size_t offset = cursor_.size();
    uint8_t* data;
    size_t size;
    if (handle == 0) {
      const Bytes bytes = host();
      data = bytes.data, size = bytes.size;
    } else {
      const Slot& svm = environment_.handles.get(handle, Kind::svm, name_, platform_);
      data = svm.as<uint8_t*>(), size = svm.size;
    }
    require(offset <= size, CL_INVALID_VALUE, "the offset is beyond the end");
    return {data + offset, size - offset};
  };
  const Side to = side(), from = side();
  const size_t size = cursor_.size();
  require(size <= to.size && size <= from.size, CL_INVALID_VALUE, "the size is beyond the end");
  done_with_room([&] { return copy(queue_, 0, to.data, from.data, size, waits_.count(), waits_.list(), out_); });
}

void Executor::svm_fill() {
  const auto fill = use(cl_.clEnqueueSVMMemFill);
  const Slot& svm = cursor_.handle(Kind::svm);
  const size_t offset = cursor_.size(), size = cursor_.size();
  require(offset <= svm.size && size <= svm.size - offset, CL_INVALID_VALUE, "beyond the end of the memory");
  size_t pattern_size;
  const uint8_t* pattern = cursor_.bytes(pattern_size);
  done_with_room([&] {
    return fill(queue_, svm.as<uint8_t*>() + offset, pattern, pattern_size, size, waits_.count(), waits_.list(), out_);
  });
}

void Executor::svm_map() {
  const auto map = use(cl_.clEnqueueSVMMap);
  const Slot& svm = cursor_.handle(Kind::svm);
  const size_t flags = cursor_.size(), offset = cursor_.size(), size = cursor_.size();
  require(offset <= svm.size && size <= svm.size - offset, CL_INVALID_VALUE, "beyond the end of the memory");
  uint8_t* const data = svm.as<uint8_t*>() + offset;
  done_with_room([&] { return map(queue_, 0, flags, data, size, waits_.count(), waits_.list(), out_); });
  block_of(svm).mapped(queue_, data);
}

void Executor::svm_unmap() {
  const auto unmap = use(cl_.clEnqueueSVMUnmap);
  SvmBlock& block = block_of(cursor_.handle(Kind::svm));
  done_with_room([&] { return unmap(queue_, block.mapped_at(), waits_.count(), waits_.list(), out_); });
  block.unmapped();
}

void Executor::svm_free() {
  const auto free_svm = use(cl_.clEnqueueSVMFree);
  cl_context context = nullptr;
  cl_.clGetCommandQueueInfo.of(platform_)(queue_, CL_QUEUE_CONTEXT, sizeof(cl_context), &context, nullptr);
  const size_t count = cursor_.size();
  std::vector<double> handles;
  std::vector<void*> pointers;
  for (size_t i = 0; i < count; i++) {
    const Slot& svm = cursor_.handle(Kind::svm);
    handles.push_back(environment_.handles.handle_of(svm));
    require(block_of(svm).memory->context == context, CL_INVALID_CONTEXT,
            "memory of another context than the queue's");
    for (void* earlier : pointers) require(earlier != svm.object, CL_INVALID_VALUE, "the same memory twice");
    pointers.push_back(svm.object);
  }
  // The driver does not free it: commands of other queues may still use the memory, so it is freed in the same way as
  // released blocks.
  done(free_svm(queue_, static_cast<cl_uint>(pointers.size()), pointers.data(), leave_svm, nullptr, waits_.count(),
                waits_.list(), out_));
  for (double handle : handles) {
    Slot slot = environment_.handles.take(handle, name_);
    slot.attachment.reset();
  }
}

void Executor::svm_migrate() {
  const auto migrate = use(cl_.clEnqueueSVMMigrateMem);
  const size_t flags = cursor_.size();
  const size_t count = cursor_.size();
  std::vector<const void*> pointers;
  std::vector<size_t> sizes;
  for (size_t i = 0; i < count; i++) {
    const Slot& svm = cursor_.handle(Kind::svm);
    pointers.push_back(svm.object);
    sizes.push_back(svm.size);
  }
  done(migrate(queue_, static_cast<cl_uint>(count), pointers.data(), sizes.data(), flags, waits_.count(),
                      waits_.list(), out_));
}

}  // namespace anycl
