// SPDX-License-Identifier: MIT
//
// Which bytes of buffers the host's commands write, for the check of uninitialized memory.
import type { CheckedMemory } from '../../../device/checks/checked-memory';
import type { HostWork } from '../../../device/commands/command';
import { followedBy } from '../../../device/commands/host-work';
import type { BackendMemory } from '../../backend-objects';
import type { Command, CommandOp } from '../../command';
import type { SoftwareMemory } from '../memory/memory';

type Note = (checked: CheckedMemory) => void;

const whole =
  (memory: BackendMemory): Note =>
  (checked) => {
    const { address, size } = memory as SoftwareMemory;
    checked.written(address, size);
  };

const range =
  (memory: BackendMemory, offset: number, size: number): Note =>
  (checked) =>
    checked.written((memory as SoftwareMemory).address + offset, size);

/** A box counts as the whole buffer: a missed byte would cause a false report. */
const WRITES: { readonly [K in CommandOp]?: (command: Command<K>) => Note } = {
  writeBuffer: ({ buffer, offset, from }) => range(buffer, offset, from.byteLength),
  writeBufferRect: ({ buffer }) => whole(buffer),
  fillBuffer: ({ buffer, offset, size }) => range(buffer, offset, size),
  copyBuffer:
    ({ from, to, fromOffset, toOffset, size }) =>
    (checked) => {
      const [source, target] = [from as SoftwareMemory, to as SoftwareMemory];
      checked.copied(target.address + toOffset, source.address + fromOffset, size);
    },
  copyBufferRect: ({ to }) => whole(to),
  copyImageToBuffer: ({ to }) => whole(to),
};

/** Runs a command and then marks the bytes that it has written. */
export function withWrittenBytes(checked: CheckedMemory, command: Command, work: HostWork): HostWork {
  const table: { readonly [op: string]: ((command: never) => Note) | undefined } = WRITES;
  const note = table[command.op]?.(command as never);
  return note ? followedBy(work, () => note(checked)) : work;
}
