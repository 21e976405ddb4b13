// SPDX-License-Identifier: MIT
//
// What drivers do otherwise than the specification says and the addon makes up for. docs/devices.md lists more.
#pragma once
#include <string>

namespace anycl {

struct Quirks {
  /** Commands run inside of calls that wait, and nobody is called back for an event that is over already. */
  bool acts_only_in_waits = false;
};

inline Quirks quirks_of(const std::string& platform) {
  static constexpr struct {
    const char* platform;
    Quirks quirks;
  } table[] = {
      {"Oclgrind", {true}},
  };
  for (const auto& row : table)
    if (platform == row.platform) return row.quirks;
  return {};
}

}  // namespace anycl
