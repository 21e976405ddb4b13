// SPDX-License-Identifier: MIT
//
// Pipes.
import { PIPE, pipeSize } from '../../../base/kernel-abi';
import { MemFlags, MemObjectType } from '../../../cl/constants.gen';
import { answerInfo } from '../../../cl/encode-info';
import { pipeInfo } from '../../../cl/info-keys.gen';
import type { Device } from '../../../device/device';
import type { Block } from '../../../device/memory/allocator';
import { allocate, BASE_ALIGN } from './allocate';
import { SoftwareMemory } from './memory';

export class SoftwarePipe extends SoftwareMemory {
  override readonly type = MemObjectType.PIPE;
  private readonly block: Block;

  constructor(
    device: Device,
    flags: number,
    readonly packetSize: number,
    private readonly maxPackets: number,
  ) {
    const size = pipeSize(packetSize, maxPackets);
    const block = allocate(device, size, BASE_ALIGN, 'clCreatePipe');
    super(device, flags || MemFlags.READ_WRITE | MemFlags.HOST_NO_ACCESS, block.address, size, undefined);
    this.block = block;
    const view = new DataView(device.memory.memory.buffer, block.address, PIPE.counts);
    for (let at = 0; at < PIPE.counts; at += 4) view.setUint32(at, 0, true);
    view.setUint32(PIPE.packetSize, packetSize, true);
    view.setUint32(PIPE.maxPackets, maxPackets, true);
  }

  override pipeInfo(param: number): Uint8Array {
    const answers = { PACKET_SIZE: this.packetSize, MAX_PACKETS: this.maxPackets, PROPERTIES: [] };
    return answerInfo(pipeInfo, answers, 'clGetPipeInfo', param);
  }

  protected override destroy(): void {
    this.device.memory.free(this.block);
  }
}
