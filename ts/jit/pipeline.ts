// SPDX-License-Identifier: MIT
//
// The whole order of the JIT, from a kernel's SPIR-V to WebAssembly: `kernelSteps`. The passes of each stage are lists in
// pass-lists.ts.
import type { CounterTable } from '../base/coverage';
import { endOfWords, type KernelBinary, type KernelSignature, subGroupSizeOf } from '../base/kernel-abi';
import { finish, LONG, type Steps } from '../base/steps';
import { Analyses } from './analyses/analyses';
import { DIVERGENCE } from './analyses/divergence';
import { launchFacts } from './analyses/launch-facts';
import type { MemoryNames } from './checks/table';
import type { JitOptions, KernelTrace } from './compiled';
import { WASM_TARGET } from './emit/target';
import { guardSteps } from './guard-accesses';
import { type Func, type Inst, Op } from './ir/ir';
import { print } from './ir/print';
import { calleesOf } from './ir/rewrite';
import { kernelBinary } from './kernel-binary';
import { type PassContext, passSteps, runPasses } from './pass';
import {
  BODY_PASSES,
  ONE_LANE_PASSES,
  PREPARE_PASSES,
  RANGE_PASSES,
  SCALAR_PASSES,
  SEVERAL_LANES_PASSES,
  VECTOR_PASSES,
} from './pass-lists';
import { endOfArguments, privatizedArguments } from './passes/privatize-atomics';
import type { ConstantMemory } from './passes/simplify';
import { type KernelPlan, planKernel } from './vectorize/kernel-plan';
import { VectorPlan } from './vectorize/plan';
import { printPlan } from './vectorize/print-plan';
import { runsByGroups, usesSubGroups } from './vectorize/sub-groups';
import { chooseTile } from './vectorize/tile';

/** A kernel as the front end creates it. */
interface TranslatedKernel {
  readonly func: Func;
  readonly signature: KernelSignature;
  /** For checked runs. */
  readonly names?: MemoryNames;
  readonly counters?: CounterTable;
}

/** The input of the compilation. */
export interface Compilation {
  /** The front end. Compilation changes the IR that it returns, which nothing else may use. */
  readonly translate: () => TranslatedKernel;
  readonly constants?: ConstantMemory;
  readonly options: JitOptions;
  readonly trace?: KernelTrace;
}

/** Compiles a kernel. */
export const compileKernel = (compilation: Compilation): KernelBinary => finish(kernelSteps(compilation));

/** Compiles a kernel in steps: the passes, and what follows them. */
export function* kernelSteps(compilation: Compilation): Steps<KernelBinary> {
  const { translate, options, trace = {} } = compilation;
  const { engine } = options;

  // 1. The front end: one function of IR, into which calls are inlined where that pays.
  yield LONG;
  const { func, signature, names, counters } = translate();
  func.separate = options.separate === true;
  const context = passContext(compilation, signature);
  yield;

  // 2. Checked runs and robust access: checks or bounds for each access, before any pass moves or removes one.
  const guards = yield* guardSteps({ func, signature, options, ...(names && { names }) }, context, trace);
  const isChecked = guards.checks !== undefined;

  // 3. Scalar passes: reduce the operations of one work-item.
  yield* scalarSteps(func, context, trace);
  trace.stage?.('ir', textOf(func));
  const facts = launchFacts(func);
  const privatized = privatizedArguments(func, signature);
  const zeroesLocal = options.zeroed?.local === true && hasLocalMemory(signature);

  // 4. Preparation: the control flow that vectorization requires, narrow arithmetic, strength reduction of addresses, regions
  //    between barriers. Then vector passes: wider and fewer operations. Functions that are called out of line go through the
  //    same passes, although they run one work-item at a time.
  const analyses = new Analyses(func);
  if (mayInterchange(signature, options)) yield* passSteps(RANGE_PASSES, analyses, context, trace);
  yield* passSteps([...PREPARE_PASSES, ...VECTOR_PASSES], analyses, context, trace);
  const callees = new Map<Func, KernelPlan>();
  for (const callee of calleesOf(func)) {
    const own = new Analyses(callee);
    yield* passSteps([...PREPARE_PASSES, ...VECTOR_PASSES], own, context, trace);
    callees.set(callee, planKernel(own, { signature, engine, callees }));
  }
  yield;

  // 5. The tile: how many work-items go into a vector, and how many rows of them into one pass of the code.
  const tile = chooseTile(func, analyses.get(DIVERGENCE), {
    ...options,
    ...(isChecked ? ONE_ITEM : {}),
    ...groupConstraints(func, signature),
  });
  const { lanes, rows } = tile;
  if (lanes > 1) yield* passSteps(SEVERAL_LANES_PASSES, analyses, { ...context, lanes, rows }, trace);
  else if (!runsByGroups(func) && !isChecked) yield* passSteps(ONE_LANE_PASSES, analyses, context, trace);
  trace.stage?.('ir-vectorized', textOf(func));

  // 6. The plan: every decision that the emitter follows.
  const soleWritesAt = tile.lanes > 1 ? endOfWords(endOfArguments(signature), privatized) : undefined;
  const plan = planKernel(analyses, {
    signature,
    engine,
    wide: tile.wide,
    callees,
    zeroesLocal,
    ...(soleWritesAt === undefined ? {} : { soleWritesAt }),
  });
  trace.stage?.('plan', printPlan(new VectorPlan(plan, tile.lanes, tile.rows, WASM_TARGET)));

  // 7. Emission (emit/module.ts), when a launch requests a module: most launches need one of four.
  return kernelBinary({ signature, counters, plan, tile, facts, privatized, guards });
}

/** Runs the scalar passes on a function, and on the functions that it still calls afterwards. */
export const optimize = (func: Func, context: PassContext, trace: KernelTrace = {}): void =>
  finish(scalarSteps(func, context, trace));

function* scalarSteps(func: Func, context: PassContext, trace: KernelTrace): Steps<void> {
  yield* passSteps(SCALAR_PASSES, new Analyses(func), context, trace);
  for (const callee of calleesOf(func)) yield* passSteps(SCALAR_PASSES, new Analyses(callee), context, trace);
}

/** Simplifies a library function that a kernel calls many times (frontend/library-bodies.ts). */
export function simplifyBody(body: Func, context: PassContext, trace: KernelTrace = {}): void {
  runPasses(BODY_PASSES, new Analyses(body), context, trace.check ? { check: true } : {});
}

/** Whether nothing but the kernel's code depends on the order of the dimensions. */
function mayInterchange(
  { requiredLocalSize, enqueues }: KernelSignature,
  { interchange, checks, robust, watched, coverage, localSize }: JitOptions,
): boolean {
  return (
    interchange !== false &&
    !(requiredLocalSize || enqueues || checks || robust || watched || coverage || localSize)
  );
}

function passContext({ constants, options }: Compilation, signature: KernelSignature): PassContext {
  const { engine, mostRegions } = options;
  return {
    signature,
    fuse: engine.relaxedSimd,
    fusedMultiplyAdd: engine.fusedMultiplyAdd === true,
    ...(constants && { constants }),
    ...(mostRegions !== undefined && { mostRegions }),
  };
}

/** A checked kernel's tile, unless it uses sub-groups. */
const ONE_ITEM = { lanes: 1, rows: 1 } as const;

/** The constraints of a kernel's group operations on its tiles. */
function groupConstraints(func: Func, signature: KernelSignature): { lanes?: number; rows?: number } {
  if (usesSubGroups(func)) return { lanes: subGroupSizeOf(signature), rows: 1 };
  return func.blocks.some((b) => b.insts.some(isScan)) ? { rows: 1 } : {};
}

/** Scans visit work-items in the order of their linear ids: row by row. */
function isScan(inst: Inst): boolean {
  return inst.op === Op.GroupScanInclusive || inst.op === Op.GroupScanExclusive;
}

function hasLocalMemory({ staticLocalBytes, arguments: args }: KernelSignature): boolean {
  return staticLocalBytes > 0 || args.some(({ kind }) => kind === 'local');
}

function textOf(func: Func): string {
  return [func, ...calleesOf(func)].map((f) => print(f)).join('\n');
}
