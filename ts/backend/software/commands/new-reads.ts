// SPDX-License-Identifier: MIT
//
// Reads into new memory, which the device's thread for reads makes and fills.
import type { Work } from '../../../device/commands/command';
import type { Device } from '../../../device/device';
import type { SoftwareMemory } from '../memory/memory';

/** A read in two commands: `begin` requests the copy, `end` runs when it has arrived. */
export interface PreparedRead {
  readonly begin: Work;
  readonly end: Work;
  /** Resolves when there is a reply, or when `giveUp` was called because `begin` never ran. */
  readonly replied: Promise<void>;
  giveUp(): void;
  /** When the thread was asked; 0 before that. */
  readonly begunAt: bigint;
  bytes(): ArrayBuffer;
}

export function prepareNewRead(from: SoftwareMemory, offset: number, size: number): PreparedRead {
  const { device } = from;
  let reply: (() => void) | undefined;
  let copy: ArrayBuffer | undefined;
  let begunAt = 0n;
  const replied = new Promise<void>((resolve) => {
    reply = resolve;
  });
  const begin = (): void => {
    begunAt = device.host.now();
    const request = { memory: memoryOf(device), address: from.address + offset, size };
    void device.processor.reader.read(request).then((bytes) => {
      copy ??= bytes;
      reply!();
    });
  };
  // Without a copy a blocking call waits for it on this thread, or the other thread had no memory.
  const end = (): void => {
    copy ??= from.bytes(offset, size).slice().buffer as ArrayBuffer;
  };
  return {
    begin: { kind: 'host', run: begin },
    end: { kind: 'host', run: end },
    replied,
    giveUp: reply!,
    get begunAt() {
      return begunAt;
    },
    bytes: () => copy!,
  };
}

const memoryOf = ({ memory }: Device): ArrayBufferLike => memory.memory.buffer;
