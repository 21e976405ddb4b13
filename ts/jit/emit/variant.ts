// SPDX-License-Identifier: MIT
//
// One variant of a kernel: a function that runs work-items in tiles of `lanes` x `rows`. The scalar variant (1 x 1) takes
// what is left over at the ends of rows, and groups whose sizes do not suit the tile.
import { DISPATCH } from '../../base/kernel-abi';
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { type Block, type Inst, Op, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import type { Region } from '../regions/split';
import { ControlPlan } from '../vectorize/control';
import type { KernelPlan } from '../vectorize/kernel-plan';
import { choosePacked } from '../vectorize/packing';
import type { MemoryPlan } from './addresses';
import { BodyEmitter } from './body';
import { type Callees, emitCall } from './calls';
import { Context } from './context';
import { Environment, type Position } from './environment';
import { StructureEmitter, type TileLoop } from './structure';
import { exchangeBytes } from './sub-group';

/** Bytes at the start of the scratch arena that nobody else uses. */
export const SCRATCH_HEADER = 64;

export type Triple = readonly [number, number, number];

/** The types of so many parameters. */
export const integers = (count: number): ValType[] => Array.from({ length: count }, () => ValType.I32);

/** Everything that a driver (range.ts, group.ts) needs to write a variant's loops around the regions' code. */
export class Variant {
  readonly c: Context;
  readonly environment: Environment;
  readonly localSize: Triple;
  private readonly body: BodyEmitter;
  private structure!: StructureEmitter;
  /** Number of the region to go on with. */
  readonly next: number;

  constructor(
    readonly code: KernelPlan,
    signature: { readonly params: readonly ValType[]; readonly results: readonly ValType[] },
    lanes: number,
    rows: number,
    readonly at: {
      readonly dispatch: number;
      readonly local: number;
      readonly scratch: number;
      readonly group: Triple;
    },
    readonly item: (c: Context) => Triple,
    callees: Callees,
    /** Whether the last tile of a row may be one of fewer work-items, for sub-groups. */
    partial = false,
  ) {
    const { divergence, layout } = code;
    this.c = new Context(
      signature.params,
      signature.results,
      lanes,
      rows,
      divergence,
      code.engine,
      (v) => code.uses.isBlockLocal(v),
      choosePacked(
        code.func,
        divergence,
        (access) => layout.elementBytes.get(access),
        lanes,
        (v) => code.liveOuts.values.has(v),
      ),
    );
    const { f } = this.c;
    this.framePointer = f.local(ValType.I32);
    this.zeros = f.local(ValType.I32);
    this.next = f.local(ValType.I32);
    if (partial)
      this.active = {
        count: f.local(ValType.I32),
        mask: Array.from({ length: lanes >> 2 }, () => f.local(ValType.V128)),
      };
    this.localSize = [f.local(ValType.I32), f.local(ValType.I32), f.local(ValType.I32)];
    this.items = item(this.c);
    const position: Position = {
      ...at,
      localSize: this.localSize,
      item: this.items,
      framePointer: this.framePointer,
      ...(this.active ? { active: this.active.count } : {}),
    };
    this.environment = new Environment(this.c, code.func, code.signature, code.privatized, layout, position);
    if (lanes > 1)
      for (const value of code.liveOuts.values)
        if (
          this.c.isVector(value) &&
          this.c.rowsOf(value) === this.c.rows &&
          code.liveOuts.how(value) === 'always'
        )
          this.c.retained.add(value.id);
        else this.c.escaped[value.id] = this.escapeLocals(value);
    const mayWriteBack = (store: Inst) => {
      const reading = code.ownElements.get(store);
      return reading !== undefined && this.c.unmasked.has(reading);
    };
    this.isCheap = (block) =>
      block.insts.length <= CHEAP_INSTRUCTIONS &&
      block.insts.every((i) => (isPure(i.op) && i.op !== Op.FRem) || (i.op === Op.Store && mayWriteBack(i)));
    const memory: MemoryPlan = {
      interleavedBytes: (access) => layout.elementBytes.get(access),
      framePointer: this.framePointer,
      harmless: this.zeros,
      dump: at.scratch,
      mayWriteBack,
      privatized: code.privatized.length > 0,
    };
    this.printfBuffer = f.local(ValType.I32);
    this.body = new BodyEmitter(
      this.c,
      code.func,
      code.uses,
      memory,
      (value, mask) => this.structure.values.noteEscape(value, mask),
      { indexOf: ({ facts }) => code.printfFormats.indexOf(facts.format!), buffer: this.printfBuffer },
      (inst) => emitCall(this.c, inst, at.dispatch, callees),
      { frame: this.framePointer, offset: this.ownBytes },
    );
  }

  private readonly isCheap: (block: Block) => boolean;
  /** Of a tile that may be a partial one: how many of its lanes are work-items, and which. */
  readonly active: { readonly count: number; readonly mask: number[] } | undefined;
  readonly framePointer: number;
  /** Address of zeros. */
  private readonly zeros: number;
  readonly items: Triple;
  private readonly printfBuffer: number;

  /** Rows leave a loop at different times, also with a value that they agree on inside. */
  private escapeLocals(value: Value): number[] {
    const { c } = this;
    return Array.from({ length: c.rows * c.perRow(value.type) }, () => c.f.local(ValType.V128));
  }

  /** Bytes of private memory that one tile needs, for its work-items and for what they exchange. */
  get privateBytes(): number {
    return this.ownBytes + (this.code.subGroups && this.c.lanes > 1 ? exchangeBytes(this.c.lanes) : 0);
  }

  private get ownBytes(): number {
    const { layout } = this.code;
    return Math.ceil(((layout.interleavedBytes + layout.linearBytes) * this.c.lanes * this.c.rows) / 16) * 16;
  }

  /** What each tile finds anew. `size`: work-items in a row. */
  beginTile(size: number): void {
    const { c, active } = this;
    const { f } = c;
    if (active) {
      // min(lanes, what is left of the row)
      f.i32(c.lanes);
      f.get(size);
      f.get(this.items[0]);
      f.op(Wasm.i32_sub);
      f.tee(active.count);
      f.i32(c.lanes);
      f.get(active.count);
      f.op(Wasm.i32_lt_u);
      f.op(Wasm.select);
      f.set(active.count);
      active.mask.forEach((local, part) => {
        f.get(active.count);
        f.op(Wasm.i32x4_splat);
        c.laneNumbers(part);
        f.op(Wasm.i32x4_gt_s);
        f.set(local);
      });
    }
    this.environment.emit('vector');
  }

  /** The function's start: sizes, arguments, everything that is the same for all work-items. */
  prologue(): void {
    const { c, code } = this;
    const { f } = c;
    if (this.usesLocalSize())
      for (const d of [0, 1, 2]) {
        // min(local size, what is left of the ND-range)
        f.get(this.at.dispatch);
        f.memory(Wasm.i32_load, DISPATCH.localSize + d * 4, 2);
        f.set(this.localSize[d]!);
        c.withLocal(ValType.I32, (rest) => {
          f.get(this.at.dispatch);
          f.memory(Wasm.i32_load, DISPATCH.globalSize + d * 4, 2);
          f.get(this.at.group[d]!);
          f.get(this.localSize[d]!);
          f.op(Wasm.i32_mul);
          f.op(Wasm.i32_sub);
          f.tee(rest);
          f.get(this.localSize[d]!);
          f.get(rest);
          f.get(this.localSize[d]!);
          f.op(Wasm.i32_lt_u);
          f.op(Wasm.select);
          f.set(this.localSize[d]!);
        });
      }
    if (code.func.blocks.some((b) => b.insts.some((i) => i.op === Op.Printf))) {
      f.get(this.at.dispatch);
      f.memory(Wasm.i32_load, DISPATCH.printfBuffer, 2);
      f.set(this.printfBuffer);
    }
    f.get(this.at.dispatch);
    f.i32(DISPATCH.zeros);
    f.op(Wasm.i32_add);
    f.set(this.zeros);
    this.environment.preload();
    this.environment.emit('function');
    c.openRepeated(undefined);
  }

  private usesLocalSize(): boolean {
    const { environment } = this.code;
    return [Op.LocalSize, Op.LocalLinearId, Op.SubGroupId, Op.NumSubGroups].some((op) => environment.has(op));
  }

  /**
   * The code of one region for the tile at the current position; with `tiles`, perhaps for tiles behind it as well. `leave` is
   * told each block that returns.
   */
  region(region: Region, { tiles, leave }: RegionUse): void {
    const { c, code } = this;
    const { divergence } = code;
    const original = (block: Block) => region.original.get(block)!;
    const isDivergent = (block: Block) => {
      if (c.lanes === 1) return false;
      const dims = divergence.dimsAt(block.terminator.operands[0]!, original(block));
      return (dims & (c.rows > 1 ? 3 : 1)) !== 0;
    };
    const plan = new ControlPlan(region.func, isDivergent);
    this.structure = new StructureEmitter(
      c,
      plan,
      {
        body: (block) => this.body.body(block),
        leave,
        isCheap: this.isCheap,
      },
      original,
      code.liveOuts,
      tiles,
    );
    this.structure.emit(this.active?.mask);
  }
}

const CHEAP_INSTRUCTIONS = 6;

export interface RegionUse {
  readonly tiles?: TileLoop;
  readonly leave?: (block: Block) => void;
}
