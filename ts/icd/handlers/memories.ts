// SPDX-License-Identifier: MIT
//
// Buffers, images and pipes. The client handles memory of the program itself (CL_MEM_USE_HOST_PTR).

import type { SoftwareMemory } from '../../backend/software/memory/memory';
import type { SharedPages } from '../../backend/software/memory/shared-pages';
import { ErrorCode, MemFlags } from '../../cl/constants.gen';
import { deviceInfo } from '../../cl/info-keys.gen';
import { decodeInfo } from '../../cl/info-values';
import { OpenCLError } from '../../cl/opencl-error';
import type { Requests } from '../messages.gen';
import type { Sharing } from '../sharing';
import { DONE, type Handlers, type Session } from './handler';

/** CL_DEVICE_MAX_MEM_ALLOC_SIZE */
function checkSize({ device }: Session, size: number): void {
  const most = decodeInfo('size', device.info(deviceInfo.MAX_MEM_ALLOC_SIZE[0]));
  if (size <= most) return;
  throw new OpenCLError(
    ErrorCode.INVALID_BUFFER_SIZE,
    'clCreateBuffer',
    `${size} bytes are more than ${most}`,
  );
}

/** The pages of a slab, with a reference for the caller; undefined if they cannot be mapped. */
function pagesOf(
  session: Session,
  sharing: Sharing,
  request: Requests['createBuffer'],
): SharedPages | undefined {
  const { objects, staging, slabs } = session;
  const { slab, slabSize } = request;
  const known = slabs.get(slab);
  if (known) {
    known.retain();
    return known;
  }
  const share = (bytes: Uint8Array): void => sharing.share(bytes, staging.file, slab);
  const onFree = (): void => {
    slabs.delete(slab);
  };
  const owner = objects.get('context', request.context);
  try {
    const pages = owner.mapPages(slabSize, share, sharing.unshare, onFree);
    if (pages) slabs.set(slab, pages);
    return pages;
  } catch {
    // The system maps no more.
    return undefined;
  }
}

/**
 * A buffer in pages of the staging memory; undefined if the client wants none, the slab cannot be mapped, or the context has to know
 * which bytes were written.
 */
function sharedBuffer(session: Session, request: Requests['createBuffer']): SoftwareMemory | undefined {
  const { context, flags, size, staged, slab, properties } = request;
  const owner = session.objects.get('context', context);
  if (staged === 0 || !session.sharing || owner.isChecked) return undefined;
  const pages = pagesOf(session, session.sharing, request);
  if (!pages) return undefined;
  try {
    return owner.createSharedBuffer(flags, size, properties, pages, staged - slab);
  } catch (error) {
    pages.release();
    throw error;
  }
}

export const MEMORIES: Handlers<
  | 'createBuffer'
  | 'svmAlloc'
  | 'createSubBuffer'
  | 'createImage'
  | 'fillMemory'
  | 'imageFormats'
  | 'createPipe'
> = {
  createBuffer(session, request) {
    const { id, context, flags, size, svm, properties } = request;
    checkSize(session, size);
    const { objects } = session;
    const shared = sharedBuffer(session, request);
    if (shared) {
      shared.onDestroy(() => session.notify('destroyed', { object: id }));
      objects.add('memory', id, shared);
      return { shared: 1 };
    }
    const host = svm === 0 ? undefined : objects.svmBytes(svm);
    const all = host ? flags | MemFlags.USE_HOST_PTR : flags;
    objects.add('memory', id, objects.get('context', context).createBuffer(all, size, host, properties));
    return { shared: 0 };
  },

  svmAlloc({ objects, sharing, staging }, { id, context, flags, size, address, staged }) {
    if (!sharing) throw new OpenCLError(ErrorCode.INVALID_OPERATION, 'clSVMAlloc');
    const share = (bytes: Uint8Array): void => sharing.share(bytes, staging.file, staged);
    const svm = objects.get('context', context).svmAllocAt(flags, address, size, share, sharing.unshare);
    objects.add('svm', id, svm);
    return DONE;
  },

  createSubBuffer({ objects }, { id, parent, flags, origin, size }) {
    const part = objects.get('memory', parent).createSubBuffer(flags, origin, size);
    objects.add('memory', id, part as SoftwareMemory);
    return DONE;
  },

  createImage({ objects }, { id, context, flags, order, type, objectType, parent, ...shape }) {
    const over = parent === 0 ? {} : { parent: objects.get('memory', parent) };
    const description = { ...shape, ...over, type: objectType, samples: 0 };
    const image = objects.get('context', context).createImage(flags, { order, type }, description);
    objects.add('memory', id, image as SoftwareMemory);
    return DONE;
  },

  /** Staged images have no gaps between rows and slices. */
  fillMemory({ objects, staging }, { memory, staged, size }) {
    const filled = objects.get('memory', memory);
    staging.read(filled.bytes(0, size), staged);
    filled.noteWritten(0, size);
    return DONE;
  },

  imageFormats({ objects }, { context, flags, objectType }) {
    const all = objects.get('context', context).supportedImageFormats(flags, objectType);
    const words = new Uint32Array(all.flatMap(({ order, type }) => [order, type]));
    return { formats: new Uint8Array(words.buffer) };
  },

  createPipe({ objects }, { id, context, flags, packetSize, maxPackets }) {
    const pipe = objects.get('context', context).createPipe(flags, packetSize, maxPackets);
    objects.add('memory', id, pipe as SoftwareMemory);
    return DONE;
  },
};
