// SPDX-License-Identifier: MIT
//
// Translates a Kernel module to OpenCL C, for drivers that accept no intermediate language. The text is OpenCL C 1.2 unless the
// module needs features of later versions.
import { copyArguments } from '../by-value';
import {
  AddressingModel,
  Capability,
  Decoration,
  ExecutionMode,
  Op,
  OpenCLStd,
  StorageClass,
} from '../grammar.gen';
import type { EntryPoint, FunctionDefinition, Id, Module } from '../module';
import { SpirvError } from '../spirv-error';
import type { Body } from './body';
import { Calls } from './calls';
import { functionBody } from './function';
import { kernelParameter } from './kernel-parameters';
import { Translation } from './translation';

export interface Source {
  readonly source: string;
  /** The options that clBuildProgram needs for it. */
  readonly options: string;
}

/**
 * Translates a module, specialized if it has specialization constants. Throws a SpirvError for an instruction that OpenCL C
 * cannot express. Addresses have the module's width: build the source only for devices with that width.
 */
export function toSource(module: Module): Source {
  if (module.addressing === AddressingModel.Logical)
    throw new SpirvError('OpenCL C has no way to express a module with logical addressing');
  return new Writer(copyArguments(module)).write();
}

const CAPABILITY_EXTENSIONS: Partial<Record<Capability, string>> = {
  [Capability.Float64]: 'cl_khr_fp64',
  [Capability.Float16]: 'cl_khr_fp16',
};

const NEED_VERSION_2: readonly Capability[] = [Capability.GenericPointer];

const VECTOR_HINTS = ['char', 'short', 'int', 'long', 'half', 'float', 'double'];

/** Names of functions that bodies call and OpenCL.std does not have. */
const BUILT_IN =
  /^((as|convert|get|atomic|atom|read|write|async|wait|sub_group|work_group|vload|vstore)_?.*|any|all|dot|max|min|clamp|abs|barrier|(read_|write_)?mem_fence|is(nan|inf|finite|normal|ordered|unordered|lessgreater)|signbit|mul24|mad24|upsample)$/;

class Writer {
  private readonly t: Translation;
  private readonly calls: Calls;

  constructor(private readonly module: Module) {
    this.t = new Translation(module);
    this.calls = new Calls(this.t.tables);
  }

  write(): Source {
    const { t, module } = this;
    const kernels = new Map<Id, EntryPoint[]>();
    for (const entry of module.entryPoints)
      kernels.set(entry.function, [...(kernels.get(entry.function) ?? []), entry]);
    const prototypes: string[] = [];
    const bodies: string[] = [];
    for (const f of module.functions) {
      const entries = kernels.get(f.definition.result);
      for (const entry of entries ?? []) bodies.push(this.kernel(f, entry));
      if (!entries) {
        const { head, body } = this.function(f);
        prototypes.push(`${head};\n`);
        if (body !== undefined) bodies.push(`${head} {\n${body}}\n`);
      }
    }
    const variables = this.variables();
    for (const capability of NEED_VERSION_2) if (module.capabilities.has(capability)) t.needVersion2();
    const parts = [
      ...this.pragmas().map((line) => `${line}\n`),
      ...t.types.forwards.map((line) => `${line}\n`),
      ...t.types.declarations.map((line) => `${line}\n`),
      ...t.constants.samplers.map((line) => `${line}\n`),
      ...variables,
      ...prototypes,
      ...bodies,
    ];
    return {
      source: parts.join(''),
      options: `-cl-std=${t.version2 ? 'CL3.0' : 'CL1.2'} -cl-kernel-arg-info`,
    };
  }

  private pragmas(): string[] {
    const { t, module } = this;
    for (const [capability, extension] of Object.entries(CAPABILITY_EXTENSIONS))
      if (module.capabilities.has(Number(capability))) t.extension(extension);
    const lines = [...t.extensions].map((name) => `#pragma OPENCL EXTENSION ${name} : enable`);
    const isOff =
      module.executionModes.some(({ mode }) => mode === ExecutionMode.ContractionOff) ||
      module.annotations.some((i) => i.op === Op.Decorate && i.operands[1] === Decoration.NoContraction);
    lines.push(`#pragma OPENCL FP_CONTRACT ${isOff ? 'OFF' : 'ON'}`);
    return lines;
  }

  /** Variables of program scope. */
  private variables(): string[] {
    const { t } = this;
    const lines: string[] = [];
    for (const i of this.module.globals) {
      if (i.op !== Op.Variable) continue;
      const storage = i.operands[0] as StorageClass;
      if (storage !== StorageClass.UniformConstant && storage !== StorageClass.CrossWorkgroup) continue;
      const type = t.types.pointee(i.type);
      // Samplers are used by the names of their constants.
      if (t.tables.definition(type).op === Op.TypeSampler) continue;
      if (storage === StorageClass.CrossWorkgroup) t.needVersion2();
      const name = t.variableName(i.result);
      const [, initializer] = i.operands;
      const isImport = t.tables.linkage(i.result)?.imported;
      const value = initializer === undefined ? '' : ` = ${t.constants.initializer(initializer as Id)}`;
      lines.push(
        `${isImport ? 'extern ' : ''}${t.types.name(type)} ${t.types.space(storage)} ${name}${this.alignment(i.result, type)}${isImport ? '' : value};\n`,
      );
    }
    return lines;
  }

  private alignment(variable: Id, type: Id): string {
    const align = this.t.tables.decoration(variable, Decoration.Alignment)?.[0] ?? 0;
    return align > this.t.types.align(type) ? ` __attribute__((aligned(${align})))` : '';
  }

  private function(f: FunctionDefinition): { head: string; body: string | undefined } {
    const { t, calls } = this;
    const id = f.definition.result;
    const parameters = f.parameters.map((p) => `${t.types.name(p.type)} _v${p.result}`);
    const locals = [...calls.localsOf(id)].map(
      (local) => `${t.types.name(t.tables.definition(local).type)} _v${local}`,
    );
    const all = [...parameters, ...locals];
    const head = `${calls.isStatic(id) ? 'static ' : ''}${t.types.name(f.definition.type)} ${calls.nameOf(id)}(${all.length > 0 ? all.join(', ') : 'void'})`;
    if (f.blocks.length === 0) return { head, body: undefined };
    const bind = (body: Body) => {
      for (const p of f.parameters) body.alias(p.result, `_v${p.result}`);
    };
    return { head, body: functionBody(t, calls, f, bind) };
  }

  private kernel(f: FunctionDefinition, entry: EntryPoint): string {
    const { t } = this;
    const id = f.definition.result;
    const names = this.parameterNames(f);
    const parameters = f.parameters.map((p, at) => kernelParameter(t, entry.name, p, names[at]!, at));
    const body = functionBody(t, this.calls, f, (target) => {
      for (const [at, p] of f.parameters.entries()) target.alias(p.result, parameters[at]!.value);
    });
    const locals = [...this.calls.localsOf(id)].map((local) => this.localVariable(local));
    const list = parameters.map(({ declaration }) => declaration).join(', ');
    return `${this.attributes(id, entry.name)}kernel void ${entry.name}(${list}) {\n${locals.join('')}${body}}\n`;
  }

  /** The parameters' own names, unless these hide a function that the body calls. */
  private parameterNames(f: FunctionDefinition): string[] {
    return f.parameters.map((p) => {
      const name = this.t.tables.names.get(p.result) ?? '';
      const free =
        /^[A-Za-z_]\w*$/.test(name) &&
        !/^_[a-z]*\d+$/.test(name) &&
        !(name in OpenCLStd) &&
        !BUILT_IN.test(name);
      return free ? name : `${name.replace(/\W/g, '_') || `arg${p.result}`}_`;
    });
  }

  private localVariable(id: Id): string {
    const { t } = this;
    const { type } = t.tables.definition(id);
    const pointee = t.types.pointee(type);
    const name = `_m${id}`;
    const declaration = `${t.types.name(pointee)} local ${name}${this.alignment(id, pointee)};`;
    return `  ${declaration}\n  ${t.types.name(type)} _v${id} = &${name};\n`;
  }

  private attributes(kernel: Id, name: string): string {
    const found: string[] = [];
    for (const { function: id, mode, operands, ids } of this.module.executionModes) {
      if (id !== kernel) continue;
      const values = ids ? operands.map((value) => this.t.tables.integer(value)) : operands;
      switch (mode) {
        case ExecutionMode.LocalSize:
        case ExecutionMode.LocalSizeId:
          found.push(`reqd_work_group_size(${values.join(', ')})`);
          break;
        case ExecutionMode.LocalSizeHint:
        case ExecutionMode.LocalSizeHintId:
          found.push(`work_group_size_hint(${values.join(', ')})`);
          break;
        case ExecutionMode.VecTypeHint: {
          const count = operands[0]! >>> 16;
          const signed = `${VECTOR_HINTS[operands[0]! & 0xffff]}${count > 1 ? count : ''}`;
          const [written = signed] = this.t.tables.argumentStrings('vec_type_hint', name);
          found.push(`vec_type_hint(${written})`);
          break;
        }
        case ExecutionMode.SubgroupSize:
          found.push(`intel_reqd_sub_group_size(${values.join(', ')})`);
          break;
        default:
          // Build options control rounding and denormals, a pragma controls contraction.
          break;
      }
    }
    return found.length > 0 ? `__attribute__((${found.join(', ')}))\n` : '';
  }
}
