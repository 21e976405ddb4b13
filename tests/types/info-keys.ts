// SPDX-License-Identifier: MIT
// What the type checker knows of properties: nothing runs here, `tsc --noEmit` is the test. A line under
// `@ts-expect-error` that is not an error fails it, as does an `exact` of another type.
import type {
  Buffer,
  CommandQueue,
  Context,
  Device,
  Event,
  Image,
  Kernel,
  Platform,
  Program,
  Sampler,
} from '../../ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Of exactly the type that is named. */
declare function exact<Expected>(): <Value>(value: Value) => Same<Value, Expected>;
declare function check(same: true): void;

declare const platform: Platform;
declare const device: Device;
declare const context: Context;
declare const queue: CommandQueue;
declare const buffer: Buffer<Float32Array>;
declare const image: Image;
declare const sampler: Sampler;
declare const program: Program;
declare const kernel: Kernel;
declare const event: Event;

check(exact<string>()(platform.info('NAME')));
check(exact<readonly number[]>()(device.info('MAX_WORK_ITEM_SIZES')));
check(exact<number>()(device.info('MAX_COMPUTE_UNITS')));
check(exact<boolean>()(device.info('AVAILABLE')));
check(exact<string>()(device.info('VERSION')));
check(exact<Uint8Array>()(device.info(0x1005)));
check(exact<CommandQueue>()(queue));
check(exact<Context>()(queue.info('CONTEXT')));
check(exact<Device>()(queue.info('DEVICE')));
check(exact<Program>()(kernel.info('PROGRAM')));
check(exact<string>()(kernel.info('FUNCTION_NAME')));
check(exact<readonly Device[]>()(program.info('DEVICES')));
check(exact<string>()(program.buildInfo('BUILD_LOG')));
check(exact<number>()(context.info('NUM_DEVICES')));
check(exact<Uint8Array>()(event.info(0x11d2)));
check(exact<boolean>()(sampler.info('NORMALIZED_COORDS')));

// A test that could not fail would be none.
// @ts-expect-error
check(exact<string>()(device.info('MAX_WORK_ITEM_SIZES')));
// @ts-expect-error: of a kernel, not of a device
device.info('FUNCTION_NAME');
// @ts-expect-error: no such key
device.info('MAX_WORK_ITEM_SIZE');
// @ts-expect-error: the elements are numbers
const sizes: readonly string[] = device.info('MAX_WORK_ITEM_SIZES');
// @ts-expect-error: keys are names or numbers
device.info(5n);

export { buffer, image, sizes };
