// SPDX-License-Identifier: MIT
//
// Parts of the functions that check in WebAssembly (fast-checks.ts).
import { type Expr, emit, i32, type Operand, set, tee } from '../../wasm/expressions';
import { type FunctionBuilder, type Label, ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { KIND, LAYOUT, PAGE_BITS, SITE_ENTRY, STATE } from './shadow-layout';

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

/** 1 where a value is not 0. */
export function isSet(value: Operand<'i32'>): Expr<'i32'> {
  return i32.ne(value, i32.const(0));
}

/** One function. The block that `open` opens is left for the call in TypeScript. */
export class CheckCode {
  private passOn!: Label;

  /** @param shift log2 of a granule's bytes. @param slow the function to call in TypeScript. */
  constructor(
    readonly f: FunctionBuilder,
    readonly shift: number,
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

  /** The address of the site's entry. */
  site(local: number): void {
    const { f } = this;
    set(f, local, i32.add(i32.const(LAYOUT.sites), i32.mul(0, i32.const(SITE_ENTRY.bytes))));
    this.passOnIf(i32.eq(load(local, SITE_ENTRY.kind), i32.const(KIND.slow)));
  }

  isInArena(start: number): Expr<'i32'> {
    return i32.and(i32.ge_u(start, state(STATE.arenaStart)), i32.lt_u(start, state(STATE.arenaEnd)));
  }

  ownerOf(start: number, item: number): Expr<'i32'> {
    return (f) => {
      emit(f, state(STATE.localOwner));
      emit(f, i32.add(state(STATE.privateOwner), item));
      emit(f, i32.lt_u(start, state(STATE.scratchStart)));
      f.op(Wasm.select);
    };
  }

  eachOwner(first: number, last: number, body: (at: number) => void): void {
    this.eachGranule(i32.const(LAYOUT.owners), 2, first, last, body);
  }

  /** `body` gets the local with the address of a granule's words. */
  eachGranule(
    table: Operand<'i32'>,
    bytesLog2: number,
    first: number,
    last: number,
    body: (at: number) => void,
  ): void {
    const { f } = this;
    const { granule, at } = this.locals('granule', 'at');
    set(f, granule, first);
    const loop = f.loop();
    const page = load(i32.add(table, i32.shl(i32.shr_u(granule, i32.const(PAGE_BITS)), i32.const(2))), 0);
    emit(f, i32.eqz(tee(at, page)));
    f.brIf(this.passOn, false);
    const within = i32.and(granule, i32.const((1 << PAGE_BITS) - 1));
    set(f, at, i32.add(at, i32.shl(within, i32.const(bytesLog2))));
    body(at);
    emit(f, i32.lt_u(granule, last));
    f.if_();
    set(f, granule, i32.add(granule, i32.const(1)));
    f.br(loop);
    f.end();
    f.end();
  }

  /** The numbers of the first and the last granule of an access. */
  granules(first: number, last: number, start: number, size: Operand<'i32'>): void {
    const { f } = this;
    const shift = i32.const(this.shift);
    set(f, first, i32.shr_u(start, shift));
    set(f, last, i32.shr_u(i32.sub(i32.add(start, size), i32.const(1)), shift));
  }
}
