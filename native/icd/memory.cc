// SPDX-License-Identifier: MIT
//
// Buffers, sub-buffers and pipes, and what all memory objects have in common.
#include "memory.h"

#include <cstring>

#include "info.h"

namespace icd {

namespace {

constexpr cl_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_mem_flags kHostAccess = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kHostMemory = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

/** Both processes map the pages of buffers of at least this size: smaller ones would waste most of a page. */
constexpr size_t kLeastShared = size_t{4} << 10;

constexpr bool more_than_one(cl_mem_flags bits) { return (bits & (bits - 1)) != 0; }

}  // namespace

bool are_consistent(cl_mem_flags flags) {
  if ((flags & ~(kAccess | kHostAccess | kHostMemory | CL_MEM_KERNEL_READ_AND_WRITE)) != 0) return false;
  if (more_than_one(flags & kAccess) || more_than_one(flags & kHostAccess)) return false;
  return (flags & CL_MEM_USE_HOST_PTR) == 0 || (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) == 0;
}

bool fits_host_pointer(cl_mem_flags flags, const void* host) {
  return ((flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0) == (host != nullptr);
}

cl_mem_flags server_flags(cl_mem_flags flags) {
  return flags & ~static_cast<cl_mem_flags>(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR);
}

cl_mem_flags inherit(cl_mem_flags flags, cl_mem_flags parent) {
  cl_mem_flags all = flags | (parent & kHostMemory);
  if ((all & kAccess) == 0) all |= parent & kAccess;
  if ((all & kHostAccess) == 0) all |= parent & kHostAccess;
  return all;
}

bool widens_access(cl_mem_flags flags, cl_mem_flags parent) {
  if ((parent & CL_MEM_WRITE_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) != 0) return true;
  if ((parent & CL_MEM_READ_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) != 0) return true;
  if ((parent & CL_MEM_HOST_WRITE_ONLY) != 0 && (flags & CL_MEM_HOST_READ_ONLY) != 0) return true;
  if ((parent & CL_MEM_HOST_READ_ONLY) != 0 && (flags & CL_MEM_HOST_WRITE_ONLY) != 0) return true;
  return (parent & CL_MEM_HOST_NO_ACCESS) != 0 && (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)) != 0;
}

cl_int read_mem_properties(const cl_mem_properties* properties, std::vector<cl_mem_properties>& list) {
  if (properties == nullptr) return CL_SUCCESS;
  for (; *properties != 0; properties += 2) {
    if (*properties != CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT) return CL_INVALID_PROPERTY;
    list.insert(list.end(), {properties[0], properties[1]});
  }
  list.push_back(0);
  return CL_SUCCESS;
}

namespace {

cl_mem create_buffer(cl_context context, const cl_mem_properties* properties, cl_mem_flags flags, size_t size,
                     void* host_ptr, cl_int* errcode_ret) {
  if (!is(context)) return fail(CL_INVALID_CONTEXT, errcode_ret);
  std::vector<cl_mem_properties> list;
  const cl_int wrong = read_mem_properties(properties, list);
  if (wrong != CL_SUCCESS) return fail(wrong, errcode_ret);
  if (!are_consistent(flags)) return fail(CL_INVALID_VALUE, errcode_ret);
  if (size == 0) return fail(CL_INVALID_BUFFER_SIZE, errcode_ret);
  if (!fits_host_pointer(flags, host_ptr)) return fail(CL_INVALID_HOST_PTR, errcode_ret);
  Connection* connection = context->connection;
  cl_mem buffer = make<_cl_mem>(connection);
  buffer->context = Use(context);
  buffer->type = CL_MEM_OBJECT_BUFFER;
  buffer->flags = flags == 0 ? CL_MEM_READ_WRITE : flags;
  buffer->size = size;
  std::vector<uint64_t> given(list.begin(), list.end());
  if (!given.empty()) given.pop_back();
  buffer->properties = std::move(list);
  uint64_t svm = 0;
  if ((flags & CL_MEM_USE_HOST_PTR) != 0) {
    buffer->host = static_cast<char*>(host_ptr);
    SvmSpace::Block block;
    buffer->is_svm = connection->svm().find(host_ptr, 1, block) && block.context == context;
    if (buffer->is_svm && !connection->svm().find(host_ptr, size, block)) return finish(buffer, CL_INVALID_BUFFER_SIZE, errcode_ret);
    if (buffer->is_svm) svm = reinterpret_cast<uintptr_t>(host_ptr);
  }
  const bool is_shareable = size >= kLeastShared && buffer->host == nullptr;
  const Slabs::Place pages = is_shareable ? connection->slabs().allocate(context->id, size) : Slabs::Place{};
  // The contents follow after the server has accepted the size.
  const CreateBuffer request{buffer->id, context->id, server_flags(flags), size, svm, pages.offset, pages.slab, pages.slab_size, given};
  const Answer<CreateBuffer> answer = connection->ask(request);
  const cl_int status = answer.status;
  if (status == CL_SUCCESS && answer.reply.shared != 0) {
    buffer->shared = connection->staging().at(pages.offset);
    buffer->pages = pages;
    if (host_ptr != nullptr) std::memcpy(buffer->shared, host_ptr, size);
    return finish(buffer, CL_SUCCESS, errcode_ret);
  }
  connection->slabs().free(pages);
  if (status != CL_SUCCESS || host_ptr == nullptr || buffer->is_svm) return finish(buffer, status, errcode_ret);
  const StagedBlock staged(connection->staging(), size);
  if (!staged) {
    drop(buffer);
    return fail(CL_OUT_OF_HOST_MEMORY, errcode_ret);
  }
  std::memcpy(staged.data(), host_ptr, size);
  const cl_int filled = connection->ask(FillMemory{buffer->id, staged.offset(), size}).status;
  if (filled == CL_SUCCESS) return finish(buffer, CL_SUCCESS, errcode_ret);
  drop(buffer);
  return fail(filled, errcode_ret);
}

}  // namespace

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host_ptr,
                                  cl_int* errcode_ret) {
  return create_buffer(context, nullptr, flags, size, host_ptr, errcode_ret);
}

cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context, const cl_mem_properties* properties,
                                                cl_mem_flags flags, size_t size, void* host_ptr, cl_int* errcode_ret) {
  return create_buffer(context, properties, flags, size, host_ptr, errcode_ret);
}

cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                     const void* buffer_create_info, cl_int* errcode_ret) {
  if (!is(buffer) || !buffer->is_buffer() || buffer->parent) return fail(CL_INVALID_MEM_OBJECT, errcode_ret);
  if (!are_consistent(flags) || (flags & kHostMemory) != 0 || widens_access(flags, buffer->flags))
    return fail(CL_INVALID_VALUE, errcode_ret);
  if (type != CL_BUFFER_CREATE_TYPE_REGION || buffer_create_info == nullptr) return fail(CL_INVALID_VALUE, errcode_ret);
  const auto& region = *static_cast<const cl_buffer_region*>(buffer_create_info);
  if (region.size == 0) return fail(CL_INVALID_BUFFER_SIZE, errcode_ret);
  if (!is_within(region.origin, region.size, buffer->size)) return fail(CL_INVALID_VALUE, errcode_ret);
  Connection* connection = buffer->connection;
  cl_mem part = make<_cl_mem>(connection);
  part->context = buffer->context;
  part->parent = Use(buffer);
  part->type = CL_MEM_OBJECT_BUFFER;
  part->flags = inherit(flags, buffer->flags);
  part->origin = region.origin;
  part->size = region.size;
  if (buffer->host != nullptr) part->host = buffer->host + region.origin;
  part->is_svm = buffer->is_svm;
  if (buffer->shared != nullptr) part->shared = buffer->shared + region.origin;
  const CreateSubBuffer request{part->id, buffer->id, server_flags(flags), region.origin, region.size};
  return finish(part, connection->ask(request).status, errcode_ret);
}

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                                cl_uint pipe_max_packets, const cl_pipe_properties* properties, cl_int* errcode_ret) {
  if (!is(context)) return fail(CL_INVALID_CONTEXT, errcode_ret);
  if ((flags & ~(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS)) != 0 || properties != nullptr)
    return fail(CL_INVALID_VALUE, errcode_ret);
  if (pipe_packet_size == 0 || pipe_max_packets == 0) return fail(CL_INVALID_PIPE_SIZE, errcode_ret);
  Connection* connection = context->connection;
  cl_mem pipe = make<_cl_mem>(connection);
  pipe->context = Use(context);
  pipe->type = CL_MEM_OBJECT_PIPE;
  pipe->flags = flags == 0 ? (CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS) : flags;
  const CreatePipe request{pipe->id, context->id, flags, pipe_packet_size, pipe_max_packets};
  return finish(pipe, connection->ask(request).status, errcode_ret);
}

cl_int CL_API_CALL clRetainMemObject(cl_mem memobj) { return retain(memobj, CL_INVALID_MEM_OBJECT); }
cl_int CL_API_CALL clReleaseMemObject(cl_mem memobj) { return release(memobj, CL_INVALID_MEM_OBJECT); }

cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem memobj, void(CL_CALLBACK* pfn_notify)(cl_mem, void*),
                                                    void* user_data) {
  if (!is(memobj)) return CL_INVALID_MEM_OBJECT;
  if (pfn_notify == nullptr) return CL_INVALID_VALUE;
  std::lock_guard lock(memobj->mutex);
  if (memobj->on_destroy.empty()) {
    const cl_int status = memobj->connection->ask(WatchDestruction{memobj->id}).status;
    if (status != CL_SUCCESS) return status;
  }
  memobj->on_destroy.push_back([=] { pfn_notify(memobj, user_data); });
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name, size_t param_value_size,
                                      void* param_value, size_t* param_value_size_ret) {
  if (!is(memobj)) return CL_INVALID_MEM_OBJECT;
  const Target target{param_value_size, param_value, param_value_size_ret};
  switch (param_name) {
    case CL_MEM_TYPE:
      return target.put(memobj->type);
    case CL_MEM_FLAGS:
      return target.put(memobj->flags);
    case CL_MEM_HOST_PTR:
      return target.put(static_cast<void*>(memobj->host));
    case CL_MEM_MAP_COUNT: {
      std::lock_guard lock(memobj->mutex);
      return target.put(static_cast<cl_uint>(memobj->mappings.size()));
    }
    case CL_MEM_REFERENCE_COUNT:
      return target.put(cl_uint{memobj->references});
    case CL_MEM_CONTEXT:
      return target.put(memobj->context.get());
    case CL_MEM_ASSOCIATED_MEMOBJECT:
      return target.put(memobj->parent.get());
    case CL_MEM_OFFSET:
      return target.put(memobj->origin);
    case CL_MEM_PROPERTIES:
      return target.put(memobj->properties);
    case CL_MEM_USES_SVM_POINTER:
      return target.put(static_cast<cl_bool>(memobj->is_svm));
    default:
      return target.ask(*memobj->connection, Subject::kMemory, memobj->id, param_name);
  }
}

cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size, void* param_value,
                                 size_t* param_value_size_ret) {
  if (!is(pipe) || pipe->type != CL_MEM_OBJECT_PIPE) return CL_INVALID_MEM_OBJECT;
  const Target target{param_value_size, param_value, param_value_size_ret};
  return target.ask(*pipe->connection, Subject::kPipe, pipe->id, param_name);
}

}  // namespace icd
