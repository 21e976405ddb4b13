// SPDX-License-Identifier: MIT
//
// Functions that are not inlined: library functions marked `noinline`, which are rare cases that are longer than the usual one,
// such as the reduction of large angles. A kernel has each of them once, however many calls it has.
import { FunctionControl } from '../../spirv/grammar.gen';
import type { FunctionDefinition, Id } from '../../spirv/module';
import { addBlock } from '../ir/build';
import { type Func, Op, Type, type Value } from '../ir/ir';
import type { ModuleIndex } from './module-index';
import { Translation } from './translation';

export function isOutOfLine(t: Translation, index: ModuleIndex, f: FunctionDefinition): boolean {
  const marked = (f.definition.operands[0]! & FunctionControl.DontInline) !== 0;
  return marked && index !== t.context.modules.own;
}

/** A call of a function. `translateBody` translates its body at the kernel's first call. */
export function callOutOfLine(
  t: Translation,
  index: ModuleIndex,
  f: FunctionDefinition,
  args: readonly Value[][],
  translateBody: (t: Translation) => void,
): Value {
  const { outOfLine } = t.context;
  let callee = outOfLine.get(f);
  if (!callee) {
    callee = translate(t, index, f, translateBody);
    outOfLine.set(f, callee);
  }
  return t.emit(Op.Call, callee.result, args.flat(), { callee });
}

function translate(
  caller: Translation,
  index: ModuleIndex,
  f: FunctionDefinition,
  translateBody: (t: Translation) => void,
): Func {
  const name = index.nameOf(f.definition.result);
  const typesOf = (id: Id) => index.types.leaves(index.types.get(id)).map((leaf) => leaf.type);
  const params = f.parameters.flatMap((parameter) => typesOf(parameter.type));
  const [result, ...others] = typesOf(f.definition.type);
  const isPlain = (type: Type | undefined) => type !== undefined && type >= Type.I32 && type !== Type.F16;
  if (others.length > 0 || !isPlain(result) || !params.every(isPlain))
    caller.fail(
      `'${name}' cannot be kept out of line: it takes or returns more than numbers of 32 or 64 bits`,
    );
  const t = new Translation(name, caller.context, params, [result]);
  const body = addBlock(t.func);
  t.builder.jump(body);
  t.builder.block = body;
  t.enterModule(index);
  f.parameters.forEach((parameter, at) => {
    t.values[parameter.result] = [t.builder.leaves.leaf(Op.Parameter, params[at]!, { index: at })];
  });
  translateBody(t);
  return t.func;
}
