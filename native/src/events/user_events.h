// SPDX-License-Identifier: MIT
//
// Creating and completing user events. An environment records which of them are open, since nothing may block while a command
// waits for one.
#pragma once
#include "../environment.h"

namespace anycl {

/** Records a user event that a script or the addon has created. */
void user_event_created(Environment& environment, cl_event event, const Platform& platform);
/** clSetUserEventStatus, with the errors of the specification on every driver. */
void set_user_event_status(Environment& environment, cl_event event, cl_int status, const Platform& platform);
/** Fails the user event, and delivers the failure to those who await its commands. */
void fail_user_event(Environment& environment, cl_event event, cl_int status, const Platform& platform);

}  // namespace anycl
