// SPDX-License-Identifier: MIT
//
// Atomic operations.
import { MemorySemantics, Op, Scope } from '../../spirv/grammar.gen';
import type { Id, Instruction } from '../../spirv/module';
import { type InstFacts, Op as Ir, type Scope as IrScope, type Rmw, Type, type Value } from '../ir/ir';
import { bytesOf, integerLike, isFloat } from '../ir/types';
import { placeOf } from './memory';
import type { Handler, HandlerTable, Translation } from './translation';

const SCOPES: Partial<Record<Scope, IrScope>> = {
  [Scope.CrossDevice]: 'all-devices',
  [Scope.Device]: 'device',
  [Scope.Workgroup]: 'work-group',
  [Scope.Subgroup]: 'sub-group',
  [Scope.Invocation]: 'work-item',
};

export function scopeOf(t: Translation, id: number): IrScope {
  const scope = t.index.constants.tryInteger(id as Id) as Scope | undefined;
  return (scope !== undefined ? SCOPES[scope] : undefined) ?? 'device';
}

const ORDERS =
  MemorySemantics.Acquire |
  MemorySemantics.Release |
  MemorySemantics.AcquireRelease |
  MemorySemantics.SequentiallyConsistent;

/**
 * For instructions whose first operands are pointer, scope and semantics. Atomics work on integers; floats are
 * accessed as their bits, except in arithmetic.
 */
function atomicFacts(t: Translation, i: Instruction): { address: Value; facts: InstFacts } {
  const [pointer, scope, semantics] = i.operands as [number, number, number];
  const place = placeOf(t, pointer);
  const order = t.index.constants.tryInteger(semantics as Id);
  const relaxed = order !== undefined && (order & ORDERS) === 0;
  const facts = { offset: place.offset, space: place.space, scope: scopeOf(t, scope) };
  return { address: place.address, facts: relaxed ? { ...facts, relaxed } : facts };
}

function bits(t: Translation, value: Value): Value {
  return isFloat(value.type) ? t.emit(Ir.Bitcast, integerLike(value.type), [value]) : value;
}

function unbits(t: Translation, value: Value, type: Type): Value {
  return value.type === type ? value : t.emit(Ir.Bitcast, type, [value]);
}

function atomicLoad(t: Translation, i: Instruction): void {
  const type = t.scalarType(t.type(i));
  const { address, facts } = atomicFacts(t, i);
  const raw = integerLike(type);
  t.set(i, [unbits(t, t.emit(Ir.AtomicLoad, raw, [address], { ...facts, align: bytesOf(raw) }), type)]);
}

function atomicStore(t: Translation, i: Instruction): void {
  const { address, facts } = atomicFacts(t, i);
  const value = bits(t, t.scalar(i.operands[3]!));
  t.emit(Ir.AtomicStore, Type.Void, [address, value], { ...facts, align: bytesOf(value.type) });
}

/** `value` computes the operand; the default is operand 3. */
const atomicRmw =
  (
    rmw: Rmw,
    value: (t: Translation, i: Instruction, type: Type) => Value = (t, i) => t.scalar(i.operands[3]!),
  ): Handler =>
  (t, i) => {
    const type = t.scalarType(t.type(i));
    const { address, facts } = atomicFacts(t, i);
    const operand = value(t, i, type);
    const raw = rmw === 'xchg' ? bits(t, operand) : operand;
    const old = t.emit(Ir.AtomicRmw, raw.type, [address, raw], {
      ...facts,
      rmw,
      align: bytesOf(raw.type),
    });
    t.set(i, [unbits(t, old, type)]);
  };

function compareExchange(t: Translation, i: Instruction): void {
  const type = t.scalarType(t.type(i));
  const { address, facts } = atomicFacts(t, i);
  const desired = bits(t, t.scalar(i.operands[4]!));
  const expected = bits(t, t.scalar(i.operands[5]!));
  const old = t.emit(Ir.AtomicCmpXchg, desired.type, [address, expected, desired], {
    ...facts,
    align: bytesOf(desired.type),
  });
  t.set(i, [unbits(t, old, type)]);
}

const one = (t: Translation, _: Instruction, type: Type) => t.const(type, type === Type.I64 ? 1n : 1);

function flagTestAndSet(t: Translation, i: Instruction): void {
  const { address, facts } = atomicFacts(t, i);
  const old = t.emit(Ir.AtomicRmw, Type.I32, [address, t.i32(1)], { ...facts, rmw: 'xchg', align: 4 });
  t.set(i, [t.emit(Ir.Ne, Type.I1, [old, t.i32(0)])]);
}

function flagClear(t: Translation, i: Instruction): void {
  const { address, facts } = atomicFacts(t, i);
  t.emit(Ir.AtomicStore, Type.Void, [address, t.i32(0)], { ...facts, align: 4 });
}

/** The sum, minimum and maximum of floats, if memory has no such operation. */
const FLOAT_OPERATIONS = { fadd: Ir.FAdd, fmin: Ir.FMin, fmax: Ir.FMax } as const;

/** Arithmetic on a float in memory; on a half, by a compare-and-exchange loop on its bits. */
const atomicFloat =
  (rmw: keyof typeof FLOAT_OPERATIONS): Handler =>
  (t, i) => {
    if (t.scalarType(t.type(i)) === Type.F16) atomicHalf(t, i, FLOAT_OPERATIONS[rmw]);
    else atomicRmw(rmw)(t, i);
  };

/** A half's bits, quieted, if it is a NaN, else others: sums of floats keep the payload of a NaN in the same way. */
function keepNaN(t: Translation, half: Value, otherwise: Value): Value {
  const magnitude = t.emit(Ir.And, Type.I16, [half, t.const(Type.I16, 0x7fff)]);
  const found = t.emit(Ir.UGt, Type.I1, [magnitude, t.const(Type.I16, 0x7c00)]);
  const quiet = t.emit(Ir.Or, Type.I16, [half, t.const(Type.I16, 0x200)]);
  return t.emit(Ir.Select, Type.I16, [found, quiet, otherwise]);
}

function atomicHalf(t: Translation, i: Instruction, op: Ir): void {
  const { builder } = t;
  const { address, facts } = atomicFacts(t, i);
  const atomic = { ...facts, align: 2 };
  const operand = t.scalar(i.operands[3]!);
  const first = t.emit(Ir.AtomicLoad, Type.I16, [address], atomic);
  const [again, end] = [t.newBlock(), t.newBlock()];
  const expected = t.param(again, Type.I16);
  builder.jump(again, [first]);
  builder.block = again;
  const old = unbits(t, expected, Type.F16);
  const result = bits(t, t.float(op, Type.F16, [old, operand]));
  const desired = op === Ir.FAdd ? keepNaN(t, expected, keepNaN(t, bits(t, operand), result)) : result;
  const found = t.emit(Ir.AtomicCmpXchg, Type.I16, [address, expected, desired], atomic);
  builder.branch(t.emit(Ir.Eq, Type.I1, [found, expected]), end, again);
  builder.block.targets[1]!.arguments = [found];
  builder.block = end;
  t.set(i, [old]);
}

export const ATOMICS: HandlerTable = {
  [Op.AtomicLoad]: atomicLoad,
  [Op.AtomicStore]: atomicStore,
  [Op.AtomicExchange]: atomicRmw('xchg'),
  [Op.AtomicCompareExchange]: compareExchange,
  [Op.AtomicCompareExchangeWeak]: compareExchange,
  [Op.AtomicIIncrement]: atomicRmw('add', one),
  [Op.AtomicIDecrement]: atomicRmw('sub', one),
  [Op.AtomicIAdd]: atomicRmw('add'),
  [Op.AtomicISub]: atomicRmw('sub'),
  [Op.AtomicSMin]: atomicRmw('smin'),
  [Op.AtomicUMin]: atomicRmw('umin'),
  [Op.AtomicSMax]: atomicRmw('smax'),
  [Op.AtomicUMax]: atomicRmw('umax'),
  [Op.AtomicAnd]: atomicRmw('and'),
  [Op.AtomicOr]: atomicRmw('or'),
  [Op.AtomicXor]: atomicRmw('xor'),
  [Op.AtomicFAddEXT]: atomicFloat('fadd'),
  [Op.AtomicFMinEXT]: atomicFloat('fmin'),
  [Op.AtomicFMaxEXT]: atomicFloat('fmax'),
  [Op.AtomicFlagTestAndSet]: flagTestAndSet,
  [Op.AtomicFlagClear]: flagClear,
};
