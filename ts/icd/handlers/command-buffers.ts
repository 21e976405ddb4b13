// SPDX-License-Identifier: MIT
//
// Command buffers: recorded commands, and updates of recorded launches. The client tracks their states.

import type { KernelUpdate } from '../../backend/backend-command-buffer';
import type { BackendArgument } from '../../backend/backend-queue';
import { argumentOf } from '../arguments';
import { ArgumentKind, type RequestName, type Requests } from '../messages.gen';
import { DONE, type Handlers, type Session } from './handler';
import { type Operands, RECORDABLE, type RecordableName, rangeOf } from './recordable';

type RecordName = Extract<RequestName, `record${string}`>;

/** Records a command whose operands requests for queues have in the same form. */
const record =
  <Name extends RecordableName>(name: Name) =>
  ({ objects }: Session, request: Operands<Name> & Requests['recordBarrier']) =>
    objects
      .get('commandBuffer', request.commandBuffer)
      .record(RECORDABLE[name](objects, request), request.after);

function argumentsOf({ objects }: Session, request: Requests['updateCommand']): Map<number, BackendArgument> {
  const { indices, kinds, objects: ids, lengths, values } = request;
  const all = new Map<number, BackendArgument>();
  let at = 0;
  for (const [i, index] of indices.entries()) {
    const size = lengths[i]!;
    const value = values.subarray(at, at + size);
    const argument = { kind: kinds[i]!, object: ids[i]!, size, value };
    all.set(index, argumentOf(objects, argument));
    if (argument.kind === ArgumentKind.Value) at += size;
  }
  return all;
}

export const COMMAND_BUFFERS: Handlers<
  RecordName | 'createCommandBuffer' | 'finalizeCommandBuffer' | 'updateCommand'
> = {
  createCommandBuffer({ objects }, { id, context, queue, properties }) {
    const queues = [objects.get('queue', queue)];
    objects.add('commandBuffer', id, objects.get('context', context).createCommandBuffer(queues, properties));
    return DONE;
  },

  recordCopyBuffer: record('CopyBuffer'),
  recordCopyBufferRect: record('CopyBufferRect'),
  recordFillBuffer: record('FillBuffer'),
  recordCopyImage: record('CopyImage'),
  recordFillImage: record('FillImage'),
  recordCopyImageToBuffer: record('CopyImageToBuffer'),
  recordCopyBufferToImage: record('CopyBufferToImage'),
  recordSvmMemcpy: record('SvmMemcpy'),
  recordSvmFill: record('SvmFill'),
  recordBarrier: record('Barrier'),

  recordKernel({ objects }, request) {
    const kernel = objects.get('kernel', request.kernel);
    // The client decides which commands a program may change.
    return objects
      .get('commandBuffer', request.commandBuffer)
      .recordKernel(kernel, rangeOf(request), request.after, true);
  },

  finalizeCommandBuffer({ objects }, { commandBuffer }) {
    objects.get('commandBuffer', commandBuffer).finalize();
    return DONE;
  },

  updateCommand(session, request) {
    const { offset, global, local, commandBuffer, command } = request;
    const change: KernelUpdate = {
      ...(global.length > 0 ? { global } : {}),
      ...(local.length > 0 ? { local } : {}),
      ...(offset.length > 0 ? { offset } : {}),
      args: argumentsOf(session, request),
    };
    session.objects.get('commandBuffer', commandBuffer).update(command, change);
    return DONE;
  },
};
