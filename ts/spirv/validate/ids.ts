// SPDX-License-Identifier: MIT
//
// Ids: each is defined once, of the right kind, and before its uses; in functions the definition dominates the uses (2.16.1).
import { Op, OpenCLDebugInfo } from '../grammar.gen';
import type { FunctionDefinition, Id, Instruction } from '../module';
import { debugSetOf, forEachGlobalId, forEachId } from '../operands';
import { type Context, isConstantOp, isTypeOp } from './context';
import { FlowGraph, selectorWordsOf } from './flow-graph';

export function checkIds(c: Context): void {
  checkGlobals(c);
  const globals = new Set(c.module.globals.map((i) => i.result));
  for (const f of c.module.functions) checkFunction(c, f, globals);
}

function checkGlobals(c: Context): void {
  const seen = new Set<Id>([...c.module.extInstImports.values()]);
  for (const i of c.module.debug) if (i.result) seen.add(i.result);
  const forward = new Set<number>();
  const debugSet = debugSetOf(c.module);
  for (const i of c.module.globals) {
    if (i.op === Op.TypeForwardPointer) {
      forward.add(i.operands[0]!);
      continue;
    }
    resultType(c, i);
    if (i.type && !seen.has(i.type)) c.fail(i, `its type %${i.type} is used before it is defined`);
    forEachGlobalId(debugSet, i, (id, index) => {
      if (seen.has(id)) return;
      if (!c.find(id)) c.fail(i, `id %${id} is not defined`);
      const mayBeForward =
        forward.has(id) ||
        i.op === Op.ExtInstWithForwardRefsKHR ||
        (i.op === Op.ExtInst && mayReferForward(i, index, debugSet)) ||
        c.find(id)!.op === Op.Function;
      if (!mayBeForward) c.fail(i, `id %${id} is used before it is defined`);
    });
    if (i.result) seen.add(i.result);
  }
  for (const e of c.module.entryPoints)
    for (const id of e.interface)
      if (c.find(id)?.op !== Op.Variable)
        c.fail(undefined, `entry point '${e.name}': its interface holds variables; %${id} is none`);
  for (const i of c.module.annotations) {
    if (i.op === Op.DecorationGroup) continue;
    forEachId(i, (id) => {
      if (!c.find(id)) c.fail(i, `id %${id} is not defined`);
    });
  }
}

/** A DebugFunction's function, a DebugTypeComposite's members; other sets may refer forward anywhere. */
function mayReferForward(i: Instruction, index: number, debugSet: Id | undefined): boolean {
  if (i.operands[0] !== debugSet) return true;
  const inst: OpenCLDebugInfo = i.operands[1]!;
  return (
    index >= 11 && (inst === OpenCLDebugInfo.DebugFunction || inst === OpenCLDebugInfo.DebugTypeComposite)
  );
}

function resultType(c: Context, i: Instruction): void {
  if (i.type === 0) return;
  const type = c.find(i.type);
  if (!type) c.fail(i, `its type %${i.type} is not defined`);
  if (!isTypeOp(type!.op)) c.fail(i, `its type %${i.type} is not a type`);
}

/** Instructions with labels as operands. */
const TAKES_LABELS: ReadonlySet<Op> = new Set([
  Op.Phi,
  Op.LoopMerge,
  Op.SelectionMerge,
  Op.Branch,
  Op.BranchConditional,
  Op.Switch,
]);

/** Instructions with functions as operands: calls, and those that enqueue blocks. */
const TAKES_FUNCTIONS: ReadonlySet<Op> = new Set([
  Op.FunctionCall,
  Op.EnqueueKernel,
  Op.GetKernelNDrangeSubGroupCount,
  Op.GetKernelNDrangeMaxSubGroupSize,
  Op.GetKernelWorkGroupSize,
  Op.GetKernelPreferredWorkGroupSizeMultiple,
  Op.GetKernelLocalSizeForSubgroupCount,
  Op.GetKernelMaxNumSubgroups,
  Op.ConstantFunctionPointerINTEL,
  Op.FunctionPointerCallINTEL,
]);

/** Operands that may be types. */
const TAKES_TYPES: ReadonlySet<Op> = new Set([Op.SizeOf, Op.ExtInst, Op.ExtInstWithForwardRefsKHR]);

function checkFunction(c: Context, f: FunctionDefinition, globals: ReadonlySet<Id>): void {
  resultType(c, f.definition);
  for (const p of f.parameters) resultType(c, p);
  if (f.blocks.length === 0) return;
  const selectorWords = selectorWordsOf(c);
  const graph = new FlowGraph(f, selectorWords);
  const home = new Map<Id, { block: Id; at: number }>();
  for (const b of f.blocks)
    b.instructions.forEach((i, at) => {
      if (i.result) home.set(i.result, { block: b.label, at });
    });
  const parameters = new Set(f.parameters.map((p) => p.result));
  const labels = new Set(f.blocks.map((b) => b.label));
  for (const b of f.blocks)
    b.instructions.forEach((i, at) => {
      resultType(c, i);
      const words = i.op === Op.Switch ? selectorWords(i.operands[0]! as Id) : 1;
      forEachId(
        i,
        (id, index) => {
          const definition = c.find(id);
          if (!definition) c.fail(i, `id %${id} is not defined`);
          const { op } = definition!;
          if (op === Op.Label) {
            if (!labels.has(id)) c.fail(i, `%${id} is a block of another function`);
            if (!TAKES_LABELS.has(i.op)) c.fail(i, `the label %${id} is not a value`);
            return;
          }
          if (op === Op.Function) {
            if (!TAKES_FUNCTIONS.has(i.op)) c.fail(i, `the function %${id} is not a value`);
            return;
          }
          if (isTypeOp(op)) {
            if (!TAKES_TYPES.has(i.op)) c.fail(i, `the type %${id} is not a value`);
            return;
          }
          if (globals.has(id) || parameters.has(id) || isConstantOp(op)) return;
          if (op === Op.ExtInstImport || op === Op.String) return;
          const place = home.get(id);
          if (!place) return c.fail(i, `%${id} belongs to another function`);
          if (!graph.isReachable(b.label)) return;
          if (i.op === Op.Phi) {
            const parent = i.operands[index + 1] as Id;
            if (graph.isReachable(parent) && !graph.dominates(place.block, parent))
              c.fail(i, `%${id} does not dominate its predecessor %${parent}`);
            return;
          }
          const before = place.block === b.label ? place.at < at : graph.dominates(place.block, b.label);
          if (!before) c.fail(i, `the definition of %${id} does not dominate this use`);
        },
        words,
      );
    });
}
