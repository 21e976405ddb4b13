// SPDX-License-Identifier: MIT
#include "stay_loaded.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace anycl {

#ifdef _WIN32

void stay_loaded() {
  HMODULE self = nullptr;
  const DWORD flags = GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS;
  GetModuleHandleExW(flags, reinterpret_cast<LPCWSTR>(&stay_loaded), &self);
}

#else

void stay_loaded() {
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&stay_loaded), &self) == 0 || self.dli_fname == nullptr) return;
  // The reference that this takes is never given back.
  dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

#endif

}  // namespace anycl
