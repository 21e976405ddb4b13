// SPDX-License-Identifier: MIT
//
// The references of debug information: OpName, OpMemberName, OpLine (3.42.2), and OpenCL.DebugInfo.100, instruction by
// instruction (its specification, sections 4.1 to 4.8).
import { OpenCLDebugInfo as D, Op } from '../grammar.gen';
import type { Instruction, SourceLine } from '../module';
import { debugSetOf } from '../operands';
import { type Context, isConstantOp } from './context';

/** A kind of operand of a debug instruction. `takesNone` checks for DebugInfoNone. */
interface Kind {
  readonly name: string;
  readonly takes: (definition: Instruction, debug: D | undefined) => boolean;
  readonly takesNone?: boolean;
}

const oneOf = (name: string, list: readonly D[], takesNone = false): Kind => ({
  name,
  takes: (_, debug) => debug !== undefined && list.includes(debug),
  takesNone,
});

const TYPES: readonly D[] = [
  D.DebugTypeBasic,
  D.DebugTypePointer,
  D.DebugTypeQualifier,
  D.DebugTypeArray,
  D.DebugTypeVector,
  D.DebugTypedef,
  D.DebugTypeFunction,
  D.DebugTypeEnum,
  D.DebugTypeComposite,
  D.DebugTypeMember,
  D.DebugTypeInheritance,
  D.DebugTypePtrToMember,
  D.DebugTypeTemplate,
  D.DebugTypeTemplateParameter,
  D.DebugTypeTemplateTemplateParameter,
  D.DebugTypeTemplateParameterPack,
];

const text: Kind = { name: 'an OpString', takes: ({ op }) => op === Op.String };
const source = oneOf('a DebugSource', [D.DebugSource]);
const type = oneOf('a debug type', TYPES, true);
/** For functions: also OpTypeVoid. */
const returned: Kind = { ...type, takes: (i, debug) => i.op === Op.TypeVoid || type.takes(i, debug) };
const scope = oneOf(
  'a scope',
  [
    D.DebugCompilationUnit,
    D.DebugFunction,
    D.DebugLexicalBlock,
    D.DebugLexicalBlockDiscriminator,
    D.DebugTypeComposite,
    D.DebugModuleINTEL,
  ],
  true,
);
const local = oneOf('a DebugLocalVariable', [D.DebugLocalVariable, D.DebugInlinedVariable]);
const expression = oneOf('a DebugExpression', [D.DebugExpression]);
const operation = oneOf('a DebugOperation', [D.DebugOperation]);
const inlined = oneOf('a DebugInlinedAt', [D.DebugInlinedAt]);
const size: Kind = { name: 'a constant', takes: ({ op }) => isConstantOp(op), takesNone: true };
const variable: Kind = {
  name: 'a variable or a constant',
  takes: ({ op }) => op === Op.Variable || isConstantOp(op),
  takesNone: true,
};
const place: Kind = {
  name: 'a variable or a parameter',
  takes: ({ op }) => op === Op.Variable || op === Op.FunctionParameter,
  takesNone: true,
};

/**
 * The kinds of each instruction's operands; undefined for literals and for operands that are not checked. `rest`: the kind of
 * all further operands.
 */
const OPERANDS: Partial<Record<D, { kinds: readonly (Kind | undefined)[]; rest?: Kind }>> = {
  [D.DebugSource]: { kinds: [text, text] },
  [D.DebugCompilationUnit]: { kinds: [undefined, undefined, source] },
  [D.DebugTypeBasic]: { kinds: [text, size] },
  [D.DebugTypePointer]: { kinds: [type] },
  [D.DebugTypeQualifier]: { kinds: [type] },
  [D.DebugTypeArray]: { kinds: [type] },
  [D.DebugTypeVector]: { kinds: [type] },
  [D.DebugTypedef]: { kinds: [text, type, source, undefined, undefined, scope] },
  [D.DebugTypeFunction]: { kinds: [undefined, returned], rest: type },
  [D.DebugTypeEnum]: { kinds: [text, type, source, undefined, undefined, scope, size] },
  [D.DebugTypeComposite]: { kinds: [text, undefined, source, undefined, undefined, scope, text, size] },
  [D.DebugTypeMember]: { kinds: [text, type, source, undefined, undefined, scope, size, size] },
  [D.DebugGlobalVariable]: {
    kinds: [text, type, source, undefined, undefined, scope, text, variable],
  },
  [D.DebugFunctionDeclaration]: { kinds: [text, type, source, undefined, undefined, scope, text] },
  [D.DebugFunction]: { kinds: [text, type, source, undefined, undefined, scope, text] },
  [D.DebugLexicalBlock]: { kinds: [source, undefined, undefined, scope, text] },
  [D.DebugScope]: { kinds: [scope, inlined] },
  [D.DebugInlinedAt]: { kinds: [undefined, scope, inlined] },
  [D.DebugLocalVariable]: { kinds: [text, type, source, undefined, undefined, scope] },
  [D.DebugDeclare]: { kinds: [local, place, expression] },
  [D.DebugValue]: { kinds: [local, undefined, expression] },
  [D.DebugExpression]: { kinds: [], rest: operation },
};

export function checkDebugInfo(c: Context): void {
  for (const i of c.module.debug) names(c, i);
  const lines = new Set<SourceLine>();
  const set = debugSetOf(c.module);
  const check = (i: Instruction) => {
    if (i.line && !lines.has(i.line)) {
      lines.add(i.line);
      if (c.find(i.line.file)?.op !== Op.String)
        c.fail(i, `OpLine: its file, %${i.line.file}, is an OpString`);
    }
    if (set !== undefined && i.op === Op.ExtInst && i.operands[0] === set) debugInstruction(c, i, set);
  };
  for (const i of c.module.globals) check(i);
  c.eachInstruction(check);
}

function names(c: Context, i: Instruction): void {
  if (i.op === Op.MemberName) {
    const struct = c.find(i.operands[0]!);
    if (struct?.op !== Op.TypeStruct) c.fail(i, `%${i.operands[0]} is not a struct type`);
    if (i.operands[1]! >= struct.operands.length)
      c.fail(i, `member ${i.operands[1]} is beyond the struct's ${struct.operands.length}`);
  }
  if (i.op === Op.Source && i.operands.length > 2 && c.find(i.operands[2]!)?.op !== Op.String)
    c.fail(i, `its file, %${i.operands[2]}, is an OpString`);
}

function debugInstruction(c: Context, i: Instruction, set: number): void {
  const inst: D = i.operands[1]!;
  const rule = OPERANDS[inst];
  if (!rule) return;
  for (let at = 2; at < i.operands.length; at++) {
    const kind = at - 2 < rule.kinds.length ? rule.kinds[at - 2] : rule.rest;
    if (!kind) continue;
    const definition = c.find(i.operands[at]!);
    const isDebug = definition?.op === Op.ExtInst && definition.operands[0] === set;
    const debug: D | undefined = isDebug ? definition.operands[1] : undefined;
    const fits =
      definition && ((kind.takesNone && debug === D.DebugInfoNone) || kind.takes(definition, debug));
    if (!fits) c.fail(i, `${D[inst]}: operand %${i.operands[at]} is ${kind.name}`);
  }
}
