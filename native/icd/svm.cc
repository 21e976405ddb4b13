// SPDX-License-Identifier: MIT
//
// Shared virtual memory: allocation, commands and kernel arguments. Both sides see the same pages (svm_space.h), so maps, unmaps and
// migrations only keep their order in the queue.
#include <cstring>
#include <memory>

#include "argument.h"
#include "command_buffer.h"
#include "transfers.h"

namespace icd {

namespace {

constexpr cl_svm_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
/** The alignment of the largest type. */
constexpr cl_uint kMostAlignment = 128;

uint64_t number(cl_device_id of, cl_device_info param) {
  uint64_t value = 0;
  clGetDeviceInfo(of, param, sizeof value, &value, nullptr);
  return value;
}

bool are_valid(cl_svm_mem_flags flags) {
  const cl_svm_mem_flags access = flags & kAccess;
  if ((flags & ~(kAccess | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS)) != 0 || (access & (access - 1)) != 0) return false;
  return (flags & CL_MEM_SVM_ATOMICS) == 0 || (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0;
}

uint64_t address_of(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

bool is_shared(cl_context context, const void* pointer, size_t size) {
  SvmSpace::Block block;
  return context->connection->svm().find(pointer, size, block) && block.context == context;
}

void free_block(Connection* connection, const void* pointer) {
  SvmSpace::Block block;
  if (pointer == nullptr || !connection->svm().take(pointer, block)) return;
  // The server must release the memory before a later request uses it again.
  connection->tell(Release{block.id});
  connection->svm().free(block);
}

cl_int enqueue_nothing(const Enqueue& enqueue, cl_command_type type, std::function<void(cl_int)> after = {}) {
  EnqueueNothing request;
  request.type = type;
  return enqueue.send(request, type, std::move(after));
}

bool overlap(const void* a, const void* b, size_t size) {
  const uint64_t first = address_of(a);
  const uint64_t second = address_of(b);
  return first < second + size && second < first + size;
}

}  // namespace

void* CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  if (!is(context) || !are_valid(flags) || size == 0) return nullptr;
  if (alignment > kMostAlignment || (alignment & (alignment - 1)) != 0) return nullptr;
  cl_device_id of = context->devices[0].get();
  if (size > number(of, CL_DEVICE_MAX_MEM_ALLOC_SIZE)) return nullptr;
  if (number(of, CL_DEVICE_SVM_CAPABILITIES) == 0) return nullptr;
  Connection* connection = context->connection;
  SvmSpace::Block block{};
  if (!connection->svm().allocate(number(of, CL_DEVICE_GLOBAL_MEM_SIZE), size, block)) return nullptr;
  block.id = connection->next_id();
  block.context = context;
  const SvmAlloc request{block.id, context->id, flags, block.pages(), block.address, block.staged};
  if (connection->ask(request).status != CL_SUCCESS) {
    connection->svm().free(block);
    return nullptr;
  }
  connection->svm().add(block);
  return reinterpret_cast<void*>(static_cast<uintptr_t>(block.address));
}

void CL_API_CALL clSVMFree(cl_context context, void* svm_pointer) {
  if (is(context)) free_block(context->connection, svm_pointer);
}

cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue queue, cl_uint num_svm_pointers, void* svm_pointers[],
                                    void(CL_CALLBACK* pfn_free_func)(cl_command_queue, cl_uint, void*[], void*),
                                    void* user_data, cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  if (!is(queue)) return CL_INVALID_COMMAND_QUEUE;
  if (num_svm_pointers == 0 || svm_pointers == nullptr) return CL_INVALID_VALUE;
  Connection* connection = queue->connection;
  const auto pointers = std::make_shared<std::vector<void*>>(svm_pointers, svm_pointers + num_svm_pointers);
  return enqueue_nothing({queue, num_events, wait_list, event}, CL_COMMAND_SVM_FREE, [=, keep = Use(queue)](cl_int) {
    if (pfn_free_func != nullptr) {
      connection->call_back([=] { pfn_free_func(keep.get(), num_svm_pointers, pointers->data(), user_data); });
      return;
    }
    for (void* pointer : *pointers) free_block(connection, pointer);
  });
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking_copy, void* dst_ptr, const void* src_ptr,
                                      size_t size, cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  if (!is(queue)) return CL_INVALID_COMMAND_QUEUE;
  const Enqueue enqueue{queue, num_events, wait_list, event, blocking_copy != CL_FALSE};
  if (size == 0) return enqueue_nothing(enqueue, CL_COMMAND_SVM_MEMCPY);
  if (dst_ptr == nullptr || src_ptr == nullptr) return CL_INVALID_VALUE;
  if (overlap(dst_ptr, src_ptr, size)) return CL_MEM_COPY_OVERLAP;
  const bool to_shared = is_shared(enqueue.context(), dst_ptr, size);
  const bool from_shared = is_shared(enqueue.context(), src_ptr, size);
  const size_t bytes[3] = {size, 1, 1};
  const HostBox from{static_cast<char*>(const_cast<void*>(src_ptr)), size, size};
  if (to_shared && from_shared) {
    EnqueueSvmMemcpy request;
    request.to = address_of(dst_ptr);
    request.from = address_of(src_ptr);
    request.size = size;
    return enqueue.send(request, CL_COMMAND_SVM_MEMCPY);
  }
  if (to_shared) {
    EnqueueSvmWrite request;
    request.to = address_of(dst_ptr);
    request.size = size;
    return send_write(enqueue, request, CL_COMMAND_SVM_MEMCPY, from, bytes);
  }
  if (from_shared) {
    EnqueueSvmRead request;
    request.from = address_of(src_ptr);
    request.size = size;
    return send_read(enqueue, request, CL_COMMAND_SVM_MEMCPY, {static_cast<char*>(dst_ptr), size, size}, bytes);
  }
  // Both ranges are the program's memory.
  return enqueue_nothing(enqueue, CL_COMMAND_SVM_MEMCPY, [=](cl_int status) {
    if (status == CL_COMPLETE) std::memcpy(dst_ptr, src_ptr, size);
  });
}

namespace {

template <typename Request, typename Sink>
cl_int fill(const Sink& sink, void* to, const void* pattern, size_t pattern_size, size_t size) {
  if (const cl_int wrong = sink.check(); wrong != CL_SUCCESS) return wrong;
  if (to == nullptr || !is_pattern(pattern, pattern_size) || address_of(to) % pattern_size != 0 || size % pattern_size != 0 ||
      (size != 0 && !is_shared(sink.context(), to, size)))
    return CL_INVALID_VALUE;
  Request request;
  request.to = address_of(to);
  request.size = size;
  request.pattern = Slice<uint8_t>(static_cast<const uint8_t*>(pattern), pattern_size);
  return sink.send(request, CL_COMMAND_SVM_MEMFILL);
}

}  // namespace

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue queue, void* svm_ptr, const void* pattern, size_t pattern_size,
                                       size_t size, cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  const Enqueue enqueue{queue, num_events, wait_list, event};
  if (size == 0 && is(queue) && svm_ptr != nullptr && is_pattern(pattern, pattern_size))
    return enqueue_nothing(enqueue, CL_COMMAND_SVM_MEMFILL);
  return fill<EnqueueSvmFill>(enqueue, svm_ptr, pattern, pattern_size, size);
}

cl_int CL_API_CALL clCommandSVMMemFillKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                          const cl_command_properties_khr* properties, void* svm_ptr,
                                          const void* pattern, size_t pattern_size, size_t size, cl_uint num_points,
                                          const cl_sync_point_khr* points, cl_sync_point_khr* sync_point,
                                          cl_mutable_command_khr* mutable_handle) {
  return fill<RecordSvmFill>(Record{command_buffer, queue, properties, num_points, points, sync_point, mutable_handle},
                             svm_ptr, pattern, pattern_size, size);
}

cl_int CL_API_CALL clCommandSVMMemcpyKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                         const cl_command_properties_khr* properties, void* dst_ptr,
                                         const void* src_ptr, size_t size, cl_uint num_points,
                                         const cl_sync_point_khr* points, cl_sync_point_khr* sync_point,
                                         cl_mutable_command_khr* mutable_handle) {
  const Record record{command_buffer, queue, properties, num_points, points, sync_point, mutable_handle};
  if (const cl_int wrong = record.check(); wrong != CL_SUCCESS) return wrong;
  // A recorded command cannot read the program's memory each time it runs.
  if (size == 0 || !is_shared(record.context(), dst_ptr, size) || !is_shared(record.context(), src_ptr, size)) return CL_INVALID_VALUE;
  if (overlap(dst_ptr, src_ptr, size)) return CL_MEM_COPY_OVERLAP;
  RecordSvmMemcpy request;
  request.to = address_of(dst_ptr);
  request.from = address_of(src_ptr);
  request.size = size;
  return record.send(request, CL_COMMAND_SVM_MEMCPY);
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking_map, cl_map_flags, void* svm_ptr, size_t size,
                                   cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  if (!is(queue)) return CL_INVALID_COMMAND_QUEUE;
  if (svm_ptr == nullptr || size == 0) return CL_INVALID_VALUE;
  return enqueue_nothing({queue, num_events, wait_list, event, blocking_map != CL_FALSE}, CL_COMMAND_SVM_MAP);
}

cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void* svm_ptr, cl_uint num_events, const cl_event* wait_list,
                                     cl_event* event) {
  if (!is(queue)) return CL_INVALID_COMMAND_QUEUE;
  if (svm_ptr == nullptr) return CL_INVALID_VALUE;
  return enqueue_nothing({queue, num_events, wait_list, event}, CL_COMMAND_SVM_UNMAP);
}

cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint num_svm_pointers, const void** svm_pointers,
                                          const size_t* sizes, cl_mem_migration_flags flags, cl_uint num_events,
                                          const cl_event* wait_list, cl_event* event) {
  if (!is(queue)) return CL_INVALID_COMMAND_QUEUE;
  constexpr cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  if (num_svm_pointers == 0 || svm_pointers == nullptr || (flags & ~known) != 0) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < num_svm_pointers; i++)
    if (!is_shared(queue->context.get(), svm_pointers[i], sizes == nullptr ? 1 : sizes[i])) return CL_INVALID_VALUE;
  return enqueue_nothing({queue, num_events, wait_list, event}, CL_COMMAND_SVM_MIGRATE_MEM);
}

cl_int Argument::read_pointer(cl_context context, ParameterKind parameter, const void* pointer) {
  if (parameter != ParameterKind::kBuffer) return CL_INVALID_ARG_VALUE;
  kind = ArgumentKind::kNull;
  if (pointer == nullptr) return CL_SUCCESS;
  if (!is_shared(context, pointer, 1)) return CL_INVALID_ARG_VALUE;
  kind = ArgumentKind::kAddress;
  size = address_of(pointer);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void* arg_value) {
  if (!is(kernel)) return CL_INVALID_KERNEL;
  if (arg_index >= kernel->parameters.size()) return CL_INVALID_ARG_INDEX;
  Argument argument;
  const cl_int wrong = argument.read_pointer(kernel->program->context.get(), kernel->parameters[arg_index], arg_value);
  return wrong != CL_SUCCESS ? wrong : set_argument(kernel, arg_index, argument);
}

cl_int check_exec_info(cl_kernel_exec_info param_name, size_t size, const void* value) {
  switch (param_name) {
    case CL_KERNEL_EXEC_INFO_SVM_PTRS:
    case CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT:
      // An empty list replaces an earlier one.
      if ((value == nullptr) != (size == 0)) return CL_INVALID_VALUE;
      return size % sizeof(void*) == 0 ? CL_SUCCESS : CL_INVALID_VALUE;
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
      if (value == nullptr || size != sizeof(cl_bool)) return CL_INVALID_VALUE;
      return *static_cast<const cl_bool*>(value) == CL_FALSE ? CL_SUCCESS : CL_INVALID_OPERATION;
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name, size_t param_value_size,
                                       const void* param_value) {
  return is(kernel) ? check_exec_info(param_name, param_value_size, param_value) : CL_INVALID_KERNEL;
}

cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index, cl_mem_device_address_ext arg_value) {
  if (!is(kernel)) return CL_INVALID_KERNEL;
  const bool is_pointer = arg_index < kernel->parameters.size() && kernel->parameters[arg_index] == ParameterKind::kBuffer;
  if (!is_pointer) return CL_INVALID_ARG_INDEX;
  const cl_int status = kernel->connection->ask(SetDevicePointer{kernel->id, arg_index, arg_value}).status;
  if (status == CL_SUCCESS) kernel->given[arg_index] = true;
  return status;
}

}  // namespace icd
