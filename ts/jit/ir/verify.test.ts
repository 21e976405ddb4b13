// SPDX-License-Identifier: MIT
//
// The verifier finds what breaks each of the kernel IR's rules.
import { addBlock, addParam, Builder, makeInst } from './build';
import { type Block, Func, Op, Target, Type } from './ir';
import { verify } from './verify';

/** `if (x < n) *out = x + n`, and a parameter of the block where both sides join. */
function example() {
  const func = new Func('k');
  const b = new Builder(func);
  const out = b.leaves.leaf(Op.Argument, Type.I32, { index: 0 });
  const n = b.leaves.leaf(Op.Argument, Type.I32, { index: 1 });
  const x = b.leaves.leaf(Op.GlobalId, Type.I32, { dimension: 0 });
  const [body, then, end] = [addBlock(func), addBlock(func), addBlock(func)];
  addParam(func, end, Type.I32);
  b.jump(body);
  b.block = body;
  b.branch(b.emit(Op.SLt, Type.I1, [x, n]), then, end);
  body.targets[1]!.arguments = [n];
  b.block = then;
  const sum = b.emit(Op.Add, Type.I32, [x, n]);
  const store = b.emit(Op.Store, Type.Void, [out, sum], { align: 4, space: 'global' });
  b.jump(end, [sum]);
  b.block = end;
  b.return();
  return { func, b, body, then, end, out, n, x, sum, store };
}

type Example = ReturnType<typeof example>;

const BROKEN: Readonly<Record<string, [RegExp, (e: Example) => void]>> = {
  'a missing operand': [
    /Add \(value \d+\) lacks operand 1/,
    ({ sum, x }) => {
      sum.operands = [x, undefined!];
    },
  ],
  'a missing operand of a branch': [
    /Branch \(value \d+\) lacks operand 0/,
    ({ body }) => {
      body.terminator.operands = [undefined!];
    },
  ],
  'a missing argument of a jump': [
    /a jump to block \d+ lacks argument 0/,
    ({ then }) => {
      then.targets[0]!.arguments = [undefined!];
    },
  ],
  'jumps that share arguments': [
    /shares its list of arguments/,
    ({ body, then }) => {
      then.targets[0]!.arguments = body.targets[1]!.arguments;
    },
  ],
  'a jump in two places': [
    /belongs to another place/,
    ({ body, then }) => {
      then.targets = [body.targets[1]!];
    },
  ],
  'instructions that share operands': [
    /shares its list of operands/,
    ({ body, sum }) => {
      sum.operands = body.insts[0]!.operands;
    },
  ],
  'an instruction in two places': [/defined twice/, ({ end, sum }) => void end.insts.push(sum)],
  'a terminator of two blocks': [
    /another block's terminator/,
    ({ end, func }) => {
      addBlock(func).terminator = end.terminator;
    },
  ],
  'an instruction that does not know its block': [
    /does not know its block/,
    ({ sum, end }) => {
      sum.block = end;
    },
  ],
  'two values of one id': [
    /two values have the id/,
    ({ func, then, sum, x }) => {
      const twin = makeInst({ freshId: () => sum.id } as Func, then, Op.Not, Type.I32, [x]);
      expect(func.idBound).toBeGreaterThan(twin.id);
      then.insts.push(twin);
    },
  ],
  'a use that its definition does not dominate': [
    /does not dominate/,
    ({ b, out, sum }) => void b.emit(Op.Store, Type.Void, [out, sum]),
  ],
  'a use of what is gone': [
    /is nowhere/,
    ({ then, sum }) => {
      then.insts = then.insts.filter((inst) => inst !== sum);
    },
  ],
  'operands of another type': [
    /operands and result differ/,
    ({ sum }) => {
      sum.type = Type.I64;
    },
  ],
  'an operand too few': [
    /1 operands, not 2/,
    ({ sum, x }) => {
      sum.operands = [x];
    },
  ],
  'an address of another type': [
    /an address is I32/,
    ({ b, store, sum }) => {
      store.operands = [b.leaves.constant(Type.I64, 0n), sum];
    },
  ],
  'a conversion to the same width': [
    /not from I32 to I32/,
    ({ b, x }) => void b.emit(Op.ZExt, Type.I32, [x]),
  ],
  'arguments that are not parameters': [
    /passes 2 arguments for 1/,
    ({ then, end, sum, x }) => {
      then.targets = [new Target(end, [sum, x])];
    },
  ],
  'an argument of another type': [
    /passes I64 for I32/,
    ({ b, then }) => {
      then.targets[0]!.arguments = [b.leaves.constant(Type.I64, 0n)];
    },
  ],
  'a jump too few': [
    /has 1 targets, not 2/,
    ({ body }) => {
      body.targets = body.targets.slice(1);
    },
  ],
  'a result of a kernel': [
    /something else than Void/,
    ({ b, x }) => {
      b.return([x]);
    },
  ],
  'an effect in the prologue': [
    /is in the prologue/,
    ({ func, out, x }) =>
      void func.entry.insts.push(makeInst(func, func.entry, Op.Store, Type.Void, [out, x])),
  ],
  'a leaf outside of it': [
    /is outside of the prologue/,
    ({ b }) => void b.emit(Op.GlobalId, Type.I32, [], { dimension: 1 }),
  ],
};

test('blocks come after their dominators from a certain pass on', () => {
  const { func, then, end } = example();
  const [entry, body] = func.blocks as [Block, Block];
  func.blocks = [entry, body, end, then];
  func.isOrdered = true;
  verify(func);
  func.blocks = [entry, then, body, end];
  expect(() => verify(func)).toThrow(/block \d+ is listed before block \d+, which dominates it/);
  func.isOrdered = false;
  verify(func);
  func.isOrdered = true;
  func.blocks = [entry, body, then, end];
  addBlock(func).terminator = makeInst(func, func.blocks[4]!, Op.Unreachable, Type.Void, []);
  expect(() => verify(func)).toThrow(/block \d+ is unreachable/);
});

test('what breaks no rule is accepted', () => {
  expect(() => verify(example().func)).not.toThrow();
});

test.each(Object.entries(BROKEN))('%s', (_, [message, spoil]) => {
  const made = example();
  spoil(made);
  expect(() => verify(made.func, 'this test')).toThrow(message);
});

test('an address may have 64 bits where the memory has such addresses', () => {
  const { func, b, store, sum } = example();
  func.addressBits = 64;
  store.operands = [b.leaves.constant(Type.I64, 0n), sum];
  verify(func);
  store.operands = [b.leaves.constant(Type.F32, 0), sum];
  expect(() => verify(func)).toThrow(/an address is I32 or I64/);
});

test('lists that are given are copied', () => {
  const { func, b, x, n } = example();
  const list = [x, n];
  const [sum, difference] = [b.emit(Op.Add, Type.I32, list), b.emit(Op.Sub, Type.I32, list)];
  const [one, other] = [new Target(func.entry, list), new Target(func.entry, list)];
  list.pop();
  for (const { operands } of [sum, difference]) expect(operands).toEqual([x, n]);
  for (const target of [one, other]) expect(target.arguments).toEqual([x, n]);
});
