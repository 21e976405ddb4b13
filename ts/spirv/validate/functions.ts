// SPDX-License-Identifier: MIT
//
// Functions, calls, entry points, execution modes (2.4, 3.42.9).
import {
  AddressingModel,
  Capability,
  Decoration,
  ExecutionMode,
  ExecutionModel,
  LinkageType,
  MemoryModel,
  Op,
} from '../grammar.gen';
import { readString } from '../literal-string';
import type { FunctionDefinition, Id } from '../module';
import type { Context } from './context';

export function checkFunctions(c: Context): void {
  const entries = new Set(c.module.entryPoints.map((e) => e.function));
  for (const f of c.module.functions) checkFunction(c, f, entries);
  checkEntryPoints(c);
  checkLinkage(c);
}

function checkFunction(c: Context, f: FunctionDefinition, entries: ReadonlySet<Id>): void {
  const { definition, parameters } = f;
  const type = c.find(definition.operands[1]!);
  if (type?.op !== Op.TypeFunction) c.fail(definition, 'its function type is an OpTypeFunction');
  if (type.operands[0] !== definition.type) c.fail(definition, "its result type is its function type's");
  if (type.operands.length - 1 !== parameters.length)
    c.fail(definition, `its type has ${type.operands.length - 1} parameters, it has ${parameters.length}`);
  parameters.forEach((p, at) => {
    if (p.type !== type.operands[at + 1])
      c.fail(p, `parameter ${at + 1} does not have the type of the function's type`);
  });
  for (const b of f.blocks)
    for (const i of b.instructions) {
      if (i.op === Op.Return && c.type(definition.type).op !== Op.TypeVoid)
        c.fail(i, 'a function with a result returns a value');
      if (i.op === Op.ReturnValue && c.typeOf(i.operands[0]!) !== definition.type)
        c.fail(i, "the value's type is the function's result type");
      if (i.op !== Op.FunctionCall) continue;
      const callee = c.functions.get(i.operands[0]! as Id);
      if (!callee) c.fail(i, `%${i.operands[0]} is not a function`);
      if (callee.definition.type !== i.type) c.fail(i, "its result type is the callee's");
      if (callee.parameters.length !== i.operands.length - 1)
        c.fail(i, `the callee takes ${callee.parameters.length} arguments, not ${i.operands.length - 1}`);
      callee.parameters.forEach((p, at) => {
        if (c.typeOf(i.operands[at + 1]!) !== p.type)
          c.fail(i, `argument ${at + 1} has another type than the parameter`);
      });
      if (entries.has(callee.definition.result)) c.fail(i, `an entry point cannot be called`);
    }
}

function checkEntryPoints(c: Context): void {
  const { module } = c;
  if (module.entryPoints.length === 0 && !module.capabilities.has(Capability.Linkage))
    c.fail(undefined, 'a module has an entry point, or the capability Linkage');
  const names = new Set<string>();
  for (const e of module.entryPoints) {
    const f = c.functions.get(e.function);
    const fail: (rule: string) => never = (rule) => c.fail(undefined, `entry point '${e.name}': ${rule}`);
    if (!f || f.blocks.length === 0) fail(`%${e.function} is not a function with a body`);
    if (e.model !== ExecutionModel.Kernel)
      fail(`its execution model is Kernel, not ${ExecutionModel[e.model] ?? e.model}`);
    if (c.type(f.definition.type).op !== Op.TypeVoid) fail('its function returns void');
    if (names.has(e.name)) fail('the name is used twice');
    names.add(e.name);
  }
  const functions = new Set(module.entryPoints.map((e) => e.function));
  for (const m of module.executionModes) {
    if (!functions.has(m.function))
      c.fail(undefined, `OpExecutionMode ${ExecutionMode[m.mode]}: %${m.function} is not an entry point`);
    if (ExecutionMode[m.mode] === undefined) c.fail(undefined, `OpExecutionMode: ${m.mode} is not a mode`);
    if (m.ids)
      for (const id of m.operands)
        if (!c.isConstant(id)) c.fail(undefined, `OpExecutionModeId: %${id} is not a constant`);
  }
}

/** The models that OpenCL has; functions and variables without a definition are imports. */
function checkLinkage(c: Context): void {
  const { module } = c;
  if (module.memoryModel !== MemoryModel.OpenCL)
    c.fail(
      undefined,
      `OpMemoryModel: the memory model is OpenCL, not ${MemoryModel[module.memoryModel] ?? module.memoryModel}`,
    );
  if (module.addressing !== AddressingModel.Physical32 && module.addressing !== AddressingModel.Physical64)
    c.fail(
      undefined,
      `OpMemoryModel: the addressing model is Physical32 or Physical64, not ${AddressingModel[module.addressing] ?? module.addressing}`,
    );
  const imports = new Set<number>();
  for (const i of module.annotations) {
    if (i.op !== Op.Decorate || i.operands[1] !== Decoration.LinkageAttributes) continue;
    const name = readString(i.operands, 2);
    if (name && i.operands[name.next] === LinkageType.Import) imports.add(i.operands[0]!);
  }
  for (const f of module.functions) {
    const imported = imports.has(f.definition.result);
    if (f.blocks.length === 0 && !imported)
      c.fail(f.definition, 'a function without a body is decorated as an import');
    if (f.blocks.length > 0 && imported) c.fail(f.definition, 'an import has no body');
  }
  for (const i of module.globals)
    if (i.op === Op.Variable && i.operands.length > 1 && imports.has(i.result))
      c.fail(i, 'an import has no initializer');
}
