// SPDX-License-Identifier: MIT
#pragma once
#include "../cl/library.h"

namespace anycl {

/** An event whose status the driver does not report counts as running, so that memory is not freed under a command. */
inline cl_int status_of(cl_event event, const Platform& platform) {
  cl_int status = CL_QUEUED;
  const cl_int code = platform.cl.clGetEventInfo.pointer(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                                         nullptr);
  return code == CL_SUCCESS ? status : CL_QUEUED;
}

inline bool under_way(cl_event event, const Platform& platform) { return status_of(event, platform) > CL_COMPLETE; }

/** Also true if the driver does not report it. */
inline bool is_user_event(cl_event event, const Platform& platform) {
  cl_command_type type = 0;
  const cl_int code = platform.cl.clGetEventInfo.pointer(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr);
  return code != CL_SUCCESS || type == CL_COMMAND_USER;
}

/** 0 if the driver does not report it. */
inline cl_uint references_to(cl_event event, const Platform& platform) {
  cl_uint references = 0;
  const cl_int code =
      platform.cl.clGetEventInfo.pointer(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, nullptr);
  return code == CL_SUCCESS ? references : 0;
}

}  // namespace anycl
