// SPDX-License-Identifier: MIT
#pragma once
#include "../napi/arguments.h"

namespace anycl {

napi_value create_user_event(Arguments& a);
napi_value set_user_status(Arguments& a);
/** eventStatus(event): execution status or error code */
napi_value event_status(Arguments& a);
/** onEvent(event, status): the ticket that is delivered when the event reaches the status */
napi_value on_event(Arguments& a);
/** waitSync(events): blocks. */
napi_value wait_sync(Arguments& a);
/** Throws where `wait_sync` would, because the awaited commands wait for this thread; does not wait. */
napi_value check_blocking(Arguments& a);
/** eventFromGlSync(context, sync) */
napi_value event_from_gl_sync(Arguments& a);
/** eventFromEglSync(context, sync, display) */
napi_value event_from_egl_sync(Arguments& a);

}  // namespace anycl
