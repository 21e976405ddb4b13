// SPDX-License-Identifier: MIT
//
// Node-API for builds by MinGW and clang. Their import libraries name `node.exe`, but the same addon is loaded by
// electron.exe and by whatever a user calls his program: the functions are looked up in the process that loads us.
// (MSVC's builds do the same by delayed loading and a hook.)
#include <windows.h>

// A function declared `dllimport` is called through the pointer `__imp_NAME`. The list is made by CMakeLists.txt.
#define ANYCL_NODE_API(name) extern "C" FARPROC __imp_##name = nullptr;
#include "node-api-functions.inc"
#undef ANYCL_NODE_API

namespace {

/** Before any other code of the addon runs: this is the one static object of the library whose order matters. */
struct Imports {
  Imports() {
    const HMODULE host = GetModuleHandleW(nullptr);
    // For programs that contain Node.js as a library.
    const HMODULE library = GetModuleHandleW(L"libnode.dll");
    const auto find = [&](const char* name) {
      const FARPROC function = GetProcAddress(host, name);
      return function || !library ? function : GetProcAddress(library, name);
    };
#define ANYCL_NODE_API(name) __imp_##name = find(#name);
#include "node-api-functions.inc"
#undef ANYCL_NODE_API
  }
};

const Imports imports;

}  // namespace
