// SPDX-License-Identifier: MIT
//
// The kernel IR's rules. Run between passes in tests and under ANYCL_DEBUG=verify: a violation is our bug.
import { InvariantError } from '../../base/invariant';
import { isPrologueOp } from './build';
import { Dominators } from './cfg';
import { type Block, type Func, type Inst, Op, Type, type Value } from './ir';
import { print } from './print';
import { isFloat, isInteger } from './types';

/** Throws an `InvariantError` that names the first violation and shows the function. */
export function verify(func: Func, after = 'an unnamed step'): void {
  const fail = (message: string): never => {
    throw new InvariantError(`kernel IR after ${after}: ${message}\n${print(func)}`);
  };
  const known = new Set(func.blocks);
  if (known.size !== func.blocks.length) fail('a block is listed twice');
  if (func.entry.params.length > 0) fail('the entry block has parameters');
  const place = new Map<Value, { block: Block; at: number }>();
  const define = (value: Value, block: Block, at: number) => {
    if (place.has(value)) fail(`value ${value.id} is defined twice`);
    if (value.block !== block) fail(`value ${value.id} does not know its block`);
    place.set(value, { block, at });
  };
  for (const block of func.blocks) {
    for (const param of block.params) define(param, block, -1);
    block.insts.forEach((inst, at) => {
      define(inst, block, at);
    });
    if (!block.terminator) fail(`block ${block.id} has no terminator`);
    for (const { block: to, arguments: args } of block.targets) {
      if (!known.has(to)) fail(`block ${block.id} jumps out of the function`);
      if (to === func.entry) fail('a jump to the entry block');
      if (args.length !== to.params.length)
        fail(`a jump to block ${to.id} passes ${args.length} arguments for ${to.params.length} parameters`);
      args.forEach((arg, i) => {
        if (arg.type !== to.params[i]!.type)
          fail(`a jump to block ${to.id} passes ${Type[arg.type]} for ${Type[to.params[i]!.type]}`);
      });
    }
    const expected = EDGES[block.terminator.op];
    if (expected === undefined) fail(`${Op[block.terminator.op]} is no terminator`);
    const edges =
      block.terminator.op === Op.Switch ? (block.terminator.facts.cases?.length ?? -1) + 1 : expected;
    if (block.targets.length !== edges)
      fail(`${Op[block.terminator.op]} has ${block.targets.length} targets, not ${edges}`);
  }
  for (const inst of func.entry.insts)
    if (!isPrologueOp(inst.op)) fail(`${Op[inst.op]} stands in the prologue`);
  const dominators = new Dominators(func);
  const use = (value: Value, block: Block, at: number, by: string) => {
    const definition = place.get(value);
    if (!definition) return fail(`${by} uses value ${value.id}, which is nowhere`);
    if (value.type === Type.Void) fail(`${by} uses a value of type void`);
    const before =
      definition.block === block ? definition.at < at : dominators.dominates(definition.block, block);
    if (!before) fail(`${by} uses value ${value.id}, whose definition does not dominate it`);
  };
  for (const block of dominators.order) {
    block.insts.forEach((inst, at) => {
      for (const operand of inst.operands) use(operand, block, at, Op[inst.op]!);
      const wrong = typeError(inst);
      if (wrong) fail(`${Op[inst.op]} (value ${inst.id}): ${wrong}`);
    });
    const end = block.insts.length;
    for (const operand of block.terminator.operands) use(operand, block, end, Op[block.terminator.op]!);
    for (const target of block.targets) for (const arg of target.arguments) use(arg, block, end, 'a jump');
    if (block.terminator.op === Op.Branch && block.terminator.operands[0]!.type !== Type.I1)
      fail('Branch on something other than I1');
  }
}

const EDGES: Partial<Record<Op, number>> = {
  [Op.Jump]: 1,
  [Op.Branch]: 2,
  [Op.Switch]: 0,
  [Op.Return]: 0,
  [Op.Unreachable]: 0,
};

function typeError(inst: Inst): string | undefined {
  const { op, type, operands } = inst;
  const a = operands[0]?.type;
  const b = operands[1]?.type;
  if (op >= Op.Add && op <= Op.UAvgR) {
    const logical = op === Op.And || op === Op.Or || op === Op.Xor;
    if (operands.length !== 2 || a !== type || b !== type) return 'operands and result differ in type';
    if (!isInteger(type) && !(logical && type === Type.I1)) return 'not an integer';
  } else if (op >= Op.Not && op <= Op.PopCount) {
    if (operands.length !== 1 || a !== type) return 'operand and result differ in type';
    if (!isInteger(type) && !(op === Op.Not && type === Type.I1)) return 'not an integer';
  } else if (op >= Op.FAdd && op <= Op.MulAdd) {
    if (operands.some((o) => o.type !== type)) return 'operands and result differ in type';
    if (!isFloat(type)) return 'not a float';
    if (type === Type.F16 && op !== Op.FNeg && op !== Op.FAbs && op !== Op.FCopySign)
      return 'arithmetic on F16';
  } else if (op >= Op.Eq && op <= Op.FUnordered) {
    if (type !== Type.I1) return 'a comparison gives I1';
    if (a !== b) return 'operands differ in type';
    if (op >= Op.FEq !== isFloat(a!)) return 'the wrong kind of operands';
  } else if (op === Op.Select) {
    if (a !== Type.I1 || b !== type || operands[2]?.type !== type)
      return 'operands and result differ in type';
  } else if (op === Op.SMulWide || op === Op.UMulWide) {
    if (a !== Type.I32 || b !== Type.I32 || type !== Type.I64) return 'not I64 of two I32';
  } else if (op === Op.Load) {
    if (a !== Type.I32) return 'an address is I32';
    if (type === Type.I1) return 'I1 in memory';
  } else if (op === Op.Store) {
    if (a !== Type.I32) return 'an address is I32';
    if (b === Type.I1) return 'I1 in memory';
  } else if (op === Op.Call) {
    const { params, result } = inst.facts.callee!;
    if (type !== result) return 'not the type that the function returns';
    if (operands.length !== params.length || operands.some((o, i) => o.type !== params[i]))
      return 'not the types that the function takes';
  } else if (op === Op.Const && inst.facts.bits === undefined) return 'no value';
  else if (op === Op.Const && (typeof inst.facts.bits === 'bigint') !== (type === Type.I64))
    return 'a value of the wrong kind';
  return undefined;
}
