// SPDX-License-Identifier: MIT
//
// Lowers a call of every overload in the table and has spirv-val check the modules.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Builder } from '../../../spirv/builder';
import { encode } from '../../../spirv/encode';
import { Decoration, Op, StorageClass } from '../../../spirv/grammar.gen';
import { type Id, NO_ID } from '../../../spirv/module';
import type { BuiltinCall } from '../../frontend/ast/checked';
import type { ResolvedBuiltin } from '../../frontend/builtins/builtin';
import { expand } from '../../frontend/builtins/expand';
import { resolve } from '../../frontend/builtins/index';
import { FAMILIES } from '../../frontend/builtins/table';
import { conversionRows } from '../../frontend/builtins/tables/conversions';
import type { LanguageOptions } from '../../frontend/language';
import {
  type BlockType,
  opaqueOf,
  type PipeType,
  pointerTo,
  type QualType,
  type ScalarKind,
  scalarOf,
  type Type,
  VOID,
  vectorOf,
} from '../../frontend/types';
import { TypeLowering } from '../types';
import { type BuiltinHost, lowerBuiltin } from './index';

const VALIDATOR = spawnSync('spirv-val', ['--version']).status === 0;

const language = { version: 300, addressBits: 32, features: new Set() } as unknown as LanguageOptions;

/** Builds one function for each overload, which calls it with the function's parameters. */
class Module {
  readonly builder = new Builder({ addressBits: 32, version: 0x10400 });
  private readonly types = new TypeLowering(this.builder);
  private readonly host: BuiltinHost;
  private invoke: Id = NO_ID;

  constructor() {
    const b = this.builder;
    const variables = new Map<string, Id>();
    this.host = {
      builder: b,
      language,
      typeOf: (type) => this.types.value(type),
      sizeOf: (type) => this.types.layout(type).size,
      alignOf: (type) => this.types.layout(type).align,
      builtInValue: (builtIn, type) => {
        const key = `${builtIn} ${type}`;
        let variable = variables.get(key);
        if (variable === undefined) {
          variable = b.globalVariable(b.pointer(StorageClass.Input, type));
          b.decorate(variable, Decoration.BuiltIn, builtIn);
          variables.set(key, variable);
        }
        return b.emit(Op.Load, type, [variable]);
      },
      allowFastMath: () => {},
      block: () => ({
        invoke: this.invoke,
        context: b.constantNull(b.pointer(StorageClass.Generic, b.int(8))),
        size: 4,
        align: 4,
      }),
    };
    const context = b.pointer(StorageClass.Generic, b.int(8));
    const local = b.pointer(StorageClass.Workgroup, b.int(8));
    this.invoke = b.id();
    b.beginFunction(this.invoke, b.void(), [context, local]);
    b.label();
    b.terminate(Op.Return, []);
    b.endFunction();
  }

  call(builtin: ResolvedBuiltin): void {
    const b = this.builder;
    const blocks = builtin.parameters.map((type) => type.kind === 'block');
    const types = builtin.parameters.filter((_, i) => !blocks[i]).map((type) => this.types.value(type));
    const ids = [...b.beginFunction(b.id(), this.types.value(builtin.result), types)];
    b.label();
    const args = blocks.map((isBlock) => (isBlock ? NO_ID : ids.shift()!));
    // A cluster's size must be a constant.
    if (builtin.name.includes('clustered')) args[args.length - 1] = b.constantInt(b.int(32), 4);
    const call = { kind: 'builtin-call', builtin, arguments: [], contract: true } as unknown as BuiltinCall;
    const value = lowerBuiltin(this.host, call, args);
    if (value === NO_ID || builtin.result.kind === 'void') b.terminate(Op.Return, []);
    else b.terminate(Op.ReturnValue, [value]);
    b.endFunction();
  }
}

function complaints(module: Module, folder: string): string {
  const file = join(folder, 'module.spv');
  module.builder.capability(5); // Linkage: there are no entry points
  writeFileSync(file, encode(module.builder.module));
  const { status, stdout, stderr } = spawnSync('spirv-val', ['--target-env', 'spv1.6', file], {
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${stdout}${stderr}`.trim();
}

const families = FAMILIES.map(
  (family) =>
    [
      family.title,
      family.rows().flatMap((row) => row.names.split(' ').flatMap((name) => expand(name, row, 32))),
    ] as const,
);

const SCALARS: ScalarKind[] = [
  'char',
  'uchar',
  'short',
  'ushort',
  'int',
  'uint',
  'long',
  'ulong',
  'half',
  'float',
  'double',
];
const WIDTHS = ['', '2', '3', '4', '8', '16'];
const typeNames = SCALARS.flatMap((scalar) => WIDTHS.map((width) => `${scalar}${width}`));

const conversions = typeNames.flatMap((type) =>
  ['', '_sat'].flatMap((sat) =>
    ['', '_rte', '_rtz', '_rtp', '_rtn'].flatMap((rounding) => {
      const name = `convert_${type}${sat}${rounding}`;
      return conversionRows(name).flatMap((row) => expand(name, row, 32));
    }),
  ),
);

/**
 * The environment specification has Lod on OpImageWrite (cl_khr_mipmap_image_writes); spirv-val knows it of
 * OpImageFetch only.
 */
const writesMipLevel = (builtin: ResolvedBuiltin): boolean =>
  builtin.name.startsWith('write_image') && builtin.parameters.length === 4;

const describeWithValidator = VALIDATOR ? describe : describe.skip;

test('the motion estimation is lowered', () => {
  const module = new Module();
  const overloads = families.find(([title]) => title.includes('motion_estimation'))![1];
  for (const { builtin } of overloads) module.call(builtin);
  expect(module.builder.module.extensions).toContain('SPV_INTEL_device_side_avc_motion_estimation');
  expect(overloads).toHaveLength(148);
});

describeWithValidator('spirv-val accepts the lowering of every overload', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'anycl-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  // spirv-val does not accept the motion estimation's types as types.
  const validated = families.filter(([title]) => !title.includes('motion_estimation'));

  test.each([...validated, ['Conversions', conversions] as const])('%s', (_title, overloads) => {
    const module = new Module();
    for (const { builtin } of overloads) if (!writesMipLevel(builtin)) module.call(builtin);
    expect(complaints(module, folder)).toBe('');
  });

  test('Reinterpretations, pointers, pipes, blocks', () => {
    const module = new Module();
    const all = { ...language, features: { has: () => true } } as unknown as LanguageOptions;
    let calls = 0;
    const call = (name: string, ...types: Type[]) => {
      const args = types.map((type) => ({ type, isNull: false, isIntegerConstant: false }));
      const resolution = resolve(name, args, all);
      if (!resolution.ok) throw new Error(`${name}: ${JSON.stringify(resolution)}`);
      module.call(resolution.builtin);
      calls++;
    };
    const typeOf = (name: string): Type => {
      const [, scalar = '', width = ''] = /^([a-z]+)(\d*)$/.exec(name)!;
      const kind = scalar as ScalarKind;
      return width === '' ? scalarOf(kind) : vectorOf(kind, Number(width) as 2);
    };
    for (const name of typeNames)
      for (const from of typeNames) {
        const arg = { type: typeOf(from), isNull: false, isIntegerConstant: false };
        if (resolve(`as_${name}`, [arg], all).ok) call(`as_${name}`, arg.type);
      }
    const at = (type: Type, space: QualType['space']) =>
      pointerTo({ type, const: false, volatile: false, restrict: false, space }, space);
    const float4 = vectorOf('float', 4);
    for (const name of ['to_global', 'to_local', 'to_private']) call(name, at(float4, 'generic'));
    for (const [verb, access] of [
      ['read', 'read_only'],
      ['write', 'write_only'],
    ] as const) {
      const pipe: PipeType = { kind: 'pipe', packet: float4, access };
      const [id, uint] = [opaqueOf('reserve_id_t'), scalarOf('uint')];
      call(`${verb}_pipe`, pipe, at(float4, 'private'));
      call(`${verb}_pipe`, pipe, id, uint, at(float4, 'global'));
      for (const group of ['', 'work_group_', 'sub_group_']) {
        call(`${group}reserve_${verb}_pipe`, pipe, uint);
        call(`${group}commit_${verb}_pipe`, pipe, id);
      }
      call('get_pipe_num_packets', pipe);
      call('get_pipe_max_packets', pipe);
    }
    const parameter: QualType = {
      type: at(VOID, 'local'),
      const: false,
      volatile: false,
      restrict: false,
      space: 'private',
    };
    const block: BlockType = {
      kind: 'block',
      signature: { kind: 'function', result: VOID, parameters: [parameter], variadic: false },
    };
    const [queue, range, event] = [opaqueOf('queue_t'), opaqueOf('ndrange_t'), opaqueOf('clk_event_t')];
    const [int, uint] = [scalarOf('int'), scalarOf('uint')];
    call('enqueue_kernel', queue, int, range, block, uint);
    call('enqueue_kernel', queue, int, range, uint, at(event, 'private'), at(event, 'private'), block, uint);
    call('get_kernel_work_group_size', block);
    call('get_kernel_preferred_work_group_size_multiple', block);
    call('get_kernel_max_sub_group_size_for_ndrange', range, block);
    call('get_kernel_sub_group_count_for_ndrange', range, block);
    expect(complaints(module, folder)).toBe('');
    expect(calls).toBeGreaterThan(500);
  });
});
