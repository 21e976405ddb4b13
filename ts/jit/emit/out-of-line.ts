// SPDX-License-Identifier: MIT
//
// Functions that are kept out of line. A module has a scalar form that it calls for single work-items. Where it calls it for
// vectors, there is a second form that calls the scalar one for each active lane of four: such functions are rare cases, so small
// code matters more than vector code.
import { CHECK_CALLS, type CheckCall, checkImportOf, nameOfCheck } from '../../base/checks';
import { invariant } from '../../base/invariant';
import { finish } from '../../base/steps';
import { FunctionBuilder, ValType } from '../../wasm/function-builder';
import type { ModuleBuilder } from '../../wasm/module-builder';
import { type Func, Op, Type } from '../ir/ir';
import type { KernelPlan } from '../vectorize/kernel-plan';
import { VectorPlan } from '../vectorize/plan';
import { type Callees, LANES, vectorsOf } from './calls';
import { WASM_TARGET } from './target';
import { extractOf, replaceOf, valTypeOf } from './value-types';
import { Variant } from './variant';

/** The first parameter. The source's parameters follow, and in the vector form the mask. */
const DISPATCH_BLOCK = 0;

/** The functions that one module's code calls, emitted on first use. */
export class OutOfLine implements Callees {
  private readonly scalars = new Map<Func, number>();
  private readonly vectors = new Map<Func, number>();

  private readonly clockImport: number | undefined;
  private readonly checkImports = new Map<string, number>();

  /** Must be created before the module's first function is declared, because imports come first. */
  constructor(
    private readonly module: ModuleBuilder,
    private readonly code: KernelPlan,
  ) {
    if (code.readsClock) this.clockImport = module.importFunction('env', 'clock', [], [ValType.I64]);
    for (const [name, { call }] of code.checkCalls) {
      const { parameters, result } = CHECK_CALLS[call];
      const results = result ? [ValType.I32] : [];
      const types = parameters.map((type) => (type === 'i64' ? ValType.I64 : ValType.I32));
      this.checkImports.set(name, module.importFunction('check', name, [ValType.I32, ...types], results));
    }
  }

  clock(): number {
    invariant(this.clockImport !== undefined, 'code reads a clock that its plan does not know of');
    return this.clockImport;
  }

  check(call: CheckCall, site: number): number {
    const index = this.checkImports.get(nameOfCheck(checkImportOf(call, site)));
    invariant(index !== undefined, 'code calls a check that its plan does not know of');
    return index;
  }

  scalar(callee: Func): number {
    const known = this.scalars.get(callee);
    if (known !== undefined) return known;
    const f = scalarFunction(this.code.callees.get(callee)!, this);
    return this.add(this.scalars, callee, f);
  }

  vector(callee: Func): number {
    const known = this.vectors.get(callee);
    return known ?? this.add(this.vectors, callee, vectorFunction(callee, this.scalar(callee)));
  }

  private add(known: Map<Func, number>, callee: Func, f: FunctionBuilder): number {
    const index = this.module.declare(f.params, f.results);
    this.module.define(index, f);
    known.set(callee, index);
    return index;
  }
}

function scalarFunction(code: KernelPlan, callees: Callees): FunctionBuilder {
  const { params, result, name } = code.func;
  // It has no position in an ND-range: its only parameter of a kernel's is the dispatch block.
  const none = DISPATCH_BLOCK;
  const at = { dispatch: DISPATCH_BLOCK, local: none, scratch: none, group: [none, none, none] } as const;
  const v = new Variant(new VectorPlan(code, 1, 1, WASM_TARGET), {
    params: [ValType.I32, ...params.map(valTypeOf)],
    results: [valTypeOf(result)],
    at,
    items: [none, none, none],
    callees,
  });
  invariant(v.privateBytes === 0, `'${name}' is kept out of line, but needs private memory`);
  const { c } = v;
  for (const inst of code.func.entry.insts)
    if (inst.op === Op.Parameter) c.registers[inst.id] = [DISPATCH_BLOCK + 1 + inst.facts.index!];
  v.prologue();
  const returned = c.f.local(valTypeOf(result));
  finish(
    v.region(code.regions.list[0]!, {
      leave: ({ terminator }) => {
        c.scalar(terminator.operands[0]!, 0);
        c.f.set(returned);
      },
    }),
  );
  c.f.get(returned);
  return c.f;
}

const vectors = (count: number) => Array.from({ length: count }, () => ValType.V128);

function vectorFunction({ params, result }: Func, scalar: number): FunctionBuilder {
  const count = params.reduce((sum, type) => sum + vectorsOf(type), 0);
  const f = new FunctionBuilder([ValType.I32, ...vectors(count + 1)], vectors(vectorsOf(result)));
  const mask = DISPATCH_BLOCK + 1 + count;
  const returned = f.results.map((type) => f.local(type));
  const lanes = LANES / returned.length;
  for (let lane = 0; lane < LANES; lane++) {
    f.get(mask);
    f.lane(extractOf(Type.I32), lane);
    f.if_();
    const local = returned[Math.floor(lane / lanes)]!;
    f.get(local);
    f.get(DISPATCH_BLOCK);
    let at = DISPATCH_BLOCK + 1;
    for (const type of params) {
      const lanesOfOne = LANES / vectorsOf(type);
      f.get(at + Math.floor(lane / lanesOfOne));
      f.lane(extractOf(type), lane % lanesOfOne);
      at += vectorsOf(type);
    }
    f.call(scalar);
    f.lane(replaceOf(result), lane % lanes);
    f.set(local);
    f.end();
  }
  for (const local of returned) f.get(local);
  return f;
}
