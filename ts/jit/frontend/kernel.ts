// SPDX-License-Identifier: MIT
//
// One kernel of a module as a kernel IR function.
import type { KernelSignature } from '../../base/kernel-abi';
import { Decoration, StorageClass } from '../../spirv/grammar.gen';
import type { FunctionDefinition } from '../../spirv/module';
import { addBlock } from '../ir/build';
import { type AddressSpace, type Func, Op as Ir, Type, type Value } from '../ir/ir';
import { FunctionTranslator } from './functions';
import { type Place, spaceOf, storeValue } from './memory';
import { type KernelContext, Translation } from './translation';
import type { Leaf } from './types';

export function translateKernel(
  signature: KernelSignature,
  f: FunctionDefinition,
  context: KernelContext,
): Func {
  const t = new Translation(signature.name, context);
  const body = addBlock(t.func);
  t.builder.jump(body);
  t.builder.block = body;
  f.parameters.forEach((parameter, index) => {
    const info = t.index.types.get(parameter.type);
    if (info.kind !== 'pointer' || info.storage !== StorageClass.Function) {
      const space = info.kind === 'pointer' ? spaceOf(t, info.storage!) : undefined;
      t.values[parameter.result] = t.index.types.leaves(info).map((leaf) => argument(t, index, leaf, space));
      return;
    }
    // A struct by value: the kernel may change its copy.
    const value = t.index.types.pointee(info);
    const declared = t.index.decoration(parameter.result, Decoration.Alignment)?.[0] ?? 1;
    const alloca = t.builder.leaves.alloca(value.size, Math.max(value.align, declared));
    const place: Place = { address: alloca, offset: 0, space: 'private', align: 0, volatile: false };
    storeValue(
      t,
      place,
      value,
      t.index.types.leaves(value).map((leaf) => argument(t, index, leaf)),
    );
    t.values[parameter.result] = [alloca];
  });
  new FunctionTranslator(t).outermost(f);
  return t.func;
}

function argument(t: Translation, index: number, leaf: Leaf, space?: AddressSpace): Value {
  const { leaves } = t.builder;
  if (leaf.storage === 'bool') {
    const byte = leaves.leaf(Ir.Argument, Type.I8, { index, offset: leaf.offset });
    return t.emit(Ir.Ne, Type.I1, [byte, t.const(Type.I8, 0)]);
  }
  return leaves.leaf(Ir.Argument, leaf.type, { index, offset: leaf.offset, ...(space ? { space } : {}) });
}
