// SPDX-License-Identifier: MIT
//
// Shared by all transfers: the checks of their operands, and the copies through the staging memory.
#pragma once
#include <cstddef>
#include <memory>

#include "commands.h"
#include "image.h"
#include "memory.h"

namespace icd {

/** A box of bytes, rows and slices in a linear memory. */
struct Rect {
  const size_t* origin;
  size_t row_pitch;
  size_t slice_pitch;

  /** Fills in pitches that are 0. False if the region does not fit them. */
  bool resolve(const size_t region[3]);
  size_t offset() const { return origin[2] * slice_pitch + origin[1] * row_pitch + origin[0]; }
  /** The end of the region's last byte. */
  size_t end(const size_t region[3]) const {
    return offset() + (region[2] - 1) * slice_pitch + (region[1] - 1) * row_pitch + region[0];
  }
};

bool is_region(const size_t* region);

/** CL_SUCCESS if it is a buffer of the context, or of the queue's context. */
cl_int check_buffer(cl_context context, cl_mem buffer);
cl_int check_buffer(cl_command_queue queue, cl_mem buffer);
/** Checks that a region is inside a buffer, and fills in both sides' pitches; `ptr` is the other side. */
cl_int check_rect(cl_mem buffer, const size_t* region, Rect& in_buffer, Rect& in_host, const void* ptr);
cl_int check_image(cl_context context, cl_mem image);
cl_int check_image(cl_command_queue queue, cl_mem image);
/** Checks that a region is inside an image. */
cl_int check_image_region(cl_mem image, const size_t* origin, const size_t* region);

inline Slice<uint64_t> triple(const size_t* from) { return {reinterpret_cast<const uint64_t*>(from), 3}; }
/** The mip level that an origin names. */
inline size_t level_of(cl_mem image, const size_t* origin) { return image->mip_levels > 1 ? origin[image->coordinates] : 0; }
/** An origin, with the mip level if the image has several: only then do callers give a fourth number. */
inline Slice<uint64_t> origin_of(cl_mem image, const size_t* origin) {
  const bool has_fourth = image->mip_levels > 1 && image->coordinates == 3;
  return {reinterpret_cast<const uint64_t*>(origin), has_fourth ? size_t{4} : size_t{3}};
}
inline size_t volume(const size_t* region) { return region[0] * region[1] * region[2]; }

/** Whether a pattern has 1 to 128 bytes, a power of two. */
inline bool is_pattern(const void* pattern, size_t size) {
  return pattern != nullptr && size != 0 && size <= 128 && (size & (size - 1)) == 0;
}

inline bool may_read(cl_mem memory) { return (memory->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0; }
inline bool may_write(cl_mem memory) { return (memory->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0; }

/**
 * Carries out a command on shared pages at once and returns true, if the queue is idle, all events of the wait list are complete, and
 * nobody asks for the command's times. Otherwise, as where the wait list is wrong, the command has to be sent or to take its turn.
 */
bool run_now(const Enqueue& enqueue, cl_command_type type, const std::function<void()>& run);
/**
 * A blocking command that this thread carries out on shared pages. `copy` runs when the server reports the command's turn; later commands
 * wait for its end.
 */
cl_int take_turn(const Enqueue& enqueue, cl_mem buffer, cl_command_type type, const std::function<void()>& copy);
/** The same for a command that does not block: the thread for copies carries it out. */
cl_int take_turn_later(const Enqueue& enqueue, cl_mem buffer, cl_command_type type, const std::function<void()>& copy);

/** Sends a command that reads `bytes` into `box`. */
template <typename Request>
cl_int send_read(const Enqueue& enqueue, Request request, cl_command_type type, HostBox box, const size_t bytes[3]) {
  auto staged = std::make_shared<StagedBlock>(enqueue.queue->connection->staging(), volume(bytes));
  if (!*staged) return CL_OUT_OF_HOST_MEMORY;
  request.staged = staged->offset();
  const size_t row = bytes[0];
  const size_t rows = bytes[1];
  const size_t slices = bytes[2];
  return enqueue.send(request, type, [=](cl_int status) {
    const size_t counts[3] = {row, rows, slices};
    if (status == CL_COMPLETE) unpack(box, staged->data(), counts);
  });
}

/** Sends a command that writes `bytes` from `box`. */
template <typename Request>
cl_int send_write(const Enqueue& enqueue, Request request, cl_command_type type, HostBox box, const size_t bytes[3]) {
  auto staged = std::make_shared<StagedBlock>(enqueue.queue->connection->staging(), volume(bytes));
  if (!*staged) return CL_OUT_OF_HOST_MEMORY;
  pack(staged->data(), box, bytes);
  request.staged = staged->offset();
  return enqueue.send(request, type, [staged](cl_int) {});
}

}  // namespace icd
