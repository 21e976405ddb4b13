// SPDX-License-Identifier: MIT
//
// What drivers do otherwise than the specification says and the addon makes up for. docs/devices.md lists more.
#pragma once
#include <string>

namespace anycl {

struct Quirks {
  /** Commands run inside of calls that wait, and nobody is called back for an event that is over already. */
  bool acts_only_in_waits = false;
  /** A command waits for ever, with all behind it, if an event in its wait list had failed before it was enqueued. */
  bool hangs_on_failed_waits = false;
  /** Commands that wait for a failed event fail some time later, and nobody is called back. */
  bool fails_later_in_silence = false;
  /** Commands that fail with a user event are freed too early and may be started all the same: see HeldEvents. */
  bool mishandles_failed_events = false;
};

inline Quirks quirks_of(const std::string& platform) {
  static constexpr struct {
    const char* platform;
    Quirks quirks;
  } table[] = {
      {"Oclgrind", {true, false, false, false}},
      // 3.1 and 22.3, the ones of Debian.
      {"Portable Computing Language", {false, true, false, true}},
      {"rusticl", {false, true, true, false}},
  };
  for (const auto& row : table)
    if (platform == row.platform) return row.quirks;
  return {};
}

}  // namespace anycl
