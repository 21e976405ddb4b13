// SPDX-License-Identifier: MIT
//
// Block reads and writes of cl_intel_subgroups: the work-items of a sub-group access consecutive elements; vectors are accessed
// row by row.
import { IMAGE_DESCRIPTOR } from '../../base/kernel-abi';
import { Op } from '../../spirv/grammar.gen';
import { Op as Ir, Type, type Value } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { split } from './addresses';
import { loadLeaf, type Place, placeOf, storeLeaf } from './memory';
import type { Handler, HandlerTable, Translation } from './translation';

const lane = (t: Translation) => t.builder.leaves.leaf(Ir.SubGroupLocalId, Type.I32);
const laneCount = (t: Translation) => t.builder.leaves.leaf(Ir.SubGroupMaxSize, Type.I32);

/** Element `lane + row * laneCount` from a pointer. */
function element(t: Translation, pointer: number, row: number, type: Type): Place {
  const index = t.emit(Ir.Add, Type.I32, [lane(t), t.emit(Ir.Mul, Type.I32, [laneCount(t), t.i32(row)])]);
  const address = t.element(t.scalar(pointer), index, bytesOf(type));
  return { ...placeOf(t, pointer), ...split(address) };
}

const read: Handler = (t, i) => {
  t.set(
    i,
    t
      .leafTypes(t.type(i))
      .map((type, row) =>
        loadLeaf(t, element(t, i.operands[0]!, row, type), { type, offset: 0, storage: 'plain' }),
      ),
  );
};

const write: Handler = (t, i) => {
  t.get(i.operands[1]!).forEach((value, row) => {
    const { type } = value;
    storeLeaf(t, element(t, i.operands[0]!, row, type), { type, offset: 0, storage: 'plain' }, value);
  });
};

/** The address of a work-item's element in a row of an image, clamped to the image; the first coordinate counts bytes. */
function texel(
  t: Translation,
  image: Value,
  at: readonly Value[],
  row: number,
  type: Type,
): { place: Place; inside: Value } {
  const word = (offset: number) =>
    t.emit(Ir.Load, Type.I32, [image], { offset, align: 4, space: 'constant', invariant: true });
  const bytes = bytesOf(type);
  const rowBytes = t.emit(Ir.Mul, Type.I32, [
    word(IMAGE_DESCRIPTOR.width),
    word(IMAGE_DESCRIPTOR.elementSize),
  ]);
  const x = t.emit(Ir.Add, Type.I32, [at[0]!, t.scaled(lane(t), bytes)]);
  const y = t.emit(Ir.Add, Type.I32, [at[1]!, t.i32(row)]);
  const clamped = (value: Value, end: Value) =>
    t.emit(Ir.SMax, Type.I32, [t.emit(Ir.SMin, Type.I32, [value, end]), t.i32(0)]);
  const lastX = t.emit(Ir.Sub, Type.I32, [rowBytes, t.i32(bytes)]);
  const lastY = t.emit(Ir.Sub, Type.I32, [word(IMAGE_DESCRIPTOR.height), t.i32(1)]);
  const [nearX, nearY] = [clamped(x, lastX), clamped(y, lastY)];
  const line = t.emit(Ir.Mul, Type.I32, [nearY, word(IMAGE_DESCRIPTOR.rowPitch)]);
  const address = t.emit(Ir.Add, Type.I32, [
    word(IMAGE_DESCRIPTOR.data),
    t.emit(Ir.Add, Type.I32, [line, nearX]),
  ]);
  const inside = t.emit(Ir.And, Type.I1, [
    t.emit(Ir.Eq, Type.I1, [x, nearX]),
    t.emit(Ir.Eq, Type.I1, [y, nearY]),
  ]);
  return { place: { address, offset: 0, space: 'global', align: 0, volatile: false }, inside };
}

const readImage: Handler = (t, i) => {
  const [image, at] = [t.scalar(i.operands[0]!), t.get(i.operands[1]!)];
  t.set(
    i,
    t
      .leafTypes(t.type(i))
      .map((type, row) =>
        loadLeaf(t, texel(t, image, at, row, type).place, { type, offset: 0, storage: 'plain' }),
      ),
  );
};

/** Elements outside the image are not written. */
const writeImage: Handler = (t, i) => {
  const [image, at] = [t.scalar(i.operands[0]!), t.get(i.operands[1]!)];
  const { builder } = t;
  t.get(i.operands[2]!).forEach((value, row) => {
    const { type } = value;
    const { place, inside } = texel(t, image, at, row, type);
    const [store, end] = [t.newBlock(), t.newBlock()];
    builder.branch(inside, store, end);
    builder.block = store;
    storeLeaf(t, place, { type, offset: 0, storage: 'plain' }, value);
    builder.jump(end);
    builder.block = end;
  });
};

export const BLOCK_ACCESS: HandlerTable = {
  [Op.SubgroupBlockReadINTEL]: read,
  [Op.SubgroupBlockWriteINTEL]: write,
  [Op.SubgroupImageBlockReadINTEL]: readImage,
  [Op.SubgroupImageBlockWriteINTEL]: writeImage,
};
