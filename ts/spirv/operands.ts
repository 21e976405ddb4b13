// SPDX-License-Identifier: MIT
//
// Which operands of an instruction are ids, for passes that rename or follow ids, without the full grammar. It covers the
// instructions of Kernel modules; a test compares it with the grammar's tables.
import { MemoryAccess, Op, OpenCLDebugInfo, OpenCLStd } from './grammar.gen';
import type { Id, Instruction, Module } from './module';

/**
 * One letter per operand; instructions that are not listed have only ids.
 *   i  id          n  literal word     s  string
 *   N  literals to the end             m  memory operands (a mask and the operands of its bits)
 *   w  pairs of a literal and an id to the end
 *   W  pairs of an id and a literal to the end
 *   e  number of an extended instruction and its operands
 *   o  opcode of an instruction and its operands
 * Operands after the last letter are ids to the end.
 */
const LAYOUT: Partial<Record<Op, string>> = {
  [Op.Line]: 'inn',
  [Op.Source]: 'nn',
  [Op.SourceContinued]: 'N',
  [Op.SourceExtension]: 'N',
  [Op.Name]: 'iN',
  [Op.MemberName]: 'iN',
  [Op.String]: 'N',
  [Op.ModuleProcessed]: 'N',
  [Op.Decorate]: 'iN',
  [Op.DecorateId]: 'in',
  [Op.DecorateString]: 'iN',
  [Op.MemberDecorate]: 'iN',
  [Op.MemberDecorateString]: 'iN',
  [Op.GroupMemberDecorate]: 'iW',
  [Op.TypeInt]: 'N',
  [Op.TypeFloat]: 'N',
  [Op.TypeVector]: 'in',
  [Op.TypeMatrix]: 'in',
  [Op.TypeImage]: 'iN',
  [Op.TypeOpaque]: 'N',
  [Op.TypePointer]: 'ni',
  [Op.TypeForwardPointer]: 'in',
  [Op.TypePipe]: 'N',
  [Op.Constant]: 'N',
  [Op.SpecConstant]: 'N',
  [Op.SpecConstantOp]: 'o',
  [Op.ConstantSampler]: 'N',
  [Op.ConstantPipeStorage]: 'N',
  [Op.Function]: 'ni',
  [Op.Variable]: 'ni',
  [Op.Load]: 'im',
  [Op.Store]: 'iim',
  [Op.CopyMemory]: 'iimm',
  [Op.CopyMemorySized]: 'iiimm',
  [Op.GenericCastToPtrExplicit]: 'in',
  [Op.ArrayLength]: 'in',
  [Op.CompositeExtract]: 'iN',
  [Op.CompositeInsert]: 'iiN',
  [Op.VectorShuffle]: 'iiN',
  [Op.ExtInst]: 'ie',
  [Op.ExtInstWithForwardRefsKHR]: 'ie',
  [Op.BranchConditional]: 'iiiN',
  [Op.Switch]: 'iiw',
  [Op.LoopMerge]: 'iiN',
  [Op.SelectionMerge]: 'in',
  [Op.LifetimeStart]: 'in',
  [Op.LifetimeStop]: 'in',
  [Op.ImageSampleExplicitLod]: 'iin',
  [Op.ImageSampleImplicitLod]: 'iin',
  [Op.ImageFetch]: 'iin',
  [Op.ImageRead]: 'iin',
  [Op.ImageWrite]: 'iiin',
  [Op.GroupIAdd]: 'in',
  [Op.GroupFAdd]: 'in',
  [Op.GroupFMin]: 'in',
  [Op.GroupUMin]: 'in',
  [Op.GroupSMin]: 'in',
  [Op.GroupFMax]: 'in',
  [Op.GroupUMax]: 'in',
  [Op.GroupSMax]: 'in',
  [Op.GroupIMulKHR]: 'in',
  [Op.GroupFMulKHR]: 'in',
  [Op.GroupBitwiseAndKHR]: 'in',
  [Op.GroupBitwiseOrKHR]: 'in',
  [Op.GroupBitwiseXorKHR]: 'in',
  [Op.GroupLogicalAndKHR]: 'in',
  [Op.GroupLogicalOrKHR]: 'in',
  [Op.GroupLogicalXorKHR]: 'in',
  [Op.GroupNonUniformBallotBitCount]: 'in',
  [Op.GroupNonUniformIAdd]: 'in',
  [Op.GroupNonUniformFAdd]: 'in',
  [Op.GroupNonUniformIMul]: 'in',
  [Op.GroupNonUniformFMul]: 'in',
  [Op.GroupNonUniformSMin]: 'in',
  [Op.GroupNonUniformUMin]: 'in',
  [Op.GroupNonUniformFMin]: 'in',
  [Op.GroupNonUniformSMax]: 'in',
  [Op.GroupNonUniformUMax]: 'in',
  [Op.GroupNonUniformFMax]: 'in',
  [Op.GroupNonUniformBitwiseAnd]: 'in',
  [Op.GroupNonUniformBitwiseOr]: 'in',
  [Op.GroupNonUniformBitwiseXor]: 'in',
  [Op.GroupNonUniformLogicalAnd]: 'in',
  [Op.GroupNonUniformLogicalOr]: 'in',
  [Op.GroupNonUniformLogicalXor]: 'in',
  [Op.SDot]: 'iiN',
  [Op.UDot]: 'iiN',
  [Op.SUDot]: 'iiN',
  [Op.SDotAccSat]: 'iiiN',
  [Op.UDotAccSat]: 'iiiN',
  [Op.SUDotAccSat]: 'iiiN',
};

/** The literal operands of OpenCL.std's instructions, all in the last place. */
const LAST_IS_LITERAL: ReadonlySet<number> = new Set([
  OpenCLStd.vloadn,
  OpenCLStd.vload_halfn,
  OpenCLStd.vloada_halfn,
  OpenCLStd.vstore_half_r,
  OpenCLStd.vstore_halfn_r,
  OpenCLStd.vstorea_halfn_r,
]);

/**
 * Literals among the operands of OpenCL.DebugInfo.100's instructions outside of functions: one letter per operand as above, then
 * ids. Instructions inside functions have only ids.
 */
const DEBUG_LAYOUT: Partial<Record<OpenCLDebugInfo, string>> = {
  [OpenCLDebugInfo.DebugCompilationUnit]: 'nnin',
  [OpenCLDebugInfo.DebugTypeBasic]: 'iin',
  [OpenCLDebugInfo.DebugTypePointer]: 'inn',
  [OpenCLDebugInfo.DebugTypeVector]: 'in',
  [OpenCLDebugInfo.DebugTypeFunction]: 'n',
  [OpenCLDebugInfo.DebugTypeComposite]: 'ininniiin',
  [OpenCLDebugInfo.DebugTypeMember]: 'iiinniiin',
  [OpenCLDebugInfo.DebugGlobalVariable]: 'iiinniiin',
  [OpenCLDebugInfo.DebugFunction]: 'iiinniinn',
  [OpenCLDebugInfo.DebugLexicalBlock]: 'inni',
  [OpenCLDebugInfo.DebugLocalVariable]: 'iiinninn',
  [OpenCLDebugInfo.DebugTypeQualifier]: 'in',
  [OpenCLDebugInfo.DebugTypedef]: 'iiinni',
  [OpenCLDebugInfo.DebugTypeEnum]: 'iiinniin',
  [OpenCLDebugInfo.DebugFunctionDeclaration]: 'iiinniin',
  [OpenCLDebugInfo.DebugInlinedAt]: 'nii',
  [OpenCLDebugInfo.DebugOperation]: 'nnnnnnnn',
};

/** OpenCL.DebugInfo.100, if the module has it. */
export const debugSetOf = (module: Module): Id | undefined =>
  module.extInstImports.get('OpenCL.DebugInfo.100');

/** As `forEachId` for an instruction outside of functions, where instructions of `debugSet` have literal operands. */
export function forEachGlobalId(
  debugSet: Id | undefined,
  instruction: Instruction,
  visit: (id: Id, index: number) => void,
): void {
  const { op, operands } = instruction;
  const isDebug = op === Op.ExtInst && operands[0] === debugSet;
  const layout = isDebug ? DEBUG_LAYOUT[operands[1] as OpenCLDebugInfo] : undefined;
  if (layout === undefined) {
    forEachId(instruction, visit);
    return;
  }
  visit(operands[0] as Id, 0);
  for (let at = 2; at < operands.length; at++) if (layout[at - 2] !== 'n') visit(operands[at] as Id, at);
}

/** The bits of memory operands that have an operand of their own, in the order of these. All but the first one are ids. */
export const MEMORY_OPERANDS: readonly MemoryAccess[] = [
  MemoryAccess.Aligned,
  MemoryAccess.MakePointerAvailable,
  MemoryAccess.MakePointerVisible,
  MemoryAccess.AliasScopeINTELMask,
  MemoryAccess.NoAliasINTELMask,
];

/** The place of an instruction's first memory operands; undefined if it has none. */
export function placeOfMemoryOperands({ op }: Instruction): number | undefined {
  const place = LAYOUT[op]?.indexOf('m') ?? -1;
  return place < 0 ? undefined : place;
}

/** Calls `visit` for each operand that is an id. `selectorWords`: words of a literal of OpSwitch, 2 for a 64-bit selector. */
export function forEachId(
  instruction: Instruction,
  visit: (id: Id, index: number) => void,
  selectorWords = 1,
): void {
  const { operands } = instruction;
  const layout = LAYOUT[instruction.op];
  let at = 0;
  if (layout !== undefined) {
    for (let k = 0; k < layout.length && at < operands.length; k++) {
      switch (layout.charCodeAt(k)) {
        case 105 /* i */:
          visit(operands[at] as Id, at++);
          break;
        case 110 /* n */:
          at++;
          break;
        case 78 /* N */:
          return;
        case 109 /* m */:
          {
            const mask = operands[at++]!;
            for (const bit of MEMORY_OPERANDS) {
              if (!(mask & bit)) continue;
              if (bit !== MemoryAccess.Aligned) visit(operands[at] as Id, at);
              at++;
            }
            break;
          }
        case 119 /* w */:
          for (at += selectorWords; at < operands.length; at += selectorWords + 1)
            visit(operands[at] as Id, at);
          return;
        case 87 /* W */:
          for (; at < operands.length; at += 2) visit(operands[at] as Id, at);
          return;
        case 101 /* e */:
          {
            const end = LAST_IS_LITERAL.has(operands[at++]!) ? operands.length - 1 : operands.length;
            for (; at < end; at++) visit(operands[at] as Id, at);
            return;
          }
        case 111 /* o */:
          {
            const inner = {
              op: operands[at++] as Op,
              operands: operands.slice(at),
              type: 0 as Id,
              result: 0 as Id,
            };
            const base = at;
            forEachId(inner, (id, index) => visit(id, base + index));
            return;
          }
      }
    }
  }
  for (; at < operands.length; at++) visit(operands[at] as Id, at);
}
