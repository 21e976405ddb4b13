// SPDX-License-Identifier: MIT
import type { Device } from '../../../device/device';
import { BuildFailure } from '../build/build-program';
import type { Answers, CompileRequest, FailureReply } from './compile-request';
import type { CompileThread } from './compile-thread';

/**
 * Sends a request to the compiler's thread. Throws the error that the same step would throw on the calling
 * thread.
 */
export async function ask<K extends CompileRequest['kind']>(
  compiler: CompileThread,
  device: Device,
  request: CompileRequest & { readonly kind: K },
  signal?: AbortSignal,
): Promise<Answers[K] | { readonly kind: 'unknown program' }> {
  const reply = await compiler.run(device, request, signal);
  if (reply.kind === 'failure') throw errorOf(reply);
  return reply as Answers[K];
}

function errorOf({ message, stack, forTheUser, badOptions }: FailureReply): Error {
  if (forTheUser) return new BuildFailure(message, badOptions);
  return Object.assign(new Error(message), { name: 'InvariantError', stack });
}
