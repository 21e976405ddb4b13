// SPDX-License-Identifier: MIT
//
// The arguments of a kernel and the variables of its program in memory, as the device places them.
import { IMAGE_DESCRIPTOR, type KernelSignature, type ProgramBinary } from '../../ts/base/kernel-abi';
import { describeImage, type ImageArgument } from './image-argument';

export type Argument =
  /** `shifted`: the argument points this many bytes into the buffer. */
  | { readonly buffer: ArrayBufferView; readonly shifted?: number }
  | { readonly image: ImageArgument }
  | { readonly local: number }
  | { readonly value: ArrayBufferView };

/** Where a buffer or image is. */
interface Place {
  readonly at: number;
  readonly size: number;
}

const LOCAL_ALIGN = 64;
const roundUp = (bytes: number, align: number) => Math.ceil(bytes / align) * align;
const raw = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** Copies a program's variables to `base`, and completes the pointers among them. */
export function placeProgram(program: ProgramBinary, memory: ArrayBufferLike, base: number): void {
  const view = new DataView(memory);
  program.globals.copyInto(new Uint8Array(memory).subarray(base));
  for (const at of program.relocations) view.setInt32(base + at, view.getInt32(base + at, true) + base, true);
}

/**
 * Copies buffers and images to memory, and writes all arguments to the dispatch block. Local memory of arguments follows the
 * `localBytes` of the kernel's own; the result has both.
 */
export function placeArguments(
  args: readonly Argument[],
  signature: KernelSignature,
  memory: ArrayBufferLike,
  block: DataView,
  { allocate, localBytes }: { readonly allocate: (bytes: number) => number; readonly localBytes: number },
): { readonly places: readonly Place[]; readonly localBytes: number } {
  const view = new DataView(memory);
  const places: Place[] = [];
  /** Two arguments with one view are one buffer. */
  const known = new Map<ArrayBufferView, number>();
  const place = (contents: Uint8Array): number => {
    const at = allocate(contents.length);
    new Uint8Array(memory).set(contents, at);
    places.push({ at, size: contents.length });
    return at;
  };
  let local = roundUp(localBytes, LOCAL_ALIGN);
  args.forEach((arg, i) => {
    const { offset, align } = signature.arguments[i]!;
    if ('buffer' in arg) {
      const at = known.get(arg.buffer) ?? place(raw(arg.buffer));
      known.set(arg.buffer, at);
      block.setInt32(offset, at + (arg.shifted ?? 0), true);
    } else if ('image' in arg) {
      const at = place(arg.image.texels);
      const descriptor = allocate(IMAGE_DESCRIPTOR.bytes);
      describeImage(view, descriptor, at, arg.image);
      block.setInt32(offset, descriptor, true);
    } else if ('local' in arg) {
      local = roundUp(local, Math.max(align, LOCAL_ALIGN));
      block.setInt32(offset, local, true);
      local += roundUp(arg.local, LOCAL_ALIGN);
    } else new Uint8Array(block.buffer, block.byteOffset).set(raw(arg.value), offset);
  });
  return { places, localBytes: local };
}
