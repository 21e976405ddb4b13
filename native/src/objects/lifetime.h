// SPDX-License-Identifier: MIT
//
// Reference counts of every kind of object, and what anycl attaches to some of them.
#pragma once
#include <memory>
#include <vector>

#include "../napi/arguments.h"

namespace anycl {

/** Releases the reference that a slot holds. Errors of the driver are ignored. */
void release_object(Slot& slot);
void retain_object(const Slot& slot);

/** Memory from clSVMAlloc or, if unified, from clSVMAllocWithPropertiesKHR. */
struct SvmMemory {
  const Platform* platform;
  cl_context context;
  void* pointer;
  bool unified;
  ~SvmMemory();
};

/**
 * An SVM allocation, for as long as a handle or a kernel's argument names it. Drivers free the memory under commands that
 * still use it, and so it outlives the block until those have ended.
 */
struct SvmBlock {
  Environment& environment;
  std::shared_ptr<SvmMemory> memory;
  /** Its mappings, the last one last. */
  struct Mapping {
    cl_command_queue queue;
    void* start;
  };
  std::vector<Mapping> mappings;
  SvmBlock(Environment& e, std::shared_ptr<SvmMemory> m);
  SvmBlock(const SvmBlock&) = delete;
  SvmBlock& operator=(const SvmBlock&) = delete;
  ~SvmBlock();
  /** Keeps the memory until the current commands of the queue (or of all queues) have ended, if they belong to its context. */
  void keep_until_end_of(const Slot& queue);
  void keep_until_ends();
  void mapped(cl_command_queue queue, void* start);
  /** The address to unmap next. */
  void* mapped_at() const { return mappings.empty() ? memory->pointer : mappings.back().start; }
  void unmapped();

 private:
  /**
   * PoCL 7.1 keeps the mapping of memory that is freed while it is mapped, and ends the process when other memory is allocated
   * at the same address.
   */
  void unmap_all();
};

struct SvmAttachment : Attachment {
  std::shared_ptr<SvmBlock> block;
  explicit SvmAttachment(std::shared_ptr<SvmBlock> b) : block(std::move(b)) {}
};

inline SvmBlock& block_of(const Slot& svm) { return *static_cast<SvmAttachment&>(*svm.attachment).block; }

/** Keeps the objects alive that a kernel's arguments name, which OpenCL does not do between clSetKernelArg and the enqueue. */
struct KernelAttachment : Attachment {
  struct Argument {
    Kind kind = Kind::none;
    void* object = nullptr;
    std::shared_ptr<SvmBlock> svm;
  };
  const Platform* platform;
  std::vector<Argument> arguments;
  std::vector<std::shared_ptr<SvmBlock>> indirect;
  explicit KernelAttachment(const Platform* p) : platform(p) {}
  ~KernelAttachment() override;
  void keep(size_t index, Argument argument);
  /** The argument is a value now and refers to no object. */
  void drop(size_t index) {
    if (index < arguments.size() && (arguments[index].object || arguments[index].svm)) keep(index, {});
  }
  std::unique_ptr<KernelAttachment> copy() const;
};

/** A mapped region keeps its memory object alive until it is unmapped, as a script may still access it. */
struct MappingAttachment : Attachment {
  const Platform& platform;
  cl_mem memory;
  MappingAttachment(const Platform& p, cl_mem m);
  ~MappingAttachment() override;
};

/** Quick: takes the handle. */
void release(Environment& environment);
napi_value retain(Arguments& a);
napi_value live_objects(Arguments& a);

}  // namespace anycl
