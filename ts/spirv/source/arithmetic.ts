// SPDX-License-Identifier: MIT
//
// Arithmetic, bits, comparisons and logic. C promotes narrower operands to int, so results are cast back.
import { Op } from '../grammar.gen';
import type { Id, Instruction } from '../module';
import type { Body, Expression, Expressions } from './body';

/** Casts the result of promoted operands back to the type. */
function narrowed(b: Body, type: Id, text: string): string {
  const { kind, bits, count } = b.info(type);
  return kind === 'int' && count === 1 && bits < 32 ? `(${b.t.types.name(type)})(${text})` : text;
}

const unsigned =
  (operator: string): Expression =>
  (b, i) => {
    const [x, y] = b.gets(i.operands);
    // The product of two ushorts overflows an int.
    const { kind, bits, count } = b.info(i.type);
    const wide = kind === 'int' && count === 1 && bits < 32 ? '(uint)' : '';
    return narrowed(b, i.type, `${wide}${x} ${operator} ${wide}${y}`);
  };

const signed =
  (operator: string): Expression =>
  (b, i) =>
    b.unsigned(i.type, `(${b.signed(i.operands[0]!)} ${operator} ${b.signed(i.operands[1]!)})`);

const unary =
  (operator: string): Expression =>
  (b, i) =>
    narrowed(b, i.type, `${operator}${b.get(i.operands[0]!)}`);

/**
 * The amount, converted to the type of the shifted value where these differ: a vector must be shifted by a vector of its own
 * type.
 */
function amount(b: Body, i: Instruction): string {
  const [base, shift] = i.operands as [Id, Id];
  const text = b.get(shift);
  const { bits, count } = b.info(b.typeOf(base));
  return count > 1 && b.info(b.typeOf(shift)).bits !== bits
    ? `convert_${b.t.types.name(b.typeOf(base))}(${text})`
    : text;
}

const shift =
  (operator: string, isSigned: boolean): Expression =>
  (b, i) => {
    const by = amount(b, i);
    if (!isSigned) return narrowed(b, i.type, `${b.get(i.operands[0]!)} ${operator} ${by}`);
    const { count } = b.info(i.type);
    const signedBy = count > 1 ? `as_${b.t.types.signed(i.type)}(${by})` : by;
    return b.unsigned(i.type, `(${b.signed(i.operands[0]!)} ${operator} ${signedBy})`);
  };

/** The result has the divisor's sign. */
const floorModulo: Expression = (b, i) => {
  const [x, y] = [b.signed(i.operands[0]!), b.signed(i.operands[1]!)];
  return b.unsigned(i.type, `((${x} % ${y} + ${y}) % ${y})`);
};

const floatModulo: Expression = (b, i) => {
  const [x, y] = b.gets(i.operands);
  return `${x} - ${y} * floor(${x} / ${y})`;
};

const call =
  (name: string): Expression =>
  (b, i) =>
    `${b.t.builtin(name)}(${b.gets(i.operands).join(', ')})`;

/** Text that is a truth value in C, of operands of type `of`, as bool or as vector of -1 and 0 in chars. */
function truth(b: Body, i: Instruction, of: Id, text: string): string {
  const { count, kind, bits } = b.info(of);
  if (count === 1) return text;
  return kind === 'bool' || bits === 8 ? text : `convert_${b.t.types.name(i.type)}(${text})`;
}

const compared =
  (operator: string, isSigned = false, negated = false): Expression =>
  (b, i) => {
    const read = (id: number) => (isSigned ? b.signed(id) : b.get(id));
    const text = `${read(i.operands[0]!)} ${operator} ${read(i.operands[1]!)}`;
    return truth(b, i, b.typeOf(i.operands[0]!), negated ? `!(${text})` : text);
  };

/** Pointers are compared as numbers of one type. */
const integerCompared = (operator: string): Expression => {
  const plain = compared(operator);
  return (b, i) => {
    if (b.info(b.typeOf(i.operands[0]!)).kind !== 'pointer') return plain(b, i);
    const [x, y] = b.gets(i.operands).map((p) => `(size_t)${p}`);
    return `${x} ${operator} ${y}`;
  };
};

const classified =
  (name: string, negated = false): Expression =>
  (b, i) =>
    truth(
      b,
      i,
      b.typeOf(i.operands[0]!),
      `${negated ? '!' : ''}${b.t.builtin(name)}(${b.gets(i.operands).join(', ')})`,
    );

const logical =
  (scalar: string, vector: string): Expression =>
  (b, i) => {
    const [x, y] = b.gets(i.operands);
    return `${x} ${b.info(i.type).count > 1 ? vector : scalar} ${y}`;
  };

const select: Expression = (b, i) => {
  const [condition, yes, no] = b.gets(i.operands);
  if (b.info(b.typeOf(i.operands[0]!)).count === 1) return `${condition} ? ${yes} : ${no}`;
  const mask = b.t.types.mask(i.type);
  const wide = b.info(i.type).bits === 8 ? condition : `convert_${mask}(${condition})`;
  return `${b.t.builtin('select')}(${no}, ${yes}, ${wide})`;
};

export const ARITHMETIC: Expressions = {
  [Op.IAdd]: unsigned('+'),
  [Op.ISub]: unsigned('-'),
  [Op.IMul]: unsigned('*'),
  [Op.UDiv]: unsigned('/'),
  [Op.UMod]: unsigned('%'),
  [Op.BitwiseAnd]: unsigned('&'),
  [Op.BitwiseOr]: unsigned('|'),
  [Op.BitwiseXor]: unsigned('^'),
  [Op.FAdd]: unsigned('+'),
  [Op.FSub]: unsigned('-'),
  [Op.FMul]: unsigned('*'),
  [Op.FDiv]: unsigned('/'),
  [Op.VectorTimesScalar]: unsigned('*'),
  [Op.FRem]: call('fmod'),
  [Op.FMod]: floatModulo,
  [Op.Dot]: call('dot'),
  [Op.SDiv]: signed('/'),
  [Op.SRem]: signed('%'),
  [Op.SMod]: floorModulo,
  [Op.SNegate]: unary('-'),
  [Op.FNegate]: unary('-'),
  [Op.Not]: unary('~'),
  [Op.ShiftLeftLogical]: shift('<<', false),
  [Op.ShiftRightLogical]: shift('>>', false),
  [Op.ShiftRightArithmetic]: shift('>>', true),
  [Op.BitCount]: call('popcount'),
  [Op.IEqual]: integerCompared('=='),
  [Op.INotEqual]: integerCompared('!='),
  [Op.PtrEqual]: compared('=='),
  [Op.PtrNotEqual]: compared('!='),
  [Op.PtrDiff]: (b, i) => {
    const [x, y] = b.gets(i.operands);
    return `(${b.t.types.name(i.type)})(${x} - ${y})`;
  },
  [Op.ULessThan]: integerCompared('<'),
  [Op.ULessThanEqual]: integerCompared('<='),
  [Op.UGreaterThan]: integerCompared('>'),
  [Op.UGreaterThanEqual]: integerCompared('>='),
  [Op.SLessThan]: compared('<', true),
  [Op.SLessThanEqual]: compared('<=', true),
  [Op.SGreaterThan]: compared('>', true),
  [Op.SGreaterThanEqual]: compared('>=', true),
  [Op.FOrdEqual]: compared('=='),
  [Op.FUnordNotEqual]: compared('!='),
  [Op.FOrdNotEqual]: classified('islessgreater'),
  [Op.FUnordEqual]: classified('islessgreater', true),
  [Op.FOrdLessThan]: compared('<'),
  [Op.FOrdLessThanEqual]: compared('<='),
  [Op.FOrdGreaterThan]: compared('>'),
  [Op.FOrdGreaterThanEqual]: compared('>='),
  [Op.FUnordLessThan]: compared('>=', false, true),
  [Op.FUnordLessThanEqual]: compared('>', false, true),
  [Op.FUnordGreaterThan]: compared('<=', false, true),
  [Op.FUnordGreaterThanEqual]: compared('<', false, true),
  [Op.IsNan]: classified('isnan'),
  [Op.IsInf]: classified('isinf'),
  [Op.IsFinite]: classified('isfinite'),
  [Op.IsNormal]: classified('isnormal'),
  [Op.SignBitSet]: classified('signbit'),
  [Op.LessOrGreater]: classified('islessgreater'),
  [Op.Ordered]: classified('isordered'),
  [Op.Unordered]: classified('isunordered'),
  [Op.Any]: call('any'),
  [Op.All]: call('all'),
  [Op.LogicalAnd]: logical('&&', '&'),
  [Op.LogicalOr]: logical('||', '|'),
  [Op.LogicalEqual]: logical('==', '=='),
  [Op.LogicalNotEqual]: logical('!=', '!='),
  [Op.LogicalNot]: (b, i) => `${b.info(i.type).count > 1 ? '~' : '!'}${b.get(i.operands[0]!)}`,
  [Op.Select]: select,
};
