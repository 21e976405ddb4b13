// SPDX-License-Identifier: MIT
//
// Deviations of drivers from the specification that the addon works around. docs/devices.md lists more.
#pragma once
#include <string>

namespace anycl {

struct Quirks {
  /** Commands run only inside calls that wait, and there is no callback for an event that is already complete. */
  bool acts_only_in_waits = false;
  /** Callbacks for commands of some milliseconds and more come up to 20 ms after their end. */
  bool calls_back_late = false;
  /** A command, and all commands after it, waits for ever if an event in its wait list had failed before it was enqueued. */
  bool hangs_on_failed_waits = false;
  /** Commands that wait for a failed event fail some time later, without a callback. */
  bool fails_later_in_silence = false;
  /** Commands that fail with a user event are freed too early and may still be started: see PoclFailedEvents. */
  bool mishandles_failed_events = false;
  /**
   * Copies of rectangles, and those to and from images, crash if a buffer is a sub-buffer, or write to
   * another place.
   */
  bool copies_no_sub_buffers = false;
  /** A queue does not keep a sub-device of one of its context's devices alive. */
  bool queues_forget_sub_devices = false;
  /**
   * Images and samplers whose parameter's type is a typedef are passed as if they were bytes, which kernels take
   * for an address.
   */
  bool passes_typedefs_as_bytes = false;
  /** Out-of-order queues run one command after the other, and so wait for the user events of each. */
  bool runs_all_in_order = false;
  /** clFinish waits only for commands that no flush and no blocking call has handed to the device before. */
  bool finishes_unflushed_only = false;
};

inline Quirks quirks_of(const std::string& platform) {
  Quirks quirks;
  if (platform == "Oclgrind") {
    quirks.acts_only_in_waits = true;
  } else if (platform == "Portable Computing Language") {  // 3.1, that of Debian
    quirks.hangs_on_failed_waits = true;
    quirks.mishandles_failed_events = true;
    quirks.copies_no_sub_buffers = true;
    quirks.queues_forget_sub_devices = true;
    quirks.passes_typedefs_as_bytes = true;
  } else if (platform == "rusticl") {  // 22.3, that of Debian
    quirks.hangs_on_failed_waits = true;
    quirks.fails_later_in_silence = true;
    quirks.copies_no_sub_buffers = true;  // 26.2
    quirks.runs_all_in_order = true;
    quirks.finishes_unflushed_only = true;
  } else if (platform == "NVIDIA CUDA") {  // 580
    quirks.runs_all_in_order = true;
    quirks.calls_back_late = true;
  }
  return quirks;
}

}  // namespace anycl
