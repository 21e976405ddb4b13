// SPDX-License-Identifier: MIT
//
// Commands that take memory from another API and give it back.
import type { ExtensionOp } from '../../backend/command';

/** Another API that owns memory which this one uses too. */
export type Owner = 'external' | 'gl' | 'egl';

type ExchangeOp = Exclude<ExtensionOp, 'waitSemaphores' | 'signalSemaphores'>;

interface Exchange {
  readonly op: ExchangeOp;
  readonly functionName: string;
}

/** For each owner: the commands that take memory from it and give it back, their functions, and the extension. */
export const EXCHANGES: Readonly<
  Record<Owner, { readonly acquire: Exchange; readonly release: Exchange; readonly needs: string }>
> = {
  external: {
    acquire: { op: 'acquireExternal', functionName: 'clEnqueueAcquireExternalMemObjectsKHR' },
    release: { op: 'releaseExternal', functionName: 'clEnqueueReleaseExternalMemObjectsKHR' },
    needs: 'cl_khr_external_memory',
  },
  gl: {
    acquire: { op: 'acquireGl', functionName: 'clEnqueueAcquireGLObjects' },
    release: { op: 'releaseGl', functionName: 'clEnqueueReleaseGLObjects' },
    needs: 'cl_khr_gl_sharing',
  },
  egl: {
    acquire: { op: 'acquireEgl', functionName: 'clEnqueueAcquireEGLObjectsKHR' },
    release: { op: 'releaseEgl', functionName: 'clEnqueueReleaseEGLObjectsKHR' },
    needs: 'cl_khr_egl_image',
  },
};
