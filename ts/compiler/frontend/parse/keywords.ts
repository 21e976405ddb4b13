// SPDX-License-Identifier: MIT
//
// The keywords and their roles in the grammar, which depend on the version and features.
import type { LanguageOptions } from '../language';
import type { Access, AddressSpace, ImageKind } from '../types';

/** The words that form scalar types. */
export type BaseWord =
  | 'void'
  | 'bool'
  | 'char'
  | 'short'
  | 'int'
  | 'long'
  | 'signed'
  | 'unsigned'
  | 'half'
  | 'float'
  | 'double';

export type Keyword =
  | { readonly kind: 'base'; readonly word: BaseWord }
  | { readonly kind: 'image'; readonly image: ImageKind }
  | { readonly kind: 'qualifier'; readonly qualifier: 'const' | 'volatile' | 'restrict' }
  | { readonly kind: 'space'; readonly space: AddressSpace }
  | { readonly kind: 'access'; readonly access: Access }
  | { readonly kind: 'storage'; readonly storage: 'typedef' | 'extern' | 'static' | 'auto' | 'register' }
  | { readonly kind: 'inline' | 'kernel' | 'noreturn' }
  | { readonly kind: 'record'; readonly tag: 'struct' | 'union' }
  | { readonly kind: 'enum' | 'typeof' | 'auto-type' | 'pipe' | 'attribute' | 'alignas' | 'extension' }
  | { readonly kind: 'static-assert' | 'asm' | 'local-label' }
  | { readonly kind: 'statement' }
  | { readonly kind: 'query'; readonly query: 'sizeof' | 'alignof' | 'vec_step' }
  | { readonly kind: 'offsetof' | 'generic' | 'types-compatible' }
  | { readonly kind: 'astype'; readonly form: 'astype' | 'bit-cast' | 'convert-vector' }
  /** A keyword of C that OpenCL C does not support. */
  | { readonly kind: 'unsupported' };

const IMAGES: readonly ImageKind[] = [
  'image1d',
  'image1d_buffer',
  'image1d_array',
  'image2d',
  'image2d_array',
  'image2d_depth',
  'image2d_array_depth',
  'image2d_msaa',
  'image2d_array_msaa',
  'image2d_msaa_depth',
  'image2d_array_msaa_depth',
  'image3d',
];

function commonKeywords(): Map<string, Keyword> {
  const table = new Map<string, Keyword>();
  const add = (keyword: Keyword, ...words: string[]) => {
    for (const word of words) table.set(word, keyword);
  };
  for (const word of ['void', 'char', 'short', 'int', 'long', 'half', 'float', 'double'] as const) {
    add({ kind: 'base', word }, word);
  }
  add({ kind: 'base', word: 'bool' }, 'bool', '_Bool');
  add({ kind: 'base', word: 'signed' }, 'signed', '__signed', '__signed__');
  add({ kind: 'base', word: 'unsigned' }, 'unsigned');
  for (const image of IMAGES) add({ kind: 'image', image }, `${image}_t`);
  add({ kind: 'qualifier', qualifier: 'const' }, 'const', '__const', '__const__');
  add({ kind: 'qualifier', qualifier: 'volatile' }, 'volatile', '__volatile', '__volatile__');
  add({ kind: 'qualifier', qualifier: 'restrict' }, 'restrict', '__restrict', '__restrict__');
  for (const space of ['private', 'local', 'global', 'constant'] as const) {
    add({ kind: 'space', space }, space, `__${space}`);
  }
  for (const access of ['read_only', 'write_only', 'read_write'] as const) {
    add({ kind: 'access', access }, access, `__${access}`);
  }
  for (const storage of ['typedef', 'extern', 'static', 'auto', 'register'] as const) {
    add({ kind: 'storage', storage }, storage);
  }
  add({ kind: 'inline' }, 'inline', '__inline', '__inline__');
  add({ kind: 'kernel' }, 'kernel', '__kernel');
  add({ kind: 'noreturn' }, '_Noreturn');
  add({ kind: 'record', tag: 'struct' }, 'struct');
  add({ kind: 'record', tag: 'union' }, 'union');
  add({ kind: 'enum' }, 'enum');
  add({ kind: 'typeof' }, '__typeof', '__typeof__');
  add({ kind: 'auto-type' }, '__auto_type');
  add({ kind: 'attribute' }, '__attribute__', '__attribute');
  add({ kind: 'alignas' }, '_Alignas');
  add({ kind: 'extension' }, '__extension__');
  add({ kind: 'static-assert' }, '_Static_assert');
  add({ kind: 'asm' }, '__asm', '__asm__');
  add({ kind: 'local-label' }, '__label__');
  add(
    { kind: 'statement' },
    ...[
      'if',
      'else',
      'for',
      'while',
      'do',
      'switch',
      'case',
      'default',
      'goto',
      'break',
      'continue',
      'return',
    ],
  );
  add({ kind: 'query', query: 'sizeof' }, 'sizeof');
  add({ kind: 'query', query: 'alignof' }, '_Alignof', '__alignof', '__alignof__');
  add({ kind: 'query', query: 'vec_step' }, 'vec_step');
  add({ kind: 'offsetof' }, '__builtin_offsetof');
  add({ kind: 'astype', form: 'astype' }, '__builtin_astype');
  add({ kind: 'astype', form: 'bit-cast' }, '__builtin_bit_cast');
  add({ kind: 'astype', form: 'convert-vector' }, '__builtin_convertvector');
  add({ kind: 'types-compatible' }, '__builtin_types_compatible_p');
  add({ kind: 'generic' }, '_Generic');
  add({ kind: 'unsupported' }, '_Atomic', '_Complex', '_Imaginary', '_Thread_local', '__block');
  return table;
}

const tables = new Map<string, ReadonlyMap<string, Keyword>>();

/** The keyword table of a language. */
export function keywordsOf(language: LanguageOptions): ReadonlyMap<string, Keyword> {
  const { version, features } = language;
  const generic = version === 200 || (version >= 300 && features.has('__opencl_c_generic_address_space'));
  const pipes = version === 200 || (version >= 300 && features.has('__opencl_c_pipes'));
  const key = `${generic} ${pipes}`;
  let table = tables.get(key);
  if (!table) {
    const made = commonKeywords();
    if (generic) {
      made.set('generic', { kind: 'space', space: 'generic' });
      made.set('__generic', { kind: 'space', space: 'generic' });
    }
    if (pipes) made.set('pipe', { kind: 'pipe' });
    table = made;
    tables.set(key, table);
  }
  return table;
}
