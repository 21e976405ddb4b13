// SPDX-License-Identifier: MIT
//
// Built-ins whose type depends on their arguments in a way that no list of overloads says: as_TYPE, to_global and its
// kind, pipes, and those that take blocks.
import type { LanguageOptions } from '../language';
import { scalarSize } from '../scalars';
import {
  type AddressSpace,
  type BlockType,
  opaqueOf,
  type PipeType,
  pointerTo,
  type QualType,
  type ScalarKind,
  sameType,
  scalarOf,
  type Type,
  type VectorType,
  VOID,
  vectorOf,
} from '../types';
import { available, describeNeeds } from './availability';
import type { ArgumentType, Lowering, Resolution } from './builtin';
import { convert } from './convert';
import { spell } from './prototype';
import { reinterpretedType } from './tables/conversions';

type Resolver = (name: string, args: readonly ArgumentType[], language: LanguageOptions) => Resolution;
interface Special {
  readonly when: string | undefined;
  readonly resolve: Resolver;
}

const INT = scalarOf('int');
const UINT = scalarOf('uint');
const EVENT = opaqueOf('clk_event_t');
const RESERVE_ID = opaqueOf('reserve_id_t');
const QUEUE = opaqueOf('queue_t');
const NDRANGE = opaqueOf('ndrange_t');

const found = (name: string, result: Type, parameters: readonly Type[], lowering: Lowering): Resolution => ({
  ok: true,
  builtin: { name, result, parameters, variadic: false, lowering },
});
const refused = (prototype: string, reason: string, argument?: number): Resolution => ({
  ok: false,
  problem: 'no-match',
  candidates: [{ prototype, reason }],
  ...(argument !== undefined && { argument }),
});
const custom = (name: string, data?: string): Lowering =>
  data === undefined ? { kind: 'custom', name } : { kind: 'custom', name, data };

const unqualified = (type: Type, space: AddressSpace): QualType => ({
  type,
  const: false,
  volatile: false,
  restrict: false,
  space,
});

// ---- as_TYPE

/** Size in bytes, three components counting as four; undefined for types that cannot be reinterpreted. */
function sizeOf(type: Type, language: LanguageOptions): number | undefined {
  if (type.kind === 'scalar') return scalarSize(type.scalar);
  if (type.kind === 'enum') return scalarSize(type.underlying.scalar);
  if (type.kind === 'vector') return scalarSize(type.element.scalar) * (type.count === 3 ? 4 : type.count);
  return type.kind === 'pointer' ? language.addressBits / 8 : undefined;
}

function typeOfWord(word: string, addressBits: 32 | 64): Type {
  const wide = addressBits === 64;
  if (word === 'size_t' || word === 'uintptr_t') return scalarOf(wide ? 'ulong' : 'uint');
  if (word === 'ptrdiff_t' || word === 'intptr_t') return scalarOf(wide ? 'long' : 'int');
  const [, element = '', width = ''] = /^([a-z]+)(\d*)$/.exec(word) ?? [];
  return width === ''
    ? scalarOf(element as ScalarKind)
    : vectorOf(element as ScalarKind, Number(width) as VectorType['count']);
}

const reinterpret =
  (word: string): Resolver =>
  (name, args, language) => {
    const result = typeOfWord(word, language.addressBits);
    const prototype = `${spell(result)} ${name}(type of the same size)`;
    const [arg] = args;
    if (args.length !== 1 || arg === undefined)
      return refused(prototype, `requires 1 argument, but ${args.length} were provided`);
    const [from, to] = [sizeOf(arg.type, language), sizeOf(result, language)];
    if (from !== to)
      return refused(prototype, `'${spell(arg.type)}' and '${spell(result)}' are not of the same size`);
    return found(name, result, [arg.type], custom('astype'));
  };

// ---- pointers

const toSpace =
  (space: AddressSpace): Resolver =>
  (name, args) => {
    const prototype = `__${space} T *${name}(T *)`;
    const [arg] = args;
    if (args.length !== 1 || arg === undefined)
      return refused(prototype, `requires 1 argument, but ${args.length} were provided`);
    if (arg.type.kind !== 'pointer' || arg.type.space === 'constant')
      return refused(prototype, `no known conversion from '${spell(arg.type)}' to a generic pointer`);
    const { pointee } = arg.type;
    const parameter = pointerTo({ ...pointee, space: 'generic' }, 'generic');
    return found(name, pointerTo({ ...pointee, space }, space), [parameter], custom('to_space', space));
  };

// ---- pipes

/** A pipe function's parameters after the pipe; `packet` is a pointer to the pipe's packet type. */
type PipeParameter = 'packet' | 'id' | 'uint';
const PIPE_TYPES = { id: RESERVE_ID, uint: UINT } as const;

function pipeFunction(
  access: PipeType['access'] | undefined,
  result: Type,
  forms: readonly (readonly PipeParameter[])[],
  operation: string,
): Resolver {
  return (name, args) => {
    const words = (form: readonly PipeParameter[]) => ['pipe T', ...form].join(', ').replace('packet', 'T *');
    const prototype = forms.map((form) => `${spell(result)} ${name}(${words(form)})`).join(' or ');
    const form = forms.find((f) => f.length + 1 === args.length);
    if (form === undefined)
      return refused(prototype, `the number of arguments does not fit: ${args.length} were provided`);
    const pipe = args[0]!.type;
    if (pipe.kind !== 'pipe') return refused(prototype, 'the first argument must be a pipe');
    if (access !== undefined && pipe.access !== access)
      return refused(prototype, `the pipe must be ${access}, but is ${pipe.access}`);
    const parameters: Type[] = [pipe];
    for (const [i, kind] of form.entries()) {
      const arg = args[i + 1]!;
      if (kind === 'packet') {
        const fits = arg.type.kind === 'pointer' && sameType(arg.type.pointee.type, pipe.packet);
        if (!fits)
          return refused(
            prototype,
            `expected a pointer to '${spell(pipe.packet)}', not '${spell(arg.type)}'`,
          );
        parameters.push(arg.type);
        continue;
      }
      const type = PIPE_TYPES[kind];
      if (convert(arg, type) === undefined || (kind === 'uint' && !isInteger(arg)))
        return refused(prototype, `no known conversion from '${spell(arg.type)}' to '${spell(type)}'`);
      parameters.push(type);
    }
    return found(name, result, parameters, custom('pipe', operation));
  };
}

const PIPES = 'CL2.0 & __opencl_c_pipes';
const SUB_GROUP_PIPES =
  'CL2.0 & __opencl_c_pipes & cl_khr_subgroups | __opencl_c_pipes & __opencl_c_subgroups';

function pipeFunctions(): [string, Special][] {
  const specials: [string, Special][] = [];
  for (const [verb, access] of [
    ['read', 'read_only'],
    ['write', 'write_only'],
  ] as const) {
    const title = verb === 'read' ? 'Read' : 'Write';
    specials.push([
      `${verb}_pipe`,
      {
        when: PIPES,
        resolve: pipeFunction(access, INT, [['packet'], ['id', 'uint', 'packet']], `Op${title}Pipe`),
      },
    ]);
    for (const [prefix, when, scope] of [
      ['', PIPES, ''],
      ['work_group_', PIPES, 'Workgroup'],
      ['sub_group_', SUB_GROUP_PIPES, 'Subgroup'],
    ] as const) {
      const group = scope === '' ? 'Op' : 'OpGroup';
      const data = (opcode: string) => (scope === '' ? opcode : `${opcode} ${scope}`);
      specials.push(
        [
          `${prefix}reserve_${verb}_pipe`,
          {
            when,
            resolve: pipeFunction(access, RESERVE_ID, [['uint']], data(`${group}Reserve${title}PipePackets`)),
          },
        ],
        [
          `${prefix}commit_${verb}_pipe`,
          { when, resolve: pipeFunction(access, VOID, [['id']], data(`${group}Commit${title}Pipe`)) },
        ],
      );
    }
  }
  specials.push(
    [
      'get_pipe_num_packets',
      { when: PIPES, resolve: pipeFunction(undefined, UINT, [[]], 'OpGetNumPipePackets') },
    ],
    [
      'get_pipe_max_packets',
      { when: PIPES, resolve: pipeFunction(undefined, UINT, [[]], 'OpGetMaxPipePackets') },
    ],
  );
  return specials;
}

// ---- blocks

const ANY_LOCAL = 'cl_khr_device_enqueue_local_arg_types';

/** A block that a device-side function takes: void, its parameters all pointers to local void, or with an extension to anything local. */
function blockProblem(type: Type, language: LanguageOptions): string | undefined {
  if (type.kind !== 'block') return `expected a block, not '${spell(type)}'`;
  if (type.signature.result.kind !== 'void') return 'the block must return void';
  const anyLocal = language.features.has(ANY_LOCAL);
  const fits = type.signature.parameters.every(
    ({ type: p }) =>
      p.kind === 'pointer' && p.space === 'local' && (anyLocal || p.pointee.type.kind === 'void'),
  );
  if (fits) return undefined;
  return anyLocal
    ? "the block's parameters must be pointers to local memory"
    : "the block's parameters must be of type 'local void *'";
}

const isInteger = (arg: ArgumentType): boolean =>
  arg.type.kind === 'enum' ||
  (arg.type.kind === 'scalar' && !['half', 'float', 'double'].includes(arg.type.scalar));

const enqueue: Resolver = (name, args, language) => {
  const prototype =
    'int enqueue_kernel(queue_t, kernel_enqueue_flags_t, ndrange_t, [uint, const clk_event_t *, clk_event_t *,] ' +
    'block, uint size…)';
  const refuse = (reason: string, argument?: number) => refused(prototype, reason, argument);
  if (args.length < 4) return refuse(`requires at least 4 arguments, but ${args.length} were provided`);
  const fixed: readonly [Type, string][] = [
    [QUEUE, '1st'],
    [INT, '2nd'],
    [NDRANGE, '3rd'],
  ];
  for (const [i, [type, place]] of fixed.entries())
    if (type === INT ? convert(args[i]!, type) === undefined : args[i]!.type !== type)
      return refuse(
        `no known conversion from '${spell(args[i]!.type)}' to '${spell(type)}' for ${place} argument`,
        i,
      );
  if (!isInteger(args[1]!)) return refuse('the 2nd argument, the flags, must be an integer', 1);
  const parameters: Type[] = [QUEUE, INT, NDRANGE];
  const withEvents = args[3]!.type.kind !== 'block' && args.length >= 7;
  if (withEvents) {
    const [count, wait, returned] = [args[3]!, args[4]!, args[5]!];
    if (!isInteger(count)) return refuse('the 4th argument, the number of events, must be an integer', 3);
    parameters.push(UINT);
    for (const [arg, place, index] of [
      [wait, '5th', 4],
      [returned, '6th', 5],
    ] as const) {
      const isPointer = arg.type.kind === 'pointer' && (arg.isNull || arg.type.pointee.type === EVENT);
      if (!isPointer && !arg.isNull)
        return refuse(
          `expected a pointer to clk_event_t for ${place} argument, not '${spell(arg.type)}'`,
          index,
        );
      const pointsToEvent = arg.type.kind === 'pointer' && arg.type.pointee.type === EVENT;
      parameters.push(pointsToEvent ? arg.type : pointerTo(unqualified(EVENT, 'private'), 'private'));
    }
  }
  const at = parameters.length;
  const block = args[at]!.type;
  const problem = blockProblem(block, language);
  if (problem !== undefined) return refuse(problem, at);
  const locals = (block as BlockType).signature.parameters.length;
  const sizes = args.slice(at + 1);
  if (sizes.length !== locals)
    return refuse(`the block has ${locals} local pointers, but ${sizes.length} sizes were provided`);
  const wrongSize = sizes.findIndex((size) => !isInteger(size));
  if (wrongSize >= 0) return refuse('the sizes of local memory must be integers', at + 1 + wrongSize);
  parameters.push(block, ...sizes.map(() => UINT));
  return found(name, INT, parameters, custom('enqueue_kernel', withEvents ? 'events' : undefined));
};

/** Queries of a block, with or without an ndrange. */
const kernelQuery =
  (opcode: string, forRange: boolean): Resolver =>
  (name, args, language) => {
    const prototype = `uint ${name}(${forRange ? 'ndrange_t, ' : ''}block)`;
    const wanted = forRange ? 2 : 1;
    if (args.length !== wanted)
      return refused(prototype, `requires ${wanted} arguments, but ${args.length} were provided`);
    if (forRange && args[0]!.type !== NDRANGE)
      return refused(prototype, `no known conversion from '${spell(args[0]!.type)}' to 'ndrange_t'`);
    const problem = blockProblem(args.at(-1)!.type, language);
    if (problem !== undefined) return refused(prototype, problem, args.length - 1);
    return found(
      name,
      UINT,
      args.map((arg) => arg.type),
      custom('kernel_query', opcode),
    );
  };

const ENQUEUE = 'CL2.0 & __opencl_c_device_enqueue';
const SUB_GROUP_ENQUEUE =
  'CL2.0 & __opencl_c_device_enqueue & cl_khr_subgroups | __opencl_c_device_enqueue & __opencl_c_subgroups';
const GENERIC = 'CL2.0 & __opencl_c_generic_address_space';

let specials: ReadonlyMap<string, Special> | undefined;
const table = (): ReadonlyMap<string, Special> => {
  specials ??= new Map<string, Special>([
    ['to_global', { when: GENERIC, resolve: toSpace('global') }],
    ['to_local', { when: GENERIC, resolve: toSpace('local') }],
    ['to_private', { when: GENERIC, resolve: toSpace('private') }],
    ...pipeFunctions(),
    ['enqueue_kernel', { when: ENQUEUE, resolve: enqueue }],
    [
      'get_kernel_work_group_size',
      { when: ENQUEUE, resolve: kernelQuery('OpGetKernelWorkGroupSize', false) },
    ],
    [
      'get_kernel_preferred_work_group_size_multiple',
      { when: ENQUEUE, resolve: kernelQuery('OpGetKernelPreferredWorkGroupSizeMultiple', false) },
    ],
    [
      'get_kernel_max_sub_group_size_for_ndrange',
      { when: SUB_GROUP_ENQUEUE, resolve: kernelQuery('OpGetKernelNDrangeMaxSubGroupSize', true) },
    ],
    [
      'get_kernel_sub_group_count_for_ndrange',
      { when: SUB_GROUP_ENQUEUE, resolve: kernelQuery('OpGetKernelNDrangeSubGroupCount', true) },
    ],
  ]);
  return specials;
};

function specialOf(name: string): Special | undefined {
  if (name.startsWith('as_')) {
    const word = reinterpretedType(name);
    if (word === undefined) return undefined;
    const when = word.startsWith('half')
      ? 'cl_khr_fp16'
      : word.startsWith('double')
        ? 'cl_khr_fp64 | __opencl_c_fp64'
        : undefined;
    return { when, resolve: reinterpret(word) };
  }
  return table().get(name);
}

/** undefined: no built-in of this kind. */
export function resolveSpecial(
  name: string,
  args: readonly ArgumentType[],
  language: LanguageOptions,
): Resolution | undefined {
  const special = specialOf(name);
  if (special === undefined) return undefined;
  if (!available(special.when, language))
    return { ok: false, problem: 'unknown', needs: describeNeeds(special.when!, language) };
  return special.resolve(name, args, language);
}

export const isSpecial = (name: string, language: LanguageOptions): boolean => {
  const special = specialOf(name);
  return special !== undefined && available(special.when, language);
};
export const specialNames = (): Iterable<string> => table().keys();
