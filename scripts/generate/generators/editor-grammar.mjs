// SPDX-License-Identifier: MIT
//
// The grammar that editors highlight OpenCL C by, from the compiler's tables of keywords, types and built-in functions.
import { importSources } from '../../import-sources.mjs';

const load = () =>
  importSources(
    'ts/compiler/frontend',
    `
  export { keywordsOf } from './parse/keywords';
  export { predefinedTypeNames } from './predefined-types';
  export { allBuiltinNames } from './builtins';
  export { parseOptions } from '../options';
`,
  );

/** TextMate's names for the kinds of keywords. */
const SCOPES = {
  base: 'storage.type.opencl',
  image: 'storage.type.opencl',
  record: 'storage.type.opencl',
  enum: 'storage.type.opencl',
  pipe: 'storage.type.opencl',
  statement: 'keyword.control.opencl',
  query: 'keyword.operator.opencl',
};

const words = (list) => `\\b(?:${[...list].sort().join('|')})\\b`;

export async function outputs() {
  const { keywordsOf, predefinedTypeNames, allBuiltinNames, parseOptions } = await load();
  const { language } = parseOptions('-cl-std=CL3.0').options;
  const keywords = new Map();
  for (const [word, { kind }] of keywordsOf(language)) {
    const scope = SCOPES[kind] ?? 'storage.modifier.opencl';
    keywords.set(scope, [...(keywords.get(scope) ?? []), word]);
  }
  const types = predefinedTypeNames(language).filter(
    (name) => !/^(?:u?(?:char|short|int|long)|half|float|double)\d+$/.test(name),
  );
  const grammar = {
    $comment: 'Made by scripts/generate/generators/editor-grammar.mjs',
    name: 'OpenCL C',
    scopeName: 'source.opencl',
    patterns: [
      { name: 'comment.block.opencl', begin: '/\\*', end: '\\*/' },
      { name: 'comment.line.double-slash.opencl', begin: '//', end: '(?<!\\\\)$' },
      {
        name: 'meta.preprocessor.opencl',
        begin: '^\\s*#\\s*(\\w+)',
        end: '(?<!\\\\)$',
        beginCaptures: { 0: { name: 'keyword.control.directive.opencl' } },
        patterns: [{ include: '#values' }, { include: '#words' }],
      },
      { include: '#values' },
      { include: '#words' },
    ],
    repository: {
      values: {
        patterns: [
          {
            name: 'string.quoted.double.opencl',
            begin: '"',
            end: '"|(?<!\\\\)$',
            patterns: [{ name: 'constant.character.escape.opencl', match: '\\\\.' }],
          },
          { name: 'string.quoted.single.opencl', match: "'(?:\\\\.[^']*|[^'\\\\])'" },
          {
            name: 'constant.numeric.opencl',
            match:
              '\\b(?:0[xX][0-9a-fA-F.]+(?:[pP][-+]?\\d+)?|\\d+\\.?\\d*(?:[eE][-+]?\\d+)?|\\.\\d+(?:[eE][-+]?\\d+)?)[fFhHuUlL]*',
          },
        ],
      },
      words: {
        patterns: [
          ...[...keywords].map(([name, list]) => ({ name, match: words(list) })),
          {
            name: 'support.type.opencl',
            match: `\\b(?:u?(?:char|short|int|long)|half|float|double)(?:2|3|4|8|16)\\b`,
          },
          { name: 'support.type.opencl', match: words(types) },
          {
            name: 'support.function.opencl',
            match: '\\b(?:convert|as)_[a-z]+\\d*(?:_sat)?(?:_rt[ezpn])?\\b(?=\\s*\\()',
          },
          {
            name: 'support.function.opencl',
            match: `${words([...new Set(allBuiltinNames())].filter((name) => !/^(?:convert|as|__|intel_sub_group_avc)_?/.test(name)))}(?=\\s*\\()`,
          },
          { name: 'entity.name.function.opencl', match: '\\b[A-Za-z_]\\w*(?=\\s*\\()' },
        ],
      },
    },
  };
  return new Map([
    ['editors/vscode/syntaxes/opencl.gen.tmLanguage.json', `${JSON.stringify(grammar, null, 2)}\n`],
  ]);
}
