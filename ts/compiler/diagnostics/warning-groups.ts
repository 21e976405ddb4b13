// SPDX-License-Identifier: MIT
//
// The -W names that include others, as in clang: `-Wno-format` also silences `-Wformat-extra-args`.

/** A name and those of its group. */
const GROUPS: readonly (readonly [group: string, members: string])[] = [
  [
    'format',
    'format-extra-args format-zero-length format-security format-invalid-specifier format-insufficient-args',
  ],
  ['unused', 'unused-value'],
  ['unused-value', 'unused-comparison unused-result unevaluated-expression'],
  [
    'parentheses',
    'logical-not-parentheses bitwise-conditional-parentheses shift-op-parentheses parentheses-equality dangling-else',
  ],
  ['tautological-compare', 'tautological-constant-compare tautological-pointer-compare'],
  ['tautological-constant-compare', 'tautological-constant-out-of-range-compare'],
  ['conversion', 'constant-conversion enum-conversion literal-conversion implicit-int-float-conversion'],
  ['implicit-int-float-conversion', 'implicit-const-int-float-conversion'],
  ['incompatible-pointer-types', 'incompatible-pointer-types-discards-qualifiers'],
  ['attributes', 'ignored-attributes unknown-attributes'],
  ['pragmas', 'ignored-pragmas unknown-pragmas'],
  ['gnu', 'gnu-alignof-expression gnu-variable-sized-type-not-at-end'],
  ['deprecated', 'deprecated-declarations deprecated-non-prototype'],
  ['all', 'most parentheses switch'],
  [
    'most',
    'array-bounds format unused unknown-pragmas return-type empty-body sizeof-array-argument sizeof-array-decay ' +
      'self-assign tautological-compare unsequenced',
  ],
];

/** The names of groups and of their members, of which some are not warnings here. */
export const groupNames = (): string[] =>
  GROUPS.flatMap(([group, members]) => [group, ...members.split(' ')]);

let groupOf: ReadonlyMap<string, string> | undefined;

/** The names that control a warning, from its own to the widest group's. */
export function* namesOf(flag: string): Generator<string> {
  groupOf ??= new Map(
    GROUPS.flatMap(([group, members]) => members.split(' ').map((member) => [member, group] as const)),
  );
  for (let name: string | undefined = flag; name !== undefined; name = groupOf.get(name)) yield name;
}
