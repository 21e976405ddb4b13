// SPDX-License-Identifier: MIT
//
// Device commands as data: one definition of each, shared by queues, command buffers, the software device and the encoder for
// drivers. Kernel launches and maps have methods of their own (backend-queue.ts): launches are hot, maps return memory.
import type { BackendMemory, BackendSemaphore, BackendSvm } from './backend-objects';

export type Triple = readonly [number, number, number];

/** A place in an image: its coordinates, then the mip level, then zeros. */
export type ImageOrigin = readonly [number, number, number, number];

/** Rectangles as of clEnqueue…BufferRect: origins and region in bytes, rows, slices; pitches in bytes. */
export interface RectLayout {
  readonly bufferOrigin: Triple;
  readonly hostOrigin: Triple;
  readonly region: Triple;
  readonly bufferRowPitch: number;
  readonly bufferSlicePitch: number;
  readonly hostRowPitch: number;
  readonly hostSlicePitch: number;
}

/** A mapped region of a memory object. */
export interface BackendMapping {
  /** The mapped bytes themselves, not a copy, if the runtime allows that. */
  readonly bytes: Uint8Array;
  readonly isCopy?: boolean;
  readonly rowPitch: number;
  readonly slicePitch: number;
}

interface ImageTransfer {
  readonly image: BackendMemory;
  readonly origin: ImageOrigin;
  readonly region: Triple;
  readonly rowPitch: number;
  readonly slicePitch: number;
}
interface Memories {
  readonly memories: readonly BackendMemory[];
}
/** `payloads` is empty for binary semaphores. */
interface Semaphores {
  readonly semaphores: readonly BackendSemaphore[];
  readonly payloads: readonly number[];
}

/** The operands of each command. Offsets and sizes are bytes; origins and regions of images are pixels. */
interface Operands {
  readBuffer: { readonly buffer: BackendMemory; readonly offset: number; readonly into: ArrayBufferView };
  writeBuffer: { readonly buffer: BackendMemory; readonly offset: number; readonly from: ArrayBufferView };
  readBufferRect: {
    readonly buffer: BackendMemory;
    readonly rect: RectLayout;
    readonly into: ArrayBufferView;
  };
  writeBufferRect: {
    readonly buffer: BackendMemory;
    readonly rect: RectLayout;
    readonly from: ArrayBufferView;
  };
  copyBuffer: {
    readonly from: BackendMemory;
    readonly to: BackendMemory;
    readonly fromOffset: number;
    readonly toOffset: number;
    readonly size: number;
  };
  /** `from` is the rectangle's `buffer…`, `to` its `host…`. */
  copyBufferRect: { readonly from: BackendMemory; readonly to: BackendMemory; readonly rect: RectLayout };
  fillBuffer: {
    readonly buffer: BackendMemory;
    readonly offset: number;
    readonly size: number;
    readonly pattern: Uint8Array;
  };
  readImage: ImageTransfer & { readonly into: ArrayBufferView };
  writeImage: ImageTransfer & { readonly from: ArrayBufferView };
  copyImage: {
    readonly from: BackendMemory;
    readonly to: BackendMemory;
    readonly fromOrigin: ImageOrigin;
    readonly toOrigin: ImageOrigin;
    readonly region: Triple;
  };
  fillImage: {
    readonly image: BackendMemory;
    readonly origin: ImageOrigin;
    readonly region: Triple;
    readonly pattern: Uint8Array;
  };
  copyImageToBuffer: {
    readonly from: BackendMemory;
    readonly to: BackendMemory;
    readonly origin: ImageOrigin;
    readonly region: Triple;
    readonly toOffset: number;
  };
  copyBufferToImage: {
    readonly from: BackendMemory;
    readonly to: BackendMemory;
    readonly fromOffset: number;
    readonly origin: ImageOrigin;
    readonly region: Triple;
  };
  unmap: { readonly memory: BackendMemory; readonly mapping: BackendMapping };
  migrate: Memories & { readonly flags: number };
  svmMemcpy: {
    readonly to: BackendSvm | ArrayBufferView;
    readonly toOffset: number;
    readonly from: BackendSvm | ArrayBufferView;
    readonly fromOffset: number;
    readonly size: number;
  };
  svmFill: {
    readonly svm: BackendSvm;
    readonly offset: number;
    readonly size: number;
    readonly pattern: Uint8Array;
  };
  svmMap: {
    readonly svm: BackendSvm;
    readonly flags: number;
    readonly offset: number;
    readonly size: number;
  };
  svmUnmap: { readonly svm: BackendSvm };
  svmFree: { readonly svms: readonly BackendSvm[] };
  svmMigrate: { readonly svms: readonly BackendSvm[]; readonly flags: number };
  /** It waits for its wait list, or for all earlier commands. Later commands wait for it. */
  barrier: object;
  // Memory of another API: acquired from it and released to it.
  acquireExternal: Memories;
  releaseExternal: Memories;
  acquireGl: Memories;
  releaseGl: Memories;
  acquireEgl: Memories;
  releaseEgl: Memories;
  waitSemaphores: Semaphores;
  signalSemaphores: Semaphores;
}

export type CommandOp = keyof Operands;

/** A command, or the command of the given operation. */
export type Command<Op extends CommandOp = CommandOp> = {
  readonly [K in Op]: { readonly op: K } & Operands[K];
}[Op];

/** Operations that require an extension. */
export type ExtensionOp =
  | `acquire${'External' | 'Gl' | 'Egl'}`
  | `release${'External' | 'Gl' | 'Egl'}`
  | 'waitSemaphores'
  | 'signalSemaphores';
/** Operations of every device. */
export type CoreOp = Exclude<CommandOp, ExtensionOp>;
/** Operations that a command buffer can record (cl_khr_command_buffer). */
export type RecordableOp =
  | 'copyBuffer'
  | 'copyBufferRect'
  | 'fillBuffer'
  | 'copyImage'
  | 'fillImage'
  | 'copyImageToBuffer'
  | 'copyBufferToImage'
  | 'svmMemcpy'
  | 'svmFill'
  | 'barrier';
export type RecordableCommand = Command<RecordableOp>;
