// SPDX-License-Identifier: MIT
//
// The predefined macros. They are looked up by name when a name is first met, so that a compilation pays only for those that it
// uses.
import type { LanguageOptions } from '../language';
import { compilerMacro } from './compiler-macros';

/** The text after the macro's name (`(x) (x)` for a function-like one); undefined if it is not defined. */
type Definition = string | ((language: LanguageOptions) => string | undefined);

/** The replacement text of a predefined macro, or undefined if there is none of this name. */
export function predefinedMacro(name: string, language: LanguageOptions): string | undefined {
  const definition = definitionOf(name);
  if (definition !== undefined) return typeof definition === 'string' ? definition : definition(language);
  if (name.startsWith('__') && name.endsWith('__')) {
    const text = compilerMacro(name, language);
    if (text !== undefined) return text;
  }
  if (!language.features.has(name)) return undefined;
  return name.startsWith('__opencl_c_') && language.version < 300 ? undefined : '1';
}

function definitionOf(name: string): Definition | undefined {
  const definition = TABLE.get(name);
  if (definition !== undefined) return definition;
  if (name.startsWith('M_')) return mathConstant(name);
  const channel = name.startsWith('CLK_') ? CHANNELS.get(name) : undefined;
  return channel === undefined ? undefined : String(channel);
}

const since =
  (version: number, text: string): Definition =>
  (language) =>
    language.version >= version ? text : undefined;

const when =
  (test: (language: LanguageOptions) => boolean, text = '1'): Definition =>
  (language) =>
    test(language) ? text : undefined;

/** Depends on the width of pointers. */
const wide =
  (for64: string, for32: string): Definition =>
  (language) =>
    language.addressBits === 64 ? for64 : for32;

const fp64 = (text: string): Definition => when((language) => language.features.has('cl_khr_fp64'), text);
const fp16 = (text: string): Definition => when((language) => language.features.has('cl_khr_fp16'), text);

/** Mathematical constants with as many digits as a double needs. */
const MATH: ReadonlyMap<string, string> = new Map(
  Object.entries({
    M_E: '2.71828182845904523536028747135266250',
    M_LOG2E: '1.44269504088896340735992468100189214',
    M_LOG10E: '0.434294481903251827651128918916605082',
    M_LN2: '0.693147180559945309417232121458176568',
    M_LN10: '2.30258509299404568401799145468436421',
    M_PI: '3.14159265358979323846264338327950288',
    M_PI_2: '1.57079632679489661923132169163975144',
    M_PI_4: '0.785398163397448309615660845819875721',
    M_1_PI: '0.318309886183790671537767526745028724',
    M_2_PI: '0.636619772367581343075535053490057448',
    M_2_SQRTPI: '1.12837916709551257389615890312154517',
    M_SQRT2: '1.41421356237309504880168872420969808',
    M_SQRT1_2: '0.707106781186547524400844362104849039',
  }),
);

/** `M_PI` is a double, `M_PI_F` a float, `M_PI_H` a half. */
function mathConstant(name: string): Definition | undefined {
  const value = MATH.get(name);
  if (value !== undefined) return fp64(value);
  const digits = MATH.get(name.slice(0, -2));
  if (digits === undefined) return undefined;
  if (name.endsWith('_F')) return `${digits}f`;
  return name.endsWith('_H') ? fp16(`${digits}h`) : undefined;
}

/** Image channel orders and types, as in the API's headers. */
const CHANNELS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    CLK_R: 0x10b0,
    CLK_A: 0x10b1,
    CLK_RG: 0x10b2,
    CLK_RA: 0x10b3,
    CLK_RGB: 0x10b4,
    CLK_RGBA: 0x10b5,
    CLK_BGRA: 0x10b6,
    CLK_ARGB: 0x10b7,
    CLK_INTENSITY: 0x10b8,
    CLK_LUMINANCE: 0x10b9,
    CLK_Rx: 0x10ba,
    CLK_RGx: 0x10bb,
    CLK_RGBx: 0x10bc,
    CLK_DEPTH: 0x10bd,
    CLK_DEPTH_STENCIL: 0x10be,
    CLK_sRGB: 0x10bf,
    CLK_sRGBx: 0x10c0,
    CLK_sRGBA: 0x10c1,
    CLK_sBGRA: 0x10c2,
    CLK_ABGR: 0x10c3,
    CLK_SNORM_INT8: 0x10d0,
    CLK_SNORM_INT16: 0x10d1,
    CLK_UNORM_INT8: 0x10d2,
    CLK_UNORM_INT16: 0x10d3,
    CLK_UNORM_SHORT_565: 0x10d4,
    CLK_UNORM_SHORT_555: 0x10d5,
    CLK_UNORM_INT_101010: 0x10d6,
    CLK_SIGNED_INT8: 0x10d7,
    CLK_SIGNED_INT16: 0x10d8,
    CLK_SIGNED_INT32: 0x10d9,
    CLK_UNSIGNED_INT8: 0x10da,
    CLK_UNSIGNED_INT16: 0x10db,
    CLK_UNSIGNED_INT32: 0x10dc,
    CLK_HALF_FLOAT: 0x10dd,
    CLK_FLOAT: 0x10de,
    CLK_UNORM_INT24: 0x10df,
    CLK_UNORM_INT_101010_2: 0x10e0,
  }),
);

const TABLE: ReadonlyMap<string, Definition> = new Map<string, Definition>([
  // versions and the target (OpenCL C, "Predefined Macros"; those of the target as in clang)
  // That of the device, whatever the language's version: devices after 2.0 have a number greater than 200.
  ['__OPENCL_VERSION__', '310'],
  ['__OPENCL_C_VERSION__', (language) => String(language.version)],
  // All of them in every version, as in clang: programs compare __OPENCL_C_VERSION__ with them.
  ['CL_VERSION_1_0', '100'],
  ['CL_VERSION_1_1', '110'],
  ['CL_VERSION_1_2', '120'],
  ['CL_VERSION_2_0', '200'],
  ['CL_VERSION_3_0', '300'],
  ['CL_VERSION_3_1', '310'],
  ['__ENDIAN_LITTLE__', '1'],
  ['__IMAGE_SUPPORT__', when((language) => language.features.has('__opencl_c_images'))],
  ['__FAST_RELAXED_MATH__', when((language) => language.fastRelaxedMath)],
  ['__SPIR__', '1'],
  ['__SPIR', '1'],
  ['__SPIR32', when((language) => language.addressBits === 32)],
  ['__SPIR64', when((language) => language.addressBits === 64)],
  ['_LP64', when((language) => language.addressBits === 64)],
  ['__SPIR32__', when((language) => language.addressBits === 32)],
  ['__SPIR64__', when((language) => language.addressBits === 64)],
  ['__STDC__', '1'],
  ['__STDC_VERSION__', '199901L'],
  ['__STDC_HOSTED__', '0'],
  ['__CHAR_BIT__', '8'],
  ['__SIZEOF_POINTER__', (language) => String(language.addressBits / 8)],
  ['__SIZEOF_INT__', '4'],
  ['__SIZEOF_LONG__', '8'],
  ['__SIZEOF_FLOAT__', '4'],
  ['__SIZEOF_DOUBLE__', '8'],
  [
    '__kernel_exec',
    '(X, typen) __kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))',
  ],
  [
    'kernel_exec',
    '(X, typen) __kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))',
  ],
  ['NULL', '((void *)0)'],
  ['__SIZE_TYPE__', wide('unsigned long', 'unsigned int')],
  ['__UINTPTR_TYPE__', wide('unsigned long', 'unsigned int')],
  ['__PTRDIFF_TYPE__', wide('long', 'int')],
  ['__INTPTR_TYPE__', wide('long', 'int')],
  ['__SIZE_MAX__', wide('0xffffffffffffffffUL', '0xffffffffU')],
  ['true', '1'],
  ['false', '0'],

  ['__ANYCL_CHECKED__', when((language) => language.checked)],

  // clang's feature tests: all answer no
  ['__has_builtin', '(name) 0'],
  ['__has_attribute', '(name) 0'],
  ['__has_feature', '(name) 0'],
  ['__has_extension', '(name) 0'],
  ['__has_cpp_attribute', '(name) 0'],
  ['__has_c_attribute', '(name) 0'],
  ['__has_declspec_attribute', '(name) 0'],
  ['__has_warning', '(name) 0'],
  ['__is_identifier', '(name) 1'],

  // integer limits
  ['CHAR_BIT', '8'],
  ['CHAR_MAX', 'SCHAR_MAX'],
  ['CHAR_MIN', 'SCHAR_MIN'],
  ['SCHAR_MAX', '127'],
  ['SCHAR_MIN', '(-127 - 1)'],
  ['UCHAR_MAX', '255'],
  ['SHRT_MAX', '32767'],
  ['SHRT_MIN', '(-32767 - 1)'],
  ['USHRT_MAX', '65535'],
  ['INT_MAX', '2147483647'],
  ['INT_MIN', '(-2147483647 - 1)'],
  ['UINT_MAX', '0xffffffffU'],
  ['LONG_MAX', '0x7fffffffffffffffL'],
  ['LONG_MIN', '(-0x7fffffffffffffffL - 1)'],
  ['ULONG_MAX', '0xffffffffffffffffUL'],

  // floating-point limits and values
  ['FLT_DIG', '6'],
  ['FLT_MANT_DIG', '24'],
  ['FLT_MAX_10_EXP', '+38'],
  ['FLT_MAX_EXP', '+128'],
  ['FLT_MIN_10_EXP', '-37'],
  ['FLT_MIN_EXP', '-125'],
  ['FLT_RADIX', '2'],
  ['FLT_MAX', '0x1.fffffep127f'],
  ['FLT_MIN', '0x1.0p-126f'],
  ['FLT_EPSILON', '0x1.0p-23f'],
  ['FP_ILOGB0', 'INT_MIN'],
  ['FP_ILOGBNAN', 'INT_MAX'],
  ['MAXFLOAT', '0x1.fffffep127f'],
  ['HUGE_VALF', '(1.0f / 0.0f)'],
  ['INFINITY', '(1.0f / 0.0f)'],
  ['NAN', '(0.0f / 0.0f)'],
  ['HUGE_VAL', fp64('(1.0 / 0.0)')],
  ['DBL_DIG', fp64('15')],
  ['DBL_MANT_DIG', fp64('53')],
  ['DBL_MAX_10_EXP', fp64('+308')],
  ['DBL_MAX_EXP', fp64('+1024')],
  ['DBL_MIN_10_EXP', fp64('-307')],
  ['DBL_MIN_EXP', fp64('-1021')],
  ['DBL_RADIX', fp64('2')],
  ['DBL_MAX', fp64('0x1.fffffffffffffp1023')],
  ['DBL_MIN', fp64('0x1.0p-1022')],
  ['DBL_EPSILON', fp64('0x1.0p-52')],
  ['HALF_DIG', fp16('3')],
  ['HALF_MANT_DIG', fp16('11')],
  ['HALF_MAX_10_EXP', fp16('+4')],
  ['HALF_MAX_EXP', fp16('+16')],
  ['HALF_MIN_10_EXP', fp16('-4')],
  ['HALF_MIN_EXP', fp16('-13')],
  ['HALF_RADIX', fp16('2')],
  ['HALF_MAX', fp16('0x1.ffcp15h')],
  ['HALF_MIN', fp16('0x1.0p-14h')],
  ['HALF_EPSILON', fp16('0x1.0p-10h')],

  // fences, samplers (as SPIR encodes them), images
  ['CLK_LOCAL_MEM_FENCE', '1'],
  ['CLK_GLOBAL_MEM_FENCE', '2'],
  ['CLK_IMAGE_MEM_FENCE', '4'],
  ['CLK_NORMALIZED_COORDS_FALSE', '0'],
  ['CLK_NORMALIZED_COORDS_TRUE', '1'],
  ['CLK_ADDRESS_NONE', '0'],
  ['CLK_ADDRESS_CLAMP_TO_EDGE', '2'],
  ['CLK_ADDRESS_CLAMP', '4'],
  ['CLK_ADDRESS_REPEAT', '6'],
  ['CLK_ADDRESS_MIRRORED_REPEAT', '8'],
  ['CLK_FILTER_NEAREST', '0x10'],
  ['CLK_FILTER_LINEAR', '0x20'],

  // atomics, pipes, device-side enqueue
  ['__ATOMIC_RELAXED', '0'],
  ['__ATOMIC_CONSUME', '1'],
  ['__ATOMIC_ACQUIRE', '2'],
  ['__ATOMIC_RELEASE', '3'],
  ['__ATOMIC_ACQ_REL', '4'],
  ['__ATOMIC_SEQ_CST', '5'],
  ['__OPENCL_MEMORY_SCOPE_WORK_ITEM', '0'],
  ['__OPENCL_MEMORY_SCOPE_WORK_GROUP', '1'],
  ['__OPENCL_MEMORY_SCOPE_DEVICE', '2'],
  ['__OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES', '3'],
  ['__OPENCL_MEMORY_SCOPE_SUB_GROUP', '4'],
  ['ATOMIC_VAR_INIT', since(200, '(value) (value)')],
  ['ATOMIC_FLAG_INIT', since(200, '0')],
  ['CLK_NULL_RESERVE_ID', since(200, '(__builtin_astype((void *)0, reserve_id_t))')],
  ['CLK_NULL_QUEUE', since(200, '0')],
  ['CLK_NULL_EVENT', since(200, '(__builtin_astype((void *)0, clk_event_t))')],
  ['CLK_ENQUEUE_FLAGS_NO_WAIT', since(200, '0')],
  ['CLK_ENQUEUE_FLAGS_WAIT_KERNEL', since(200, '1')],
  ['CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP', since(200, '2')],
  ['CL_COMPLETE', since(200, '0')],
  ['CL_RUNNING', since(200, '1')],
  ['CL_SUBMITTED', since(200, '2')],
  ['CL_QUEUED', since(200, '3')],
  ['CLK_SUCCESS', since(200, '0')],
  ['CLK_ENQUEUE_FAILURE', since(200, '(-101)')],
  ['CLK_INVALID_QUEUE', since(200, '(-102)')],
  ['CLK_INVALID_NDRANGE', since(200, '(-160)')],
  ['CLK_INVALID_EVENT_WAIT_LIST', since(200, '(-57)')],
  ['CLK_DEVICE_QUEUE_FULL', since(200, '(-161)')],
  ['CLK_INVALID_ARG_SIZE', since(200, '(-51)')],
  ['CLK_EVENT_ALLOCATION_FAILURE', since(200, '(-100)')],
  ['CLK_OUT_OF_RESOURCES', since(200, '(-5)')],
  ['CLK_PROFILING_COMMAND_EXEC_TIME', since(200, '1')],
]);
