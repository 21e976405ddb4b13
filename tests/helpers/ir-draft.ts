// SPDX-License-Identifier: MIT
//
// A small function of kernel IR for tests of passes, which see it as text.
import type { KernelArgument, KernelSignature } from '../../ts/base/kernel-abi';
import { addBlock, addParam, Builder } from '../../ts/jit/ir/build';
import { Func, Op, Type, type Value } from '../../ts/jit/ir/ir';
import { print } from '../../ts/jit/ir/print';
import { verify } from '../../ts/jit/ir/verify';

const buffer = (typeQualifiers: KernelArgument['typeQualifiers'] = []): KernelArgument => ({
  kind: 'buffer',
  offset: 0,
  size: 4,
  align: 4,
  name: '',
  typeName: '',
  addressSpace: 'global',
  access: 'none',
  typeQualifiers,
});

/** A buffer, one that is `restrict`, and a number. */
export const SIGNATURE: KernelSignature = {
  name: 'k',
  arguments: [buffer(), buffer(['restrict']), { ...buffer(), kind: 'value' }],
  dispatchBytes: 0,
  attributes: [],
  staticLocalBytes: 0,
  privateBytes: 0,
};

export class Draft {
  readonly func = new Func('k');
  readonly b = new Builder(this.func);
  readonly out = this.b.leaves.leaf(Op.Argument, Type.I32, { index: 0, space: 'global' });
  readonly other = this.b.leaves.leaf(Op.Argument, Type.I32, { index: 1, space: 'global' });
  readonly n = this.b.leaves.leaf(Op.Argument, Type.I32, { index: 2 });
  readonly x = this.b.leaves.leaf(Op.GlobalId, Type.I32, { dimension: 0 });

  constructor() {
    const body = addBlock(this.func);
    this.b.jump(body);
    this.b.block = body;
  }

  emit(op: Op, type: Type, ...operands: Value[]) {
    return this.b.emit(op, type, operands);
  }

  i(value: number) {
    return this.b.i32(value);
  }

  load(address: Value, type = Type.I32) {
    return this.b.emit(Op.Load, type, [address], { space: 'global', align: 4 });
  }

  store(address: Value, value: Value, offset = 0) {
    return this.b.emit(Op.Store, Type.Void, [address, value], { space: 'global', align: 4, offset });
  }

  privateAt(address: Value, offset: number, value?: Value, type = Type.I32) {
    const facts = { space: 'private' as const, align: 4, offset };
    return value
      ? this.b.emit(Op.Store, Type.Void, [address, value], facts)
      : this.b.emit(Op.Load, type, [address], facts);
  }

  /** for (i = 0; i < limit; i++) body(i) */
  loop(limit: Value, body: (i: Value) => void, unroll?: number) {
    const [header, inside, end] = [addBlock(this.func), addBlock(this.func), addBlock(this.func)];
    const i = addParam(this.func, header, Type.I32);
    this.b.jump(header, [this.i(0)]);
    this.b.block = header;
    this.b.branch(this.emit(Op.SLt, Type.I1, i, limit), inside, end, unroll === undefined ? {} : { unroll });
    this.b.block = inside;
    body(i);
    this.b.jump(header, [this.emit(Op.Add, Type.I32, i, this.i(1))]);
    this.b.block = end;
  }

  /** The body after the passes, without the prologue. */
  text(...passes: ((func: Func) => unknown)[]): string {
    this.b.return();
    verify(this.func, 'its making');
    for (const pass of passes) {
      pass(this.func);
      verify(this.func, pass.name);
    }
    return print(this.func).replace(/^[\s\S]*?Jump b1.*\n/, '');
  }
}

/** The number of lines that a pattern matches. */
export const countLines = (text: string, pattern: RegExp): number =>
  text.split('\n').filter((line) => pattern.test(line)).length;
