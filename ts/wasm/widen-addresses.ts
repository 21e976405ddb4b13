// SPDX-License-Identifier: MIT
//
// A function's code for a memory with 64-bit addresses. Instructions take the address as it is where it is an i64; where it is an
// i32, it is extended. So code that knows its addresses to be below 4 GB is written as for a memory with 32-bit addresses.
//
// The code is read once with the types on the stack. An operand that is to be extended is so right after the instruction that pushed
// it, when it is on top of the stack. That is possible because blocks have neither operands nor results.
import { invariant } from '../base/invariant';
import { opcodeTable } from './opcode-table';
import { Wasm } from './opcodes';
import { ValType } from './val-type';

export interface Signature {
  readonly params: readonly ValType[];
  readonly results: readonly ValType[];
}

/** Where the types that the opcode table does not know come from. */
export interface Types {
  local(index: number): ValType;
  callee(index: number): Signature;
}

const LETTERS: Readonly<Record<string, ValType>> = {
  i: ValType.I32,
  l: ValType.I64,
  f: ValType.F32,
  d: ValType.F64,
  v: ValType.V128,
};

/** Instructions all of whose operands are addresses or sizes of memory, and how many of them. memory.fill's second one is a byte. */
const BULK: ReadonlyMap<Wasm, readonly boolean[]> = new Map([
  [Wasm.memory_copy, [true, true, true]],
  [Wasm.memory_fill, [true, false, true]],
]);

interface Pushed {
  readonly type: ValType;
  /** The end of the instruction that pushed it. */
  readonly at: number;
}

/** The positions in `code` at which the value on the stack must be extended, in ascending order. `code` ends without `end`. */
export function addressesToExtend(code: Uint8Array, types: Types): number[] {
  return new Reader(code, types).run();
}

class Reader {
  private at = 0;
  private stack: Pushed[] = [];
  /** The height of the stack at the start of each open block. */
  private readonly bases: number[] = [0];
  private readonly found: number[] = [];

  constructor(
    private readonly code: Uint8Array,
    private readonly types: Types,
  ) {}

  run(): number[] {
    while (this.at < this.code.length) this.instruction(this.opcode());
    return this.found.sort((a, b) => a - b);
  }

  private instruction(code: number): void {
    switch (code) {
      case Wasm.if_:
        this.pop();
        this.open();
        return;
      case Wasm.block:
      case Wasm.loop:
        this.open();
        return;
      case Wasm.else_:
        this.stack.length = this.bases.at(-1)!;
        return;
      case Wasm.end:
        this.stack.length = this.bases.pop()!;
        return;
      case Wasm.br_if:
        this.u32();
        this.pop();
        return;
      case Wasm.br:
        this.u32();
        return;
      case Wasm.br_table: {
        for (let labels = this.u32() + 1; labels > 0; labels--) this.u32();
        this.pop();
        return;
      }
      case Wasm.call: {
        const { params, results } = this.types.callee(this.u32());
        for (let i = 0; i < params.length; i++) this.pop();
        for (const type of results) this.push(type);
        return;
      }
      case Wasm.drop:
        this.pop();
        return;
      case Wasm.select: {
        this.pop();
        const [a, b] = [this.pop(), this.pop()];
        const type = a ?? b;
        if (type) this.push(type.type);
        return;
      }
      case Wasm.local_get:
        this.push(this.types.local(this.u32()));
        return;
      case Wasm.local_set:
        this.u32();
        this.pop();
        return;
      case Wasm.local_tee: {
        const local = this.u32();
        this.pop();
        this.push(this.types.local(local));
        return;
      }
      default:
        this.plain(code);
    }
  }

  private plain(code: number): void {
    const opcode = opcodeTable().get(code);
    invariant(opcode?.signature, 'an instruction whose types are not known', code);
    this.skip(opcode.immediate);
    const { operands, results } = opcode.signature;
    const popped = [...operands].map(() => this.pop()).reverse();
    const bulk = BULK.get(code);
    const isAccess = opcode.immediate === 'mem' || opcode.immediate === 'memlane';
    popped.forEach((operand, i) => {
      const isAddress = bulk ? bulk[i]! : isAccess && i === 0;
      if (isAddress && operand?.type === ValType.I32) this.found.push(operand.at);
    });
    for (const letter of results) this.push(LETTERS[letter]!);
  }

  private open(): void {
    this.at++;
    this.bases.push(this.stack.length);
  }

  private push(type: ValType): void {
    this.stack.push({ type, at: this.at });
  }

  /** Undefined after a jump, where the stack may have anything. */
  private pop(): Pushed | undefined {
    return this.stack.length > this.bases.at(-1)! ? this.stack.pop() : undefined;
  }

  private opcode(): number {
    const first = this.code[this.at++]!;
    return first < 0xfc ? first : (first << 16) | this.u32();
  }

  private skip(immediate: string): void {
    switch (immediate) {
      case '-':
        return;
      case 'zero':
      case 'lane':
        this.at++;
        return;
      case 'zeros':
        this.at += 2;
        return;
      case 'i32':
      case 'i64':
        while (this.code[this.at++]! >= 0x80);
        return;
      case 'f32':
        this.at += 4;
        return;
      case 'f64':
        this.at += 8;
        return;
      case 'v128':
      case 'lanes16':
        this.at += 16;
        return;
      case 'mem':
      case 'memlane':
        this.u32();
        this.u32();
        if (immediate === 'memlane') this.at++;
        return;
      default:
        invariant(false, 'an immediate that is not known', immediate);
    }
  }

  private u32(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.code[this.at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }
}
