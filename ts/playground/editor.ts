// SPDX-License-Identifier: MIT
//
// CodeMirror for OpenCL C. Colours come from the words of the generated grammar; diagnostics, hover and completion come from the
// language thread.
import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { indentWithTab } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { clike } from '@codemirror/legacy-modes/mode/clike';
import { type Diagnostic as Lint, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import grammar from '../../editors/vscode/syntaxes/opencl.gen.tmLanguage.json';
import type { Diagnostic } from '../compiler/diagnostics/diagnostic';
import { COUNTS, ELEMENTS } from '../compiler/frontend/predefined-types';
import type { Completion } from '../language-service/completion';
import type { Hover } from '../language-service/hover';

interface EditorAnswers {
  changed(source: string): void;
  run(): void;
  hover(offset: number): Promise<Hover | undefined>;
  complete(source: string, offset: number): Promise<readonly Completion[]>;
}

/** The words of the grammar's rules of one scope. */
function words(scope: RegExp): Record<string, true> {
  const found: Record<string, true> = {};
  for (const { name, match } of grammar.repository.words.patterns as readonly {
    name: string;
    match: string;
  }[]) {
    const list = scope.test(name) ? /^\\b\(\?:([\w|]+)\)\\b/.exec(match)?.[1] : undefined;
    for (const word of list?.split('|') ?? []) found[word] = true;
  }
  return found;
}

const VECTORS = Object.fromEntries(
  ELEMENTS.flatMap((element) => COUNTS.map((count) => [`${element}${count}`, true as const])),
);

const CONVERSIONS = Object.fromEntries(
  [...Object.keys(VECTORS), ...ELEMENTS].flatMap((type) =>
    ['convert_', 'as_'].flatMap((prefix) =>
      ['', '_sat', '_rte', '_rtz', '_sat_rte'].map((suffix) => [prefix + type + suffix, true as const]),
    ),
  ),
);

const language = StreamLanguage.define(
  clike({
    name: 'opencl',
    keywords: words(/^(?:keyword|storage\.modifier)/),
    types: { ...words(/^(?:storage\.type|support\.type)/), ...VECTORS },
    builtin: { ...words(/^support\.function/), ...CONVERSIONS },
    blockKeywords: { else: true, for: true, while: true, do: true, if: true, switch: true },
    hooks: {
      '#': (stream: { skipToEnd(): void }) => {
        stream.skipToEnd();
        return 'meta';
      },
    },
  }),
);

/** Colours are custom properties of the page, which has a light and a dark set of them. */
const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--keyword)' },
  { tag: [tags.typeName, tags.standard(tags.typeName)], color: 'var(--type)' },
  { tag: tags.standard(tags.variableName), color: 'var(--builtin)' },
  { tag: tags.comment, color: 'var(--comment)' },
  { tag: [tags.number, tags.string], color: 'var(--literal)' },
  { tag: tags.meta, color: 'var(--meta)' },
]);

const COMPLETION_TYPE: Readonly<Record<Completion['kind'], string>> = {
  function: 'function',
  builtin: 'function',
  variable: 'variable',
  field: 'property',
  type: 'type',
  keyword: 'keyword',
  macro: 'constant',
  constant: 'constant',
};

export function createEditor(parent: HTMLElement, source: string, answers: EditorAnswers): EditorView {
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/\w*/);
    const before = context.state.sliceDoc(Math.max(0, context.pos - 2), context.pos);
    if (!context.explicit && !/\w$|\.$|->$/.test(before)) return null;
    const list = await answers.complete(context.state.doc.toString(), context.pos);
    return {
      from: word?.from ?? context.pos,
      options: list.map(({ name, kind, detail }) => ({ label: name, type: COMPLETION_TYPE[kind], detail })),
    };
  };
  const explain = hoverTooltip(async (_, at) => {
    const found = await answers.hover(at);
    if (!found) return null;
    return { pos: found.begin, end: found.end, above: true, create: () => ({ dom: explanation(found) }) };
  });
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: source,
      extensions: [
        keymap.of([{ key: 'Mod-Enter', run: () => (answers.run(), true) }]),
        basicSetup,
        keymap.of([indentWithTab]),
        language,
        syntaxHighlighting(colours),
        lintGutter(),
        autocompletion({ override: [complete] }),
        explain,
        EditorView.contentAttributes.of({
          'aria-label': 'OpenCL C source',
          'aria-describedby': 'keys',
          tabindex: '0',
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) answers.changed(update.state.doc.toString());
        }),
      ],
    }),
  });
}

function explanation({ code, text }: Hover): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'explanation';
  const pre = document.createElement('pre');
  pre.textContent = code;
  dom.append(pre);
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const p = document.createElement('p');
    p.textContent = line.replaceAll('`', '').trim();
    dom.append(p);
  }
  return dom;
}

/** Underlines the messages about the text. */
export function showDiagnostics(editor: EditorView, diagnostics: readonly Diagnostic[]): void {
  const { doc } = editor.state;
  const lints = diagnostics.flatMap((each): Lint[] => {
    const at = placeOf(doc, each);
    if (!at || each.severity === 'note') return [];
    const notes = each.notes.map(({ message }) => `\nnote: ${message}`).join('');
    return [{ ...at, severity: each.severity, message: each.message + notes }];
  });
  editor.dispatch(setDiagnostics(editor.state, lints));
}

function placeOf(doc: Text, { position, ranges }: Diagnostic): { from: number; to: number } | undefined {
  if (!position || position.line > doc.lines) return undefined;
  const line = doc.line(position.line);
  const [range] = ranges;
  const inLine = (column: number) => Math.min(line.from + column - 1, line.to);
  const from = inLine(range?.begin ?? position.column);
  const word = /^\w+/.exec(line.text.slice(from - line.from))?.[0].length ?? 1;
  return { from, to: range ? inLine(range.end) : Math.min(from + word, line.to) };
}
