// SPDX-License-Identifier: MIT
//
// Parts of the functions that check in WebAssembly (fast-checks.ts).
import { type Expr, emit, i32, type Operand, set, tee } from '../../wasm/expressions';
import { type FunctionBuilder, type Label, ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { FEW, GRANULE, LAYOUT, PAGE_BITS, STATE } from './shadow-layout';
import type { SiteShape } from './shadow-tables';

/** The memory that an access is to. */
export type Space = 'private' | 'local' | 'global';

/** A table of pages, and log2 of a granule's bytes there. */
interface Table {
  readonly address: number;
  readonly log2: number;
}
const RECORD_LOG2 = Math.log2(GRANULE.words * 4);
const FEW_LOG2 = Math.log2(FEW.words * 4);
const TABLES: Readonly<Record<'owners' | 'fewLocal' | 'fewGlobal' | 'local' | 'global', Table>> = {
  owners: { address: LAYOUT.owners, log2: 2 },
  fewLocal: { address: LAYOUT.fewLocal, log2: FEW_LOG2 },
  fewGlobal: { address: LAYOUT.fewGlobal, log2: FEW_LOG2 },
  local: { address: LAYOUT.localRaces, log2: RECORD_LOG2 },
  global: { address: LAYOUT.globalRaces, log2: RECORD_LOG2 },
};
/** Granules of an access that are checked without a loop. */
const MOST_UNROLLED = 4;

export const load =
  (address: Operand, offset: number): Expr<'i32'> =>
  (f) => {
    emit(f, address);
    f.memory(Wasm.i32_load, offset, 2);
  };

export const loadVector =
  (address: Operand, offset: number): Expr<'v128'> =>
  (f) => {
    emit(f, address);
    f.memory(Wasm.v128_load, offset, 2);
  };

/** A word of the state. */
export const state = (word: number): Expr<'i32'> => load(i32.const(0), word * 4);

export function store(f: FunctionBuilder, address: Operand, offset: number, value: Operand): void {
  emit(f, address);
  emit(f, value);
  f.memory(Wasm.i32_store, offset, 2);
}

/** One function. The block that `open` opens is left for the call in TypeScript. */
export class CheckCode {
  private passOn!: Label;

  /** @param shift log2 of a granule's bytes. @param slow the function to call in TypeScript. */
  constructor(
    readonly f: FunctionBuilder,
    private readonly shift: number,
    private readonly slow: number,
  ) {}

  locals<Name extends string>(...names: Name[]): Readonly<Record<Name, number>> {
    const entries = names.map((name) => [name, this.f.local(ValType.I32)] as const);
    return Object.fromEntries(entries) as Record<Name, number>;
  }

  open(): void {
    this.passOn = this.f.block();
    this.passOnIf(state(STATE.slow));
  }

  /** Ends the function: `done` returns, and what has left the block calls TypeScript. */
  close(done: () => void): void {
    const { f } = this;
    done();
    f.end();
    for (const at of f.params.keys()) f.get(at);
    f.call(this.slow);
  }

  passOnIf(condition: Operand<'i32'>): void {
    emit(this.f, condition);
    this.f.brIf(this.passOn, false);
  }

  /** The first byte of an access; passes on if it is not aligned. */
  startOf(start: number, address: number, { offset, mask }: SiteShape): void {
    set(this.f, start, i32.add(address, i32.const(offset)));
    if (mask !== 0) this.passOnIf(i32.and(start, i32.const(mask)));
  }

  /** Calls `body` for the space of an access, or for each of them, in code that is executed for this one. */
  bySpace(space: SiteShape['space'], start: number, body: (space: Space) => void): void {
    if (space !== 'unknown') {
      body(space);
      return;
    }
    const { f } = this;
    emit(f, i32.and(i32.ge_u(start, state(STATE.arenaStart)), i32.lt_u(start, state(STATE.arenaEnd))));
    f.if_();
    emit(f, i32.lt_u(start, state(STATE.scratchStart)));
    f.if_();
    body('local');
    f.else_();
    body('private');
    f.end();
    f.else_();
    body('global');
    f.end();
  }

  /** Sets `at` to the address of a granule's words in a table. */
  wordsOf(which: keyof typeof TABLES, granule: number, at: number): void {
    const { address, log2 } = TABLES[which];
    const entry = i32.shl(i32.shr_u(granule, i32.const(PAGE_BITS)), i32.const(2));
    this.passOnIf(i32.eqz(tee(at, load(entry, address))));
    const within = i32.and(granule, i32.const((1 << PAGE_BITS) - 1));
    set(this.f, at, i32.add(at, i32.shl(within, i32.const(log2))));
  }

  /** `body` gets the locals with the address of a granule's words in a table, and its number. */
  eachGranule(
    { size, mask }: SiteShape,
    which: keyof typeof TABLES,
    start: number,
    body: (at: number, granule: number) => void,
  ): void {
    const { f, shift } = this;
    const { granule, last, at } = this.locals('granule', 'last', 'at');
    const amount = i32.const(shift);
    set(f, granule, shift === 0 ? (g) => g.get(start) : i32.shr_u(start, amount));
    const one = (): void => {
      this.wordsOf(which, granule, at);
      body(at, granule);
    };
    const count = size >>> shift;
    const isAligned = ((mask + 1) | size) % (1 << shift) === 0;
    if (isAligned && count <= MOST_UNROLLED) {
      for (let i = 0; i < count; i++) {
        if (i > 0) set(f, granule, i32.add(granule, i32.const(1)));
        one();
      }
      return;
    }
    set(f, last, i32.shr_u(i32.add(start, i32.const(size - 1)), amount));
    const loop = f.loop();
    one();
    emit(f, i32.lt_u(granule, last));
    f.if_();
    set(f, granule, i32.add(granule, i32.const(1)));
    f.br(loop);
    f.end();
    f.end();
  }
}
