// SPDX-License-Identifier: MIT
//
// Arguments that are passed by value as pointers (FuncParamAttr ByVal, 3.19): translators from LLVM pass structs so, without a copy, as the
// callee has to make it. Here each such function copies what its parameter points to, and accesses the copy.
import { Decoration, FunctionParameterAttribute, Op, StorageClass } from './grammar.gen';
import { type FunctionDefinition, type Id, type Instruction, type Module, NO_ID } from './module';

/** The module, in which no function relies on its callers for copies; `module` itself if none does. It may be invalid. */
export function copyArguments(module: Module): Module {
  const marked = new Set(module.annotations.filter(isByValue).map((i) => i.operands[0] as Id));
  if (marked.size === 0) return module;
  const pointees = new Map<Id, Id>();
  const bytes = new Set<Id>();
  for (const { op, result, operands } of module.globals) {
    if (op === Op.TypePointer && operands[0] === StorageClass.Function)
      pointees.set(result, operands[1] as Id);
    else if (op === Op.TypeInt && operands[0] === 8) bytes.add(result);
  }
  // In place of a type that a translator does not know, it writes a byte's.
  const isCopied = ({ type, result }: Instruction) =>
    marked.has(result) && pointees.has(type) && !bytes.has(pointees.get(type)!);
  // A launch copies a kernel's arguments, but another kernel may call it too.
  const called = new Set(module.functions.flatMap(callees));
  const entries = new Set(module.entryPoints.map((entry) => entry.function));
  const isAffected = ({ definition, blocks, parameters }: FunctionDefinition) =>
    blocks.length > 0 &&
    (called.has(definition.result) || !entries.has(definition.result)) &&
    parameters.some(isCopied);
  if (!module.functions.some(isAffected)) return module;
  let { bound } = module;
  /** By the parameter, which becomes the variable: the parameter in its place. */
  const renamed = new Map<Id, Id>();
  const functions = module.functions.map((f) => {
    if (!isAffected(f)) return f;
    const parameters = f.parameters.map((p) => {
      if (!isCopied(p)) return p;
      const result = bound++ as Id;
      renamed.set(p.result, result);
      return { ...p, result };
    });
    return withCopies({ ...f, parameters }, f.parameters.filter(isCopied), renamed);
  });
  const annotations = module.annotations.map((i) =>
    isAttribute(i) && renamed.has(i.operands[0] as Id)
      ? { ...i, operands: [renamed.get(i.operands[0] as Id)!, ...i.operands.slice(1)] }
      : i,
  );
  return { ...module, bound, functions, annotations };
}

const isAttribute = ({ op, operands }: Instruction): boolean =>
  op === Op.Decorate && operands[1] === Decoration.FuncParamAttr;

const isByValue = (i: Instruction): boolean =>
  isAttribute(i) && i.operands[2] === FunctionParameterAttribute.ByVal;

const callees = ({ blocks }: FunctionDefinition): readonly number[] =>
  blocks.flatMap(({ instructions }) =>
    instructions.flatMap(({ op, operands }) => (op === Op.FunctionCall ? [operands[0]!] : [])),
  );

/** The function, with a variable of the former name of each of these parameters. */
function withCopies(
  f: FunctionDefinition,
  copied: readonly Instruction[],
  renamed: ReadonlyMap<Id, Id>,
): FunctionDefinition {
  const [{ label, instructions }, ...others] = f.blocks as [FunctionDefinition['blocks'][0]];
  const afterVariables = instructions.findLastIndex((i) => i.op === Op.Variable) + 1;
  const variables = copied.map(({ type, result }) => ({
    op: Op.Variable,
    type,
    result,
    operands: [StorageClass.Function],
  }));
  const copies = copied.map(({ result }) => ({
    op: Op.CopyMemory,
    type: NO_ID,
    result: NO_ID,
    operands: [result, renamed.get(result)!],
  }));
  const first = [
    ...variables,
    ...instructions.slice(0, afterVariables),
    ...copies,
    ...instructions.slice(afterVariables),
  ];
  return { ...f, blocks: [{ label, instructions: first }, ...others] };
}
