// SPDX-License-Identifier: MIT
import { Decoration, StorageClass } from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';
import type { LoweringContext } from './context';
import { arrayConstant } from './long-instructions';

/** The constant array of a string literal. Equal literals share one. */
export function stringVariable(ctx: LoweringContext, bytes: Uint8Array): Id {
  const known = ctx.strings;
  const key = bytes.join();
  let id = known.get(key);
  if (id === undefined) {
    const { builder } = ctx;
    const value = stringConstant(ctx, bytes);
    id = builder.globalVariable(builder.pointer(StorageClass.UniformConstant, builder.typeOf(value)), value);
    builder.debug.name(id, '.str');
    builder.decorate(id, Decoration.Constant);
    builder.decorate(id, Decoration.Alignment, 1);
    known.set(key, id);
  }
  ctx.usesGlobal(id);
  return id;
}

/** The bytes as a constant array of `length` characters, filled up with zeros. */
export function stringConstant(ctx: LoweringContext, bytes: Uint8Array, length = bytes.length): Id {
  const { builder } = ctx;
  const char = builder.int(8);
  const parts = Array.from(bytes.subarray(0, length), (byte) => builder.constantInt(char, byte));
  return arrayConstant(ctx, builder.array(char, length), parts, length);
}
