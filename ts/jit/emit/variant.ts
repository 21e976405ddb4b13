// SPDX-License-Identifier: MIT
//
// One variant of a kernel: a function that runs work-items in tiles of `lanes` x `rows`. The scalar variant (1 x 1) runs the
// remainders of rows, and groups whose sizes do not fit the tile.
import { DISPATCH, type SoleWrite } from '../../base/kernel-abi';
import type { Steps } from '../../base/steps';
import { i32, i32x4, loadWord, select, set, tee } from '../../wasm/expressions';
import { type FunctionBuilder, ValType } from '../../wasm/function-builder';
import { type Block, type Inst, Op } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import type { Region } from '../regions/regions';
import type { KernelPlan } from '../vectorize/kernel-plan';
import type { VectorPlan } from '../vectorize/plan';
import { BodyEmitter } from './body';
import { type Callees, emitCall, emitReadClock } from './calls';
import { Context } from './context';
import { BRANCHES } from './control/branches';
import { StructureEmitter, type TileLoop } from './control/structure';
import { Environment } from './environment';
import type { Position } from './environment-values';
import type { MemoryPlan, SoleRange } from './memory/addresses';
import { isAsInMemory } from './memory/stores';
import { SEEDS_END } from './pairs';
import { exchangeBytes } from './sub-group/exchanges';

/** Bytes at the start of the scratch arena that are reserved for the write sink and for what nobody reads. */
export const SCRATCH_HEADER = SEEDS_END;

export type Triple = readonly [number, number, number];

/** The types of `count` integer parameters. */
export const integers = (count: number): ValType[] => Array.from({ length: count }, () => ValType.I32);

/** Fresh locals for vectors. */
const vectors = (f: FunctionBuilder, count: number): number[] =>
  Array.from({ length: count }, () => f.local(ValType.V128));

/** The parameters of a variant's function that a driver (range.ts, group.ts) chooses. */
export interface VariantOptions {
  readonly params: readonly ValType[];
  readonly results: readonly ValType[];
  /** The parameters with its position, as locals. */
  readonly at: {
    readonly dispatch: number;
    readonly local: number;
    readonly scratch: number;
    readonly group: Triple;
  };
  /** Locals of the tile's first work-item; the function's own by default. */
  readonly items?: Triple;
  readonly callees: Callees;
  /** Whether the last tile of a row may be one of fewer work-items, for sub-groups. */
  readonly partial?: boolean;
}

/** Everything that a driver needs to emit a variant's loops around the regions' code. */
export class Variant {
  readonly code: KernelPlan;
  readonly c: Context;
  readonly environment: Environment;
  readonly at: VariantOptions['at'];
  readonly localSize: Triple;
  readonly items: Triple;
  /** Local with the number of the next region. */
  readonly next: number;
  /** For a tile that may be partial: the number of lanes that are work-items, and their mask. */
  readonly active: { readonly count: number; readonly mask: number[] } | undefined;
  readonly framePointer: number;
  /** Address of zeros. */
  private readonly zeros: number;
  private readonly printfBuffer: number;
  private readonly soleRanges = new Map<SoleWrite, SoleRange>();
  private readonly body: BodyEmitter;
  private structure!: StructureEmitter;

  constructor(
    readonly plan: VectorPlan,
    { params, results, at, items, callees, partial = false }: VariantOptions,
  ) {
    this.code = plan.kernel;
    this.at = at;
    this.c = new Context(params, results, plan);
    const { f } = this.c;
    const i32 = () => f.local(ValType.I32);
    this.framePointer = i32();
    this.zeros = i32();
    this.next = i32();
    this.active = partial ? { count: i32(), mask: vectors(f, plan.lanes >> 2) } : undefined;
    this.localSize = [i32(), i32(), i32()];
    this.items = items ?? [i32(), i32(), i32()];
    this.environment = this.makeEnvironment();
    for (const [value, how] of plan.liveOuts)
      if (how === 'separate') this.c.liveOuts[value.id] = vectors(f, plan.rows * plan.perRow(value.type));
    this.printfBuffer = i32();
    this.body = this.makeBody(callees);
  }

  private makeEnvironment(): Environment {
    const { c, code, at, localSize, items, framePointer, active } = this;
    const position: Position = {
      ...at,
      localSize,
      item: items,
      framePointer,
      ...(active ? { active: active.count } : {}),
    };
    return new Environment(c, code.func, code.signature, code.privatized, code.layout, position);
  }

  private makeBody(callees: Callees): BodyEmitter {
    const { c, code, at, framePointer, printfBuffer: buffer } = this;
    const memory: MemoryPlan = {
      framePointer,
      safeReadAddress: this.zeros,
      writeSink: at.scratch,
      mayWriteBack: (store) => this.mayWriteBack(store),
      soleRange: (store) => this.soleRange(store),
      privatized: code.privatized.length > 0,
    };
    return new BodyEmitter(c, {
      uses: code.uses,
      memory,
      keepLiveOut: (value, mask) => this.structure.values.keepLiveOut(value, mask),
      printf: { indexOf: ({ facts }) => code.printfFormats.indexOf(facts.format!), buffer },
      call: (inst) => emitCall(c, inst, at.dispatch, callees),
      readClock: (inst) => emitReadClock(c, inst, callees),
      checks: callees,
      exchange: { frame: framePointer, offset: this.ownBytes },
    });
  }

  /** Whether inactive lanes may write back the old contents, because all lanes have accessed them in the last emitted code. */
  private mayWriteBack(store: Inst): boolean {
    const accessing = this.code.ownElements.get(store);
    return (
      accessing !== undefined && this.c.unmasked.has(accessing) && isAsInMemory(this.c, store.operands[1]!)
    );
  }

  private soleRange(store: Inst): SoleRange | undefined {
    const found = this.code.soleWrites.stores.get(store);
    return found && (!found.after || this.c.unmasked.has(found.after))
      ? this.soleRanges.get(found.sole)
      : undefined;
  }

  /** V8 does not move loads out of the loop over tiles. */
  private loadSoleRanges(): void {
    const { f } = this.c;
    for (const sole of this.code.soleWrites.arguments) {
      const range = { start: f.local(ValType.I32), end: f.local(ValType.I32) };
      set(f, range.start, loadWord(this.at.dispatch, sole.offset));
      set(f, range.end, loadWord(this.at.dispatch, sole.offset + 4));
      this.soleRanges.set(sole, range);
    }
  }

  /** Whether a block can be executed with no lane active, at less cost than a test. */
  private isCheap({ insts }: Block): boolean {
    return (
      insts.length <= CHEAP_INSTRUCTIONS &&
      insts.every((i) => (isPure(i.op) && i.op !== Op.FRem) || (i.op === Op.Store && this.mayWriteBack(i)))
    );
  }

  /** Bytes of private memory that one tile needs, for its work-items and for the exchange between them. */
  get privateBytes(): number {
    return this.ownBytes + (this.code.subGroups && this.c.lanes > 1 ? exchangeBytes(this.c.lanes) : 0);
  }

  private get ownBytes(): number {
    const { layout } = this.code;
    return Math.ceil(((layout.interleavedBytes + layout.linearBytes) * this.c.lanes * this.c.rows) / 16) * 16;
  }

  /** Emits the values that change with each tile. `size`: work-items in a row. */
  beginTile(size: number): void {
    const { c, active } = this;
    const { f } = c;
    if (active) {
      const [all, rest] = [i32.const(c.lanes), i32.sub(size, this.items[0])];
      set(f, active.count, select(all, tee(active.count, rest), i32.lt_u(all, active.count)));
      active.mask.forEach((local, part) => {
        set(
          f,
          local,
          i32x4.gt_s(i32x4.splat(active.count), () => c.constants.laneNumbers(part)),
        );
      });
    }
    this.environment.emit('row', 'vector');
  }

  /** The function's start: sizes, arguments, everything uniform. */
  prologue(): void {
    const { c, code, at } = this;
    const { f } = c;
    if (this.usesLocalSize()) for (const d of [0, 1, 2]) this.loadLocalSize(d);
    if (code.func.blocks.some((b) => b.insts.some((i) => i.op === Op.Printf)))
      set(f, this.printfBuffer, loadWord(at.dispatch, DISPATCH.printfBuffer));
    set(f, this.zeros, i32.add(at.dispatch, i32.const(DISPATCH.zeros)));
    if (c.lanes > 1) this.loadSoleRanges();
    this.environment.preload();
    this.environment.emit('function');
    c.invariants.open(undefined);
  }

  /** Groups at the end of the ND-range may be smaller. */
  private loadLocalSize(d: number): void {
    const { c, at } = this;
    const size = this.localSize[d]!;
    set(c.f, size, loadWord(at.dispatch, DISPATCH.localSize + d * 4));
    c.withLocal(ValType.I32, (rest) => {
      const items = loadWord(at.dispatch, DISPATCH.globalSize + d * 4);
      const left = tee(rest, i32.sub(items, i32.mul(at.group[d]!, size)));
      set(c.f, size, select(left, size, i32.lt_u(rest, size)));
    });
  }

  private usesLocalSize(): boolean {
    const { environment } = this.code;
    return [Op.LocalSize, Op.LocalLinearId, Op.SubGroupId, Op.NumSubGroups].some((op) => environment.has(op));
  }

  /**
   * Emits one region, in steps, for the tile at the current position; with `tiles`, possibly for the tiles after it as well. `leave` is
   * called for each block that returns.
   */
  region(region: Region, { tiles, leave }: RegionUse): Steps<void> {
    this.c.given = region.needs;
    this.structure = new StructureEmitter(
      this.c,
      this.plan.regions.get(region)!,
      { body: (block) => this.body.body(block), leave, isCheap: (block) => this.isCheap(block) },
      BRANCHES,
      this.code.liveOuts,
      tiles,
    );
    return this.structure.emit(this.active?.mask);
  }
}

const CHEAP_INSTRUCTIONS = 6;

export interface RegionUse {
  readonly tiles?: TileLoop;
  readonly leave?: (block: Block) => void;
}
