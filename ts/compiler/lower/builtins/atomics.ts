// SPDX-License-Identifier: MIT
//
// Atomic functions.
import { Capability, MemorySemantics, Op, Scope, StorageClass } from '../../../spirv/grammar.gen';
import { type Builder, type Emitter, fromBool, type Id, NO_ID, opcodeOf, scope, u32 } from './site';
import { orderSemantics, scopeOf } from './synchronization';

const isFloat = (b: Builder, type: Id): boolean => b.definitionOf(type)?.op === Op.TypeFloat;

/** The integer or float that `pointer` points to, and what atomics on it need. */
function atomicType(b: Builder, pointer: Id): Id {
  const type = b.pointeeOf(b.typeOf(pointer));
  if (!isFloat(b, type) && b.widthOf(type) === 64) b.capability(Capability.Int64Atomics);
  return type;
}

const integerAs = (b: Builder, type: Id): Id => b.int(b.widthOf(type) as 16 | 32 | 64);

/** OpAtomicCompareExchange is for integers: floating-point numbers are compared and exchanged as their bits. */
function compareExchange(
  b: Builder,
  pointer: Id,
  type: Id,
  where: Id,
  onSuccess: Id,
  onFailure: Id,
  value: Id,
  comparator: Id,
): Id {
  return b.emit(Op.AtomicCompareExchange, type, [pointer, where, onSuccess, onFailure, value, comparator]);
}

/** atomic_add and so on of OpenCL 1.x, and atom_add: relaxed, as far as the memory is shared. */
const legacy: Emitter = ({ builder: b, args, type, data }) => {
  const [pointer, ...values] = args as [Id, ...Id[]];
  atomicType(b, pointer);
  const isLocal = b.storageOf(b.typeOf(pointer)) === StorageClass.Workgroup;
  const where = scope(b, isLocal ? Scope.Workgroup : Scope.Device);
  const relaxed = u32(b, MemorySemantics.Relaxed);
  const op = opcodeOf(data[0]!);
  if (op === Op.AtomicCompareExchange) {
    const [comparator, value] = values as [Id, Id];
    return compareExchange(b, pointer, type, where, relaxed, relaxed, value, comparator);
  }
  return b.emit(op, type, [pointer, where, relaxed, ...values]);
};

/** Order and scope of a C11 atomic: the arguments after its `operands`, else sequentially consistent on the device. */
function ordering(b: Builder, args: readonly Id[], operands: number, orders: 1 | 2) {
  const order = args[operands];
  const failure = args[operands + 1];
  const memoryScope = args[operands + orders];
  const strongest = u32(b, MemorySemantics.SequentiallyConsistent);
  return {
    order: order === undefined ? strongest : orderSemantics(b, order),
    failure: orders === 2 && failure !== undefined ? orderSemantics(b, failure) : strongest,
    where: memoryScope === undefined ? scope(b, Scope.Device) : scopeOf(b, memoryScope),
  };
}

/** What the floating-point read-modify-write instructions need, by width. */
const FLOAT_CAPABILITIES = {
  [Op.AtomicFAddEXT]: {
    16: [Capability.AtomicFloat16AddEXT, 'SPV_EXT_shader_atomic_float16_add'],
    32: [Capability.AtomicFloat32AddEXT, 'SPV_EXT_shader_atomic_float_add'],
    64: [Capability.AtomicFloat64AddEXT, 'SPV_EXT_shader_atomic_float_add'],
  },
  [Op.AtomicFMinEXT]: {
    16: [Capability.AtomicFloat16MinMaxEXT, 'SPV_EXT_shader_atomic_float_min_max'],
    32: [Capability.AtomicFloat32MinMaxEXT, 'SPV_EXT_shader_atomic_float_min_max'],
    64: [Capability.AtomicFloat64MinMaxEXT, 'SPV_EXT_shader_atomic_float_min_max'],
  },
} as const;

function needFloatAtomics(b: Builder, op: Op, type: Id): void {
  if (op !== Op.AtomicFAddEXT && op !== Op.AtomicFMinEXT && op !== Op.AtomicFMaxEXT) return;
  const group = FLOAT_CAPABILITIES[op === Op.AtomicFAddEXT ? op : Op.AtomicFMinEXT];
  const [capability, extension] = group[b.widthOf(type) as 16 | 32 | 64];
  b.capability(capability);
  b.extension(extension);
}

function exchangeIfEqual(b: Builder, args: readonly Id[], resultType: Id): Id {
  const [object, expected, desired] = args as [Id, Id, Id];
  const { order, failure, where } = ordering(b, args, 3, 2);
  const type = atomicType(b, object);
  const comparator = b.emit(Op.Load, type, [expected]);
  let old: Id;
  let equal: Id;
  if (isFloat(b, type)) {
    const bits = integerAs(b, type);
    if (b.widthOf(type) === 64) b.capability(Capability.Int64Atomics);
    const pointer = b.emit(Op.Bitcast, b.pointer(b.storageOf(b.typeOf(object)), bits), [object]);
    const [value, wanted] = [desired, comparator].map((v) => b.emit(Op.Bitcast, bits, [v])) as [Id, Id];
    const found = compareExchange(b, pointer, bits, where, order, failure, value, wanted);
    equal = b.emit(Op.IEqual, b.bool(), [found, wanted]);
    old = b.emit(Op.Bitcast, type, [found]);
  } else {
    old = compareExchange(b, object, type, where, order, failure, desired, comparator);
    equal = b.emit(Op.IEqual, b.bool(), [old, comparator]);
  }
  // On success this stores the old value, which equals the expected one.
  b.emitVoid(Op.Store, [expected, old]);
  return fromBool(b, equal, resultType);
}

/** The functions of C11. data: the opcode, and `negate` for a subtraction that is lowered to an addition. */
const atomic: Emitter = ({ builder: b, args, type, data }) => {
  const op = opcodeOf(data[0]!);
  if (op === Op.AtomicCompareExchange || op === Op.AtomicCompareExchangeWeak)
    return exchangeIfEqual(b, args, type);
  const pointer = args[0]!;
  const element = atomicType(b, pointer);
  needFloatAtomics(b, op, element);
  if (op === Op.AtomicLoad) {
    const { order, where } = ordering(b, args, 1, 1);
    return b.emit(op, type, [pointer, where, order]);
  }
  const { order, where } = ordering(b, args, 2, 1);
  if (op === Op.AtomicStore) {
    b.emitVoid(op, [pointer, where, order, args[1]!]);
    return NO_ID;
  }
  const value = data[1] === 'negate' ? b.emit(Op.FNegate, type, [args[1]!]) : args[1]!;
  return b.emit(op, type, [pointer, where, order, value]);
};

const flag: Emitter = ({ builder: b, args, type, data }) => {
  const { order, where } = ordering(b, args, 1, 1);
  const op = opcodeOf(data[0]!);
  if (op === Op.AtomicFlagTestAndSet)
    return fromBool(b, b.emit(op, b.bool(), [args[0]!, where, order]), type);
  b.emitVoid(op, [args[0]!, where, order]);
  return NO_ID;
};

/** atomic_init is not an atomic operation. */
const init: Emitter = ({ builder: b, args }) => {
  b.emitVoid(Op.Store, [args[0]!, args[1]!]);
  return NO_ID;
};

/** As `atomic`, but the value afterwards. */
const atomicThen: Emitter = (site) => {
  const { builder: b, type, data } = site;
  const before = atomic(site);
  return b.emit(AFTER[data[0] as keyof typeof AFTER], type, [before, site.args[1]!]);
};

const AFTER = {
  OpAtomicIAdd: Op.IAdd,
  OpAtomicISub: Op.ISub,
  OpAtomicOr: Op.BitwiseOr,
  OpAtomicAnd: Op.BitwiseAnd,
  OpAtomicXor: Op.BitwiseXor,
} as const;

/** `__sync_val_compare_and_swap`; with data other than `value`, whether it swapped. */
const syncExchange: Emitter = ({ builder: b, args, type, data }) => {
  const [pointer, expected, desired] = args as [Id, Id, Id];
  const order = u32(b, MemorySemantics.SequentiallyConsistent);
  const element = atomicType(b, pointer);
  const where = scope(b, Scope.Device);
  const found = compareExchange(b, pointer, element, where, order, order, desired, expected);
  return data[0] === 'value' ? found : fromBool(b, b.emit(Op.IEqual, b.bool(), [found, expected]), type);
};

/** GNU's argument between the value and the orders allows spurious failures; this implementation never has any. */
const atomicExchangeIfEqual: Emitter = ({ builder: b, args, type }) =>
  exchangeIfEqual(b, [...args.slice(0, 3), ...args.slice(4)], type);

const atomicClear: Emitter = ({ builder: b, args }) => {
  const none = b.constantInt(atomicType(b, args[0]!), 0);
  b.emitVoid(Op.AtomicStore, [args[0]!, scope(b, Scope.Device), u32(b, MemorySemantics.Release), none]);
  return NO_ID;
};

/** A full barrier, whatever order `__atomic_thread_fence` requests. */
const fullBarrier: Emitter = ({ builder: b }) => {
  const semantics =
    MemorySemantics.SequentiallyConsistent |
    MemorySemantics.WorkgroupMemory |
    MemorySemantics.CrossWorkgroupMemory;
  b.emitVoid(Op.MemoryBarrier, [scope(b, Scope.Device), u32(b, semantics)]);
  return NO_ID;
};

export const atomicEmitters = {
  atomic_legacy: legacy,
  atomic,
  atomic_flag: flag,
  atomic_init: init,
  atomic_then: atomicThen,
  atomic_clear: atomicClear,
  atomic_exchange_if_equal: atomicExchangeIfEqual,
  sync_exchange: syncExchange,
  full_barrier: fullBarrier,
};
