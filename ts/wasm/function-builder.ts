// SPDX-License-Identifier: MIT
import { invariant } from '../base/invariant';
import { ByteBuffer } from './byte-buffer';
import { Wasm } from './opcodes';
import { ValType } from './val-type';
import { addressesToExtend, type Signature } from './widen-addresses';

export { ValType };

/** The type of a block without operands and results. */
export const EMPTY = 0x40;

/** Identifies an open block, loop or if; branches name it, so that callers need not count nesting levels. */
export type Label = number & { readonly __label: never };

/** A position in a function at which code can be inserted later. */
export interface Gap {
  readonly at: number;
  readonly code: ByteBuffer;
}

/** Writes one function's body directly as bytes. Instructions are emitted in the order of the binary format. */
export class FunctionBuilder {
  private code = new ByteBuffer(4096);
  /** Sorted by position. */
  private gaps: Gap[] = [];
  private readonly localTypes: ValType[] = [];
  private hints: { readonly at: number; readonly likely: boolean }[] = [];
  private depth = 0;

  constructor(
    readonly params: readonly ValType[],
    readonly results: readonly ValType[] = [],
  ) {}

  /** Leaves a gap here, into which `fill` inserts straight-line code later. */
  gap(): Gap {
    const made = { at: this.code.length, code: new ByteBuffer(0) };
    this.gaps.push(made);
    return made;
  }

  fill(gap: Gap, emit: () => void): void {
    const { code } = this;
    this.code = gap.code;
    emit();
    this.code = code;
  }

  /** A new local variable's index. */
  local(type: ValType): number {
    this.localTypes.push(type);
    return this.params.length + this.localTypes.length - 1;
  }

  typeOfLocal(index: number): ValType {
    return index < this.params.length ? this.params[index]! : this.localTypes[index - this.params.length]!;
  }

  /** An instruction without immediates. */
  op(code: Wasm): void {
    if (code < 0x100) {
      this.code.u8(code);
      return;
    }
    this.code.u8(code >>> 16);
    this.code.u32(code & 0xffff);
  }

  get(local: number): void {
    this.code.u8(Wasm.local_get);
    this.code.u32(local);
  }

  set(local: number): void {
    this.code.u8(Wasm.local_set);
    this.code.u32(local);
  }

  tee(local: number): void {
    this.code.u8(Wasm.local_tee);
    this.code.u32(local);
  }

  i32(value: number): void {
    this.code.u8(Wasm.i32_const);
    this.code.s32(value);
  }

  i64(value: bigint): void {
    this.code.u8(Wasm.i64_const);
    this.code.s64(value);
  }

  f32(value: number): void {
    this.code.u8(Wasm.f32_const);
    this.code.f32(value);
  }

  f64(value: number): void {
    this.code.u8(Wasm.f64_const);
    this.code.f64(value);
  }

  v128(bytes: Uint8Array): void {
    invariant(bytes.length === 16, 'a v128 constant has 16 bytes');
    this.op(Wasm.v128_const);
    this.code.append(bytes);
  }

  /** A load or store at the address on the stack plus `offset`; `alignLog2` is a hint, except for atomics. */
  memory(code: Wasm, offset: number, alignLog2 = 0): void {
    this.op(code);
    this.code.u32(alignLog2);
    this.code.u32(offset);
  }

  memoryLane(code: Wasm, offset: number, lane: number, alignLog2 = 0): void {
    this.memory(code, offset, alignLog2);
    this.code.u8(lane);
  }

  /** Extract or replace a lane. */
  lane(code: Wasm, lane: number): void {
    this.op(code);
    this.code.u8(lane);
  }

  shuffle(lanes: Uint8Array | readonly number[]): void {
    invariant(lanes.length === 16, 'a shuffle names 16 bytes');
    this.op(Wasm.i8x16_shuffle);
    for (let i = 0; i < 16; i++) this.code.u8(lanes[i]!);
  }

  /** memory.copy, memory.fill, atomic.fence: their memory indices are zero. */
  withZeros(code: Wasm, count: number): void {
    this.op(code);
    for (let i = 0; i < count; i++) this.code.u8(0);
  }

  block(): Label {
    return this.open(Wasm.block);
  }

  loop(): Label {
    return this.open(Wasm.loop);
  }

  /** Takes an i32 from the stack. `likely`: whether it is usually true, if known. */
  if_(likely?: boolean): Label {
    this.hint(likely);
    return this.open(Wasm.if_);
  }

  else_(): void {
    this.code.u8(Wasm.else_);
  }

  end(): void {
    invariant(this.depth > 0, 'end without a block');
    this.depth--;
    this.code.u8(Wasm.end);
  }

  br(label: Label): void {
    this.code.u8(Wasm.br);
    this.code.u32(this.levelOf(label));
  }

  brIf(label: Label, likely?: boolean): void {
    this.hint(likely);
    this.code.u8(Wasm.br_if);
    this.code.u32(this.levelOf(label));
  }

  brTable(labels: readonly Label[], otherwise: Label): void {
    this.code.u8(Wasm.br_table);
    this.code.u32(labels.length);
    for (const label of labels) this.code.u32(this.levelOf(label));
    this.code.u32(this.levelOf(otherwise));
  }

  call(index: number): void {
    this.code.u8(Wasm.call);
    this.code.u32(index);
  }

  /** Extends the addresses of 32 bits, for a memory with 64-bit addresses. The code is complete. */
  extendAddresses(callee: (index: number) => Signature): void {
    this.insert(this.gaps.map(({ at, code }) => ({ at, bytes: code.view() })));
    this.gaps = [];
    const local = (index: number) => this.typeOfLocal(index);
    const bytes = Uint8Array.of(Wasm.i64_extend_i32_u);
    this.insert(addressesToExtend(this.code.view(), { local, callee }).map((at) => ({ at, bytes })));
  }

  /** Inserts instructions at positions in ascending order. */
  private insert(parts: readonly { readonly at: number; readonly bytes: Uint8Array }[]): void {
    if (parts.length === 0) return;
    const old = this.code.view();
    const code = new ByteBuffer(old.length + parts.reduce((sum, { bytes }) => sum + bytes.length, 0));
    const moved: { at: number; by: number }[] = [];
    let done = 0;
    for (const { at, bytes } of parts) {
      code.append(old.subarray(done, at));
      code.append(bytes);
      done = at;
      moved.push({ at, by: code.length - at });
    }
    code.append(old.subarray(done));
    this.code = code;
    let next = 0;
    let by = 0;
    this.hints = this.hints.map(({ at, likely }) => {
      while (next < moved.length && moved[next]!.at <= at) by = moved[next++]!.by;
      return { at: at + by, likely };
    });
  }

  /** The function's entry in the code section, size included. */
  finish(into: ByteBuffer): void {
    invariant(this.depth === 0, 'an open block at the end of a function');
    const locals = this.encodeLocals();
    const filled = this.gaps.filter((gap) => gap.code.length > 0);
    const added = filled.reduce((bytes, gap) => bytes + gap.code.length, 0);
    into.u32(locals.length + this.code.length + added + 1);
    into.append(locals.view());
    const code = this.code.view();
    let done = 0;
    for (const gap of filled) {
      into.append(code.subarray(done, gap.at));
      into.append(gap.code.view());
      done = gap.at;
    }
    into.append(code.subarray(done));
    into.u8(Wasm.end);
  }

  get hasHints(): boolean {
    return this.hints.length > 0;
  }

  /** The function's branches with a known usual direction, for the section of branch hints. */
  encodeHints(into: ByteBuffer): void {
    const start = this.encodeLocals().length;
    into.u32(this.hints.length);
    let next = 0;
    let added = 0;
    for (const { at, likely } of this.hints) {
      while (next < this.gaps.length && this.gaps[next]!.at <= at) added += this.gaps[next++]!.code.length;
      into.u32(start + at + added);
      into.u32(1);
      into.u8(likely ? 1 : 0);
    }
  }

  private hint(likely: boolean | undefined): void {
    if (likely !== undefined) this.hints.push({ at: this.code.length, likely });
  }

  private encodeLocals(): ByteBuffer {
    const locals = new ByteBuffer(64);
    const runs: [ValType, number][] = [];
    for (const type of this.localTypes) {
      const last = runs.at(-1);
      if (last && last[0] === type) last[1]++;
      else runs.push([type, 1]);
    }
    locals.u32(runs.length);
    for (const [type, count] of runs) {
      locals.u32(count);
      locals.u8(type);
    }
    return locals;
  }

  private open(code: Wasm): Label {
    this.code.u8(code);
    this.code.u8(EMPTY);
    return ++this.depth as Label;
  }

  private levelOf(label: Label): number {
    invariant(label <= this.depth, 'a branch to a closed block');
    return this.depth - label;
  }
}
