// SPDX-License-Identifier: MIT
//
// Constants of a module as lists of scalars. Specialization constants have their default values here (specialize.ts sets others
// and folds arithmetic on them); the remaining OpSpecConstantOp instructions are address arithmetic on variables.

import { halfValue } from '../../base/half';
import { Op, StorageClass } from '../../spirv/grammar.gen';
import type { Id, Instruction } from '../../spirv/module';
import { Type } from '../ir/ir';
import { bitsOf, canonical, integerLike } from '../ir/types';
import { JitError } from '../jit-error';
import type { Definitions } from './definitions';
import { firstLeaf, type Leaf, memberOf, type TypeInfo, type TypeTable, withGaps } from './types';

/** The address of a module-scope variable, plus bytes. */
export interface AddressConstant {
  readonly variable: Id;
  readonly offset: number;
}
/** A NaN other than that of JavaScript, which has no numbers for them: its bits, as an integer of its size. */
export interface NanConstant {
  readonly bits: number | bigint;
}
/** undefined: an undefined value. */
export type ConstantLeaf = number | bigint | AddressConstant | NanConstant | undefined;

export const isAddress = (leaf: ConstantLeaf): leaf is AddressConstant =>
  typeof leaf === 'object' && 'variable' in leaf;
export const isNan = (leaf: ConstantLeaf): leaf is NanConstant => typeof leaf === 'object' && 'bits' in leaf;

export class Constants {
  private readonly cache = new Map<Id, readonly ConstantLeaf[]>();

  constructor(
    private readonly index: Definitions,
    private readonly types: TypeTable,
  ) {}

  /** The scalars of a constant; undefined if `id` is not a constant. */
  leaves(id: Id): readonly ConstantLeaf[] | undefined {
    const known = this.cache.get(id);
    if (known) return known;
    const i = this.index.find(id);
    const leaves = i && this.evaluate(i);
    if (leaves) this.cache.set(id, leaves);
    return leaves;
  }

  /** An integer constant such as an array's length, as an unsigned number or bigint. */
  integer(id: Id): number | bigint {
    const leaf = this.leaves(id)?.[0];
    if (typeof leaf === 'bigint') return BigInt.asUintN(64, leaf);
    if (typeof leaf === 'number') return leaf >>> 0;
    throw new JitError(`%${id} must be a constant integer`);
  }

  /** The low 32 bits of a constant integer, as a signed number: addresses have no more. */
  low(id: Id): number | undefined {
    const leaf = this.leaves(id)?.[0];
    if (typeof leaf === 'bigint') return Number(BigInt.asIntN(32, leaf));
    return typeof leaf === 'number' ? leaf | 0 : undefined;
  }

  tryInteger(id: Id): number | undefined {
    const leaf = this.leaves(id)?.[0];
    return typeof leaf === 'bigint' ? Number(leaf) : typeof leaf === 'number' ? leaf : undefined;
  }

  private evaluate(i: Instruction): readonly ConstantLeaf[] | undefined {
    switch (i.op) {
      case Op.ConstantTrue:
      case Op.SpecConstantTrue:
        return [1];
      case Op.ConstantFalse:
      case Op.SpecConstantFalse:
        return [0];
      case Op.Constant:
      case Op.SpecConstant:
        return [constantLeaf(this.types.get(i.type).scalar, i.operands)];
      case Op.ConstantComposite:
      case Op.SpecConstantComposite: {
        const parts = i.operands.map((part) => {
          const inner = this.leaves(part as Id);
          if (!inner) throw new JitError(`%${part} must be a constant`);
          return inner;
        });
        const info = this.types.get(i.type);
        const leaves = withGaps<ConstantLeaf>(info, parts, zeroOf);
        // The length of an array may be specialized after the module was validated.
        if (leaves.length !== info.width)
          throw new JitError(
            `the constant %${i.result} has ${leaves.length} scalars, its type ${info.width}`,
          );
        return leaves;
      }
      case Op.ConstantNull:
        return this.zeros(this.types.get(i.type));
      case Op.Undef:
        return new Array<undefined>(this.types.get(i.type).width).fill(undefined);
      case Op.ConstantSampler:
        // addressing | normalized << 3 | linear << 4: SAMPLER_BITS
        return [i.operands[0]! | (i.operands[1]! << 3) | (i.operands[2]! << 4)];
      case Op.Variable:
        return i.operands[0] === StorageClass.Function || i.operands[0] === StorageClass.Input
          ? undefined
          : [{ variable: i.result, offset: 0 }];
      case Op.SpecConstantOp:
        return this.operation(i);
      default:
        return undefined;
    }
  }

  private zeros(info: TypeInfo): ConstantLeaf[] {
    return this.types.leaves(info).map(zeroOf);
  }

  private operation(i: Instruction): readonly ConstantLeaf[] {
    const op: Op = i.operands[0]!;
    const operand = this.leaves(i.operands[1]! as Id);
    if (operand)
      switch (op) {
        case Op.Bitcast:
        case Op.PtrCastToGeneric:
        case Op.GenericCastToPtr:
        case Op.CopyObject:
          if (isAddress(operand[0]) || this.types.get(i.type).kind === 'pointer') return operand;
          break;
        case Op.ConvertPtrToU:
          if (isAddress(operand[0])) return operand;
          break;
        case Op.ConvertUToPtr:
          return operand.map((leaf) =>
            typeof leaf === 'bigint' ? canonical(this.types.get(i.type).scalar, leaf) : leaf,
          );
        case Op.AccessChain:
        case Op.InBoundsAccessChain:
        case Op.PtrAccessChain:
        case Op.InBoundsPtrAccessChain:
          return [this.accessChain(op, i, operand[0])];
        case Op.CompositeExtract: {
          let info = this.types.get(this.index.definition(i.operands[1]! as Id).type);
          let first = 0;
          for (const at of i.operands.slice(2)) {
            first += firstLeaf(info, at);
            info = memberOf(info, at);
          }
          return operand.slice(first, first + info.width);
        }
      }
    throw new JitError(`OpSpecConstantOp ${Op[op]} is not supported here`);
  }

  private accessChain(op: Op, i: Instruction, base: ConstantLeaf): ConstantLeaf {
    const { types } = this;
    let info = types.pointee(types.get(this.index.definition(i.operands[1]! as Id).type));
    let offset = 0;
    let indexes = i.operands.slice(2).map((id) => {
      const value = this.low(id as Id);
      if (value === undefined) throw new JitError('an index of a constant address must be constant');
      return value;
    });
    if (op === Op.PtrAccessChain || op === Op.InBoundsPtrAccessChain) {
      offset += info.size * indexes[0]!;
      indexes = indexes.slice(1);
    }
    for (const at of indexes) {
      offset += info.kind === 'struct' ? info.offsets![at]! : info.stride * at;
      info = memberOf(info, info.kind === 'struct' ? at : 0);
    }
    if (isAddress(base)) return { variable: base.variable, offset: base.offset + offset };
    if (typeof base === 'number') return canonical(Type.I32, base + offset);
    if (typeof base === 'bigint') return canonical(Type.I64, base + BigInt(offset));
    throw new JitError('an address constant without a base');
  }
}

const zeroOf = ({ type }: Leaf): ConstantLeaf => (type === Type.I64 ? 0n : 0);

const view = new DataView(new ArrayBuffer(8));

const QUIET_NAN: Partial<Record<Type, number | bigint>> = {
  [Type.F16]: 0x7e00,
  [Type.F32]: 0x7fc00000,
  [Type.F64]: 0x7ff8000000000000n,
};

/** The value of OpConstant's words. */
export function constantLeaf(type: Type, words: readonly number[]): number | bigint | NanConstant {
  const value = scalarConstant(type, words);
  if (!Number.isNaN(value)) return value;
  const bits = scalarConstant(integerLike(type), words);
  return bits === QUIET_NAN[type] ? Number.NaN : { bits };
}

function scalarConstant(type: Type, words: readonly number[]): number | bigint {
  switch (type) {
    case Type.I64:
      return BigInt.asIntN(64, (BigInt(words[1] ?? 0) << 32n) | BigInt(words[0]! >>> 0));
    case Type.F64:
      view.setUint32(0, words[0]!, true);
      view.setUint32(4, words[1] ?? 0, true);
      return view.getFloat64(0, true);
    case Type.F32:
      view.setUint32(0, words[0]!, true);
      return view.getFloat32(0, true);
    case Type.F16:
      return halfValue(words[0]! & 0xffff);
    default:
      return bitsOf(type) === 0 ? 0 : canonical(type, words[0]!);
  }
}
