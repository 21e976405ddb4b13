// SPDX-License-Identifier: MIT
//
// Device-side enqueue. enqueue_kernel and the queries of blocks are in special.ts; so are the functions of pipes.
// clk_profiling_info is int here, as an enumeration's values are.
import { containing, core, custom, type Family, row, under } from '../row';

const ndrange = (name: string, size: string, when = 'CL2.0 & __opencl_c_device_enqueue') =>
  under(
    when,
    ...[1, 2, 3].map((count) =>
      row(name, `ndrange_t(${new Array(count).fill(size).join(', ')})`, custom('ndrange', name.at(-2))),
    ),
  );

export const deviceSide: Family = {
  title: 'Device-side enqueue and pipes',
  mayHave: containing('event', 'ndrange', 'enqueue', 'default_queue', 'reserve_id'),
  rows: () => [
    ...under(
      'CL2.0 & __opencl_c_device_enqueue',
      row(
        'enqueue_marker',
        'int(queue_t, uint, generic const clk_event_t*, generic clk_event_t*)',
        custom('enqueue_marker'),
      ),
      row('retain_event', 'void(clk_event_t)', core('OpRetainEvent')),
      row('release_event', 'void(clk_event_t)', core('OpReleaseEvent')),
      row('create_user_event', 'clk_event_t()', core('OpCreateUserEvent')),
      row('is_valid_event', 'bool(clk_event_t)', core('OpIsValidEvent')),
      row('set_user_event_status', 'void(clk_event_t, int)', core('OpSetUserEventStatus')),
      row(
        'capture_event_profiling_info',
        'void(clk_event_t, int, global void*)',
        core('OpCaptureEventProfilingInfo'),
      ),
      row('get_default_queue', 'queue_t()', core('OpGetDefaultQueue')),
    ),
    ...ndrange('ndrange_1D', 'size_t'),
    ...['ndrange_2D', 'ndrange_3D'].flatMap((name) =>
      ['private', 'generic'].flatMap((space) => ndrange(name, `${space} const size_t*`)),
    ),
    row('is_valid_reserve_id', 'bool(reserve_id_t)', core('OpIsValidReserveId'), 'CL2.0 & __opencl_c_pipes'),
  ],
};
