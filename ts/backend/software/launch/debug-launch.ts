// SPDX-License-Identifier: MIT
//
// A launch that is debugged: it runs here, work-item by work-item, on the memory of the device. The checks of the context look at it.
import { CHECK_CALLS, type CheckCall } from '../../../base/checks';
import type { Fault } from '../../../base/faults';
import { DISPATCH, type PrintfFormat } from '../../../base/kernel-abi';
import type { NDRange } from '../../../base/nd-range';
import { ErrorCode } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import { GroupStop } from '../../../device/checks/barriers';
import { answersOf } from '../../../device/checks/checked-kernel';
import { CheckedLaunch } from '../../../device/checks/checked-launch';
import { KernelShadow } from '../../../device/checks/kernel-shadow';
import type { Arena } from '../../../device/checks/objects';
import { ShadowMemory } from '../../../device/checks/shadow-memory';
import type { Block } from '../../../device/memory/allocator';
import { makeRing, readPrintf } from '../../../device/printf/printf';
import type { DebuggedKernel } from '../../../jit/compiled';
import type { DebugItem, DebugRun } from '../../../jit/debug/debug-item';
import { faultOf } from '../checks/faults';
import { LaunchChecks, type LaunchToCheck } from '../checks/launch-checks';
import { allocate } from '../memory/allocate';
import type { SoftwareKernel } from '../programs/kernel';
import { type ResolvedRange, resolveNDRange } from '../programs/nd-range';
import { checkArguments, localMemory, writeArguments, writeRange } from './launch-memory';

const RING_BYTES = 4096;
/** Where a ring's first record begins. */
const RECORD = 8;
const CALL = 'clEnqueueNDRangeKernel';

export interface DebugListener {
  fault(fault: Fault): void;
  print(text: string): void;
}

export class DebugLaunch {
  readonly range: ResolvedRange;
  readonly lines: DebuggedKernel['lines'];
  /** The work-items of the group that runs. */
  items: DebugItem[] = [];
  private readonly code: DebuggedKernel;
  private readonly env: DebugRun;
  private readonly blocks: Block[] = [];
  private readonly checks: LaunchChecks;
  private readonly checked: CheckedLaunch;
  private number = 0;
  private ring: number | undefined;
  /** The local memory that arguments give. */
  private readonly locals: { readonly base: number; readonly size: number }[] = [];

  constructor(
    private readonly kernel: SoftwareKernel,
    { global, local, offset }: NDRange,
    private readonly listener: DebugListener,
  ) {
    const { signature, executable } = kernel;
    checkArguments(kernel);
    if (signature.enqueues)
      throw new OpenCLError(
        ErrorCode.INVALID_OPERATION,
        CALL,
        `kernel '${signature.name}' enqueues others, which cannot be debugged`,
      );
    this.range = resolveNDRange(kernel, global, local, offset);
    this.code = executable.debugKernel(signature.name);
    this.lines = this.code.lines;
    const dispatch = this.makeDispatch();
    const env = this.environmentOf(dispatch);
    const arena = this.makeArena(env);
    const launch = this.describe(dispatch);
    this.checks = new LaunchChecks(launch, this.code.checks);
    for (const [index, value] of kernel.values.entries())
      if (value?.kind === 'local') {
        const at = dispatch + signature.arguments[index]!.offset;
        this.locals.push({
          base: arena.local + kernel.device.memory.i32[at >>> 2]!,
          size: value.bytes,
        });
      }
    this.checked = this.makeChecked(launch, arena);
    this.env = {
      ...env,
      localBase: arena.local,
      privateBase: arena.scratch,
      scratchEnd: arena.end,
      checkBlock: this.checks.address,
      check: this.makeCheck(),
    };
    this.begin();
  }

  /** The dispatch block, with the arguments and the sizes. */
  private makeDispatch(): number {
    const { kernel, range } = this;
    const { signature, device } = kernel;
    const dispatch = this.allocate(signature.dispatchBytes);
    device.memory.u8.fill(0, dispatch, dispatch + DISPATCH.arguments);
    writeArguments(kernel, device.memory, dispatch, signature.staticLocalBytes);
    writeRange(device.memory, dispatch, range);
    return dispatch;
  }

  /** What the interpreter needs to make work-items; their memory and the checks are added later. */
  private environmentOf(dispatch: number): DebugRun {
    const { kernel, range } = this;
    const { buffer } = kernel.device.memory.memory;
    return {
      memory: new DataView(buffer),
      dispatch: new DataView(buffer, dispatch),
      signature: kernel.signature,
      globalSize: triple(range.global),
      localSize: triple(range.local),
      globalOffset: triple(range.offset),
      programBase: kernel.executable.globalsAddress(),
      localBase: 0,
      privateBase: 0,
      limit: Number.POSITIVE_INFINITY,
      clock: () => BigInt(Math.round(performance.now() * 1e6)),
      printed: (format, values) => this.print(format, values),
      check: () => 0,
      scratchEnd: 0,
      checkBlock: 0,
    };
  }

  /** The local memory of a group and the private memory of its work-items. */
  private makeArena(env: DebugRun): Arena {
    const { kernel, range, code } = this;
    const localBytes = Math.ceil(localMemory(kernel, kernel.signature.staticLocalBytes) / 64) * 64;
    const items = range.local.reduce((all, size) => all * size, 1);
    // The private memory of one work-item does not depend on where it is, but for alignment.
    const [probe] = code.group(env, [0, 0, 0]);
    const scratchBytes = (Math.ceil(probe!.frameBytes / 64) + 1) * 64 * items;
    const local = this.allocate(localBytes + scratchBytes);
    return { local, scratch: local + localBytes, end: local + localBytes + scratchBytes };
  }

  private describe(dispatch: number): LaunchToCheck {
    const { device, signature, executable, values } = this.kernel;
    return {
      device,
      memory: device.checked!,
      signature,
      values,
      dispatch,
      globals: { address: executable.globalsAddress(), size: executable.globalBytes },
      source: (file) => (file === '<source>' ? executable.source : undefined),
      pattern: undefined,
    };
  }

  private makeChecked(launch: LaunchToCheck, arena: Arena): CheckedLaunch {
    const { checks: table } = this.code;
    const { u8, memory } = this.kernel.device.memory;
    return new CheckedLaunch(
      u8,
      new Uint32Array(memory.buffer),
      launch.dispatch,
      this.checks.address,
      arena,
      table,
      new KernelShadow(table, new ShadowMemory()),
      (record) => this.listener.fault(faultOf({ ...record, count: 1 }, table, launch)),
    );
  }

  /** How the interpreter's calls of checks are answered. */
  private makeCheck(): DebugRun['check'] {
    const answers = answersOf(() => this.checked) as unknown as Readonly<
      Record<CheckCall, (...values: (number | bigint)[]) => number>
    >;
    return ({ facts }, operands) => {
      const call = CHECK_CALLS[facts.check!];
      if ('guarded' in call && operands[0] === 0) return 0;
      return answers[facts.check!](facts.site!, ...operands.slice(0, call.parameters.length)) ?? 0;
    };
  }

  /** Executes one instruction of a work-item. Ends its group if its work-items diverged at a barrier. */
  step(item: DebugItem): void {
    try {
      item.step();
    } catch (error) {
      if (!(error instanceof GroupStop)) throw error;
      for (const each of this.items) each.status = 'done';
    }
  }

  /** Bytes were written from outside of the launch, so they have contents. */
  wrote(address: number, size: number): void {
    const owner = this.items.find((item) => item.owns(address));
    this.checked.give(address, size, owner?.linearId ?? 0);
  }

  /** All work-items of the group have arrived or ended: goes on with them. */
  release(): void {
    this.code.release(this.items);
  }

  /** Goes to the next group; false if there is none. */
  nextGroup(): boolean {
    const { groups } = this.range;
    if (++this.number >= groups[0] * groups[1] * groups[2]) return false;
    this.begin();
    return true;
  }

  /** The memory of the device. */
  get memory(): DataView {
    return new DataView(this.kernel.device.memory.memory.buffer);
  }

  /** The bytes from an address to the end of the buffer, or other object, that it is in. */
  bytesFrom(address: number): number | undefined {
    const local = this.locals.find(({ base, size }) => address >= base && address < base + size);
    if (local) return local.base + local.size - address;
    const range = this.kernel.device.checked!.rangeOf(address);
    return range && range.address + range.size - address;
  }

  finish(): void {
    const { memory } = this.kernel.device;
    this.checks.finish(undefined);
    for (const block of this.blocks.splice(0)) memory.free(block);
  }

  /** As a record of the device, which has only one to read. */
  private print(format: PrintfFormat, values: readonly (number | bigint)[]): void {
    const { u8, memory } = this.kernel.device.memory;
    this.ring ??= this.allocate(RING_BYTES);
    const ring = makeRing(u8, this.ring, RING_BYTES);
    const view = new DataView(memory.buffer, this.ring);
    let at = RECORD + 8;
    let next = 0;
    for (const { type, components } of format.arguments)
      for (let i = 0; i < components; i++) {
        const value = values[next++]!;
        if (type === 'f64') view.setFloat64(at, Number(value), true);
        else if (type === 'i64') view.setBigInt64(at, BigInt(value), true);
        else view.setInt32(at, Number(value), true);
        at += type === 'f64' || type === 'i64' ? 8 : 4;
      }
    view.setUint32(0, at - RECORD, true);
    view.setUint32(RECORD, at - RECORD, true);
    view.setUint32(RECORD + 4, 0, true);
    for (const bytes of readPrintf(ring, [format])) this.listener.print(new TextDecoder().decode(bytes));
  }

  private begin(): void {
    const { groups } = this.range;
    const { number } = this;
    const group = [
      number % groups[0],
      Math.floor(number / groups[0]) % groups[1],
      Math.floor(number / (groups[0] * groups[1])),
    ];
    this.items = this.code.group(this.env, group);
  }

  private allocate(bytes: number): number {
    const block = allocate(this.kernel.device, Math.max(bytes, 64), 64, CALL);
    this.blocks.push(block);
    return block.address;
  }
}

const triple = (sizes: readonly number[]) => sizes as unknown as readonly [number, number, number];
