// SPDX-License-Identifier: MIT
//
// Words of CUDA, shader languages, C and C++ that OpenCL C does not have, and what it has in their place: for notes below the
// message that a name is unknown.
import type { Location } from '../diagnostics/diagnostic';
import { type Note, note } from '../diagnostics/reporter';

/** The languages, and their words with what OpenCL C has. Made when it is first needed: most programs have no such word. */
const languages = (): readonly (readonly [string, Readonly<Record<string, string>>])[] => [
  [
    'CUDA',
    {
      __global__: 'kernel',
      __device__: 'plain functions',
      __host__: 'plain functions',
      __shared__: 'local',
      __constant__: 'constant',
      __syncthreads: 'barrier(CLK_LOCAL_MEM_FENCE)',
      __syncwarp: 'sub_group_barrier(CLK_LOCAL_MEM_FENCE)',
      __threadfence: 'mem_fence(CLK_GLOBAL_MEM_FENCE)',
      threadIdx: 'get_local_id(0)',
      blockIdx: 'get_group_id(0)',
      blockDim: 'get_local_size(0)',
      gridDim: 'get_num_groups(0)',
      warpSize: 'get_sub_group_size()',
      atomicAdd: 'atomic_add',
      atomicSub: 'atomic_sub',
      atomicMin: 'atomic_min',
      atomicMax: 'atomic_max',
      atomicAnd: 'atomic_and',
      atomicOr: 'atomic_or',
      atomicXor: 'atomic_xor',
      atomicExch: 'atomic_xchg',
      atomicCAS: 'atomic_cmpxchg',
      make_float2: '(float2)(x, y)',
      make_float3: '(float3)(x, y, z)',
      make_float4: '(float4)(x, y, z, w)',
    },
  ],
  [
    'GLSL',
    {
      gl_GlobalInvocationID: 'get_global_id(0)',
      gl_LocalInvocationID: 'get_local_id(0)',
      gl_LocalInvocationIndex: 'get_local_linear_id()',
      gl_WorkGroupID: 'get_group_id(0)',
      gl_WorkGroupSize: 'get_local_size(0)',
      gl_NumWorkGroups: 'get_num_groups(0)',
      layout: 'attributes of kernels, such as __attribute__((reqd_work_group_size(64, 1, 1)))',
      vec2: 'float2',
      vec3: 'float3',
      vec4: 'float4',
      ivec2: 'int2',
      ivec3: 'int3',
      ivec4: 'int4',
      uvec2: 'uint2',
      uvec3: 'uint3',
      uvec4: 'uint4',
      inversesqrt: 'rsqrt',
      imageLoad: 'read_imagef',
      imageStore: 'write_imagef',
      texture: 'read_imagef with a sampler',
      memoryBarrierShared: 'mem_fence(CLK_LOCAL_MEM_FENCE)',
    },
  ],
  [
    'WGSL',
    {
      f16: 'half',
      f32: 'float',
      i32: 'int',
      u32: 'uint',
      vec2f: 'float2',
      vec3f: 'float3',
      vec4f: 'float4',
      fn: 'functions as in C: the type before the name',
      compute: 'kernel',
      global_invocation_id: 'get_global_id(0)',
      workgroupBarrier: 'barrier(CLK_LOCAL_MEM_FENCE)',
    },
  ],
  [
    'C',
    {
      int8_t: 'char',
      uint8_t: 'uchar',
      int16_t: 'short',
      uint16_t: 'ushort',
      int32_t: 'int',
      uint32_t: 'uint',
      int64_t: 'long',
      uint64_t: 'ulong',
      malloc: 'no heap: take memory as an argument, or declare an array of constant length',
      calloc: 'no heap: take memory as an argument, or declare an array of constant length',
      free: 'no heap: memory is an argument, or an array of constant length',
      memcpy: 'assignments of elements, vectors and structs in a loop, and async_work_group_copy',
      memset: 'assignments in a loop; the host has enqueueFill',
      rand: 'no random numbers: the host gives them or a seed',
    },
  ],
  [
    'C++',
    {
      std: 'built-in functions without a namespace',
      template: 'no templates: a macro takes their place, as with the option -D T=float',
      namespace: 'no namespaces',
      class: 'struct, without member functions',
      nullptr: 'NULL',
      constexpr: 'constant variables and macros',
    },
  ],
];

type Words = ReadonlyMap<string, readonly [language: string, instead: string]>;
let known: Words | undefined;

function words(): Words {
  known ??= new Map(
    languages().flatMap(([language, table]) =>
      Object.entries(table).map(([word, instead]) => [word, [language, instead]] as const),
    ),
  );
  return known;
}

/** A note on what OpenCL C has in the place of another language's word. */
export function foreignWordNote(name: string, location: Location): Note | undefined {
  const found = words().get(name);
  return found && note('foreign-word', location, { name, language: found[0], instead: found[1] });
}

/** Headers of C, C++ and CUDA that declare what is built in here, or what no kernel can use. */
const HEADERS =
  /^(assert|ctype|float|inttypes|limits|math|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|time|c?math|cstd\w+|algorithm|cuda\w*|CL\/cl)(\.hp?p?)?$/;

export const isForeignHeader = (name: string): boolean => HEADERS.test(name);
