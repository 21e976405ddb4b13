// SPDX-License-Identifier: MIT
//
// The subjects of attributes, as in clang: names of attributes, the subjects in words, and the subjects themselves. Attributes
// that are not here and in no other table are unknown.

export type AttributeSubject =
  | 'function'
  | 'kernel'
  | 'global'
  | 'local'
  | 'parameter'
  | 'typedef'
  | 'record'
  | 'field'
  | 'enum';

interface AttributeRule {
  /** The subjects that it applies to, in words; undefined: elsewhere it is ignored without a message about subjects. */
  readonly appliesTo: string | undefined;
  readonly subjects: readonly AttributeSubject[];
  /** Elsewhere it is an error. */
  readonly isError: boolean;
}

const FUNCTION: readonly AttributeSubject[] = ['function', 'kernel'];

const STATIC: readonly AttributeSubject[] = [...FUNCTION, 'global'];

const VARIABLE: readonly AttributeSubject[] = ['global', 'local', 'parameter'];

const TYPE: readonly AttributeSubject[] = ['typedef', 'record', 'enum'];

const NOWHERE: readonly AttributeSubject[] = [];

type Row = readonly [
  names: string,
  appliesTo: string | undefined,
  subjects: readonly AttributeSubject[],
  isError?: true,
];

const ROWS: readonly Row[] = [
  ['noinline always_inline', 'functions and statements', FUNCTION],
  ['nomerge', 'functions and statements', FUNCTION, true],
  [
    'cold hot constructor destructor convergent noduplicate gnu_inline ifunc leaf malloc naked no_builtin ' +
      'not_tail_called returns_twice enable_if',
    'functions',
    FUNCTION,
  ],
  ['error flatten overloadable target zero_call_used_regs', 'functions', FUNCTION, true],
  ['disable_tail_calls no_instrument_function optnone', 'functions and Objective-C methods', FUNCTION],
  ['minsize speculative_load_hardening', 'functions and Objective-C methods', FUNCTION, true],
  ['diagnose_if', 'functions, Objective-C methods, and Objective-C properties', FUNCTION],
  ['returns_nonnull assume_aligned', 'Objective-C methods and functions', FUNCTION],
  ['alloc_size', 'non-K&R-style functions', FUNCTION],
  ['format_arg', 'Objective-C methods and non-K&R-style functions', FUNCTION],
  ['format', 'Objective-C methods, blocks, and non-K&R-style functions', FUNCTION],
  ['sentinel', 'functions, methods and blocks', FUNCTION],
  ['nothrow', 'functions and function pointers', FUNCTION],
  ['noreturn cdecl stdcall fastcall', 'function types', FUNCTION],
  ['artificial', 'inline functions', FUNCTION],
  ['nonnull', 'functions, methods, and parameters', [...FUNCTION, 'parameter']],
  ['no_sanitize', 'functions, Objective-C methods, and global variables', STATIC, true],
  ['no_sanitize_address alias', 'functions and global variables', STATIC, true],
  ['section', 'functions, global variables, Objective-C methods, and Objective-C properties', STATIC, true],
  ['used retain', 'variables with non-local storage, functions, and Objective-C methods', STATIC],
  ['weak', 'variables, functions, and classes', [...FUNCTION, ...VARIABLE]],
  ['weak_import', 'variables and functions', [...FUNCTION, ...VARIABLE]],
  ['weakref', 'variables and functions', [...FUNCTION, ...VARIABLE], true],
  ['internal_linkage', 'variables and functions', [...STATIC, 'local']],
  [
    'nodebug',
    'typedefs, functions, function pointers, Objective-C methods, and variables',
    [...STATIC, 'local', 'typedef'],
  ],
  [
    'warn_unused_result',
    'Objective-C methods, enums, structs, unions, classes, functions, function pointers, and typedefs',
    [...FUNCTION, ...TYPE],
  ],
  ['nosvm', 'variables', VARIABLE],
  ['uninitialized', 'local variables', ['local']],
  ['loader_uninitialized', 'global variables', ['global']],
  ['noescape pass_object_size', 'parameters', ['parameter']],
  ['ext_vector_type', 'typedefs', ['typedef'], true],
  [
    'mode',
    'variables, enums, typedefs, and non-static data members',
    [...VARIABLE, 'typedef', 'field', 'enum'],
    true,
  ],
  ['ms_struct lto_visibility_public', 'structs, unions, and classes', ['record']],
  ['transparent_union', 'unions', ['record', 'typedef']],
  ['flag_enum enum_extensibility', 'enums', ['enum']],
  ['type_visibility', 'types and namespaces', TYPE, true],
  [
    'amdgpu_flat_work_group_size amdgpu_waves_per_eu amdgpu_num_sgpr amdgpu_num_vgpr',
    'kernel functions',
    ['kernel'],
    true,
  ],
  ['packed', undefined, ['record', 'field', 'enum']],
  ['visibility', undefined, [...STATIC, 'local', 'parameter', 'record', 'field', 'enum']],
  ['kernel device host global shared standalone_debug', undefined, NOWHERE],
];

/** By name; created when the first attribute is checked. */
let rules: ReadonlyMap<string, AttributeRule> | undefined;

export function attributeRule(name: string): AttributeRule | undefined {
  rules ??= new Map(
    ROWS.flatMap(([names, appliesTo, subjects, isError = false]) =>
      names.split(' ').map((each) => [each, { appliesTo, subjects, isError }] as const),
    ),
  );
  return rules.get(name);
}
