// SPDX-License-Identifier: MIT
//
// Runs a kernel's IR in the interpreter with buffers and values as arguments: for tests of the JIT's front end and passes.
import {
  IMAGE_DESCRIPTOR,
  type KernelSignature,
  type PrintfFormat,
  type ProgramBinary,
} from '../../ts/base/kernel-abi';
import { interpret } from '../../ts/jit/ir/interpret';
import type { Func } from '../../ts/jit/ir/ir';
import { describeImage, type ImageArgument } from './image-argument';

export type Argument =
  | { readonly buffer: ArrayBufferView }
  | { readonly image: ImageArgument }
  | { readonly local: number }
  | { readonly value: ArrayBufferView };

export interface Invocation {
  readonly args: readonly Argument[];
  readonly global: readonly [number, number?, number?];
  readonly local?: readonly [number, number?, number?];
}

export interface Outcome {
  /** The buffers' and images' bytes after the run, in the arguments' order. */
  readonly buffers: Uint8Array[];
  readonly printed: { format: PrintfFormat; values: (number | bigint)[] }[];
}

const raw = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

export function runInterpreted(
  func: Func,
  signature: KernelSignature,
  binary: ProgramBinary,
  invocation: Invocation,
  /** Instructions per work-item after which the run fails. */
  limit?: number,
): Outcome {
  const memory = new DataView(new ArrayBuffer(1 << 24));
  const bytes = new Uint8Array(memory.buffer);
  const dispatch = new DataView(new ArrayBuffer(signature.dispatchBytes));
  const programBase = 8192;
  binary.globals.copyInto(bytes.subarray(programBase));
  for (const at of binary.relocations)
    memory.setInt32(programBase + at, memory.getInt32(programBase + at, true) + programBase, true);
  let next = programBase + Math.ceil(binary.globals.size / 64) * 64;
  const allocate = (size: number, align = 64) => {
    const at = Math.ceil(next / align) * align;
    next = at + Math.ceil((size + 64) / 64) * 64;
    return at;
  };
  const places: { at: number; size: number }[] = [];
  let arena = Math.ceil(signature.staticLocalBytes / 64) * 64;
  invocation.args.forEach((arg, i) => {
    const { offset } = signature.arguments[i]!;
    if ('buffer' in arg) {
      const at = allocate(arg.buffer.byteLength);
      bytes.set(raw(arg.buffer), at);
      places.push({ at, size: arg.buffer.byteLength });
      dispatch.setInt32(offset, at, true);
    } else if ('image' in arg) {
      const { texels } = arg.image;
      const at = allocate(texels.byteLength);
      bytes.set(texels, at);
      places.push({ at, size: texels.byteLength });
      const descriptor = allocate(IMAGE_DESCRIPTOR.bytes);
      describeImage(memory, descriptor, at, arg.image);
      dispatch.setInt32(offset, descriptor, true);
    } else if ('local' in arg) {
      const align = Math.max(signature.arguments[i]!.align, 64);
      arena = Math.ceil(arena / align) * align;
      dispatch.setInt32(offset, arena, true);
      arena += Math.ceil(arg.local / 64) * 64;
    } else new Uint8Array(dispatch.buffer).set(raw(arg.value), offset);
  });
  const localBase = allocate(arena, 4096);
  const triple = (v: readonly [number, number?, number?]) => [v[0], v[1] ?? 1, v[2] ?? 1] as const;
  const printed: Outcome['printed'] = [];
  interpret(func, {
    memory,
    dispatch,
    signature,
    globalSize: triple(invocation.global),
    localSize: triple(invocation.local ?? [1]),
    programBase,
    localBase,
    privateBase: next,
    ...(limit === undefined ? {} : { limit }),
    printed: (format, values) => printed.push({ format, values: [...values] }),
  });
  return { buffers: places.map(({ at, size }) => bytes.slice(at, at + size)), printed };
}
