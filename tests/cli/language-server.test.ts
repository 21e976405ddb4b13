// SPDX-License-Identifier: MIT
//
// `anycl lsp`, asked as an editor asks it.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CancellationTokenSource,
  createProtocolConnection,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';

const CLI = join(__dirname, '../../dist/cli.cjs');

const SOURCE = `#include "shapes.h"
#define TWICE(x) ((x) + (x))
typedef struct { float mass; float4 place; } body;

/* bodies */
float weight(global const body *b, int i) { return TWICE(b[i].mass); }

kernel void k(global const body *b, global float *z, local float *cache) {
  int i = get_global_id(0);
  float4 v = b[i].place;
  for (int j = 0; j < COUNT; j++) {
    float part = weight(b, j);
    z[i] += fmin(part, v.x) + clamp(part, 0.0f, 1.0f);
  }
}
`;

let folder: string;
let server: ChildProcess;
let client: ProtocolConnection;
let nextName = 0;
const waiting = new Map<string, (params: PublishDiagnosticsParams) => void>();

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'anycl-lsp-')));
  writeFileSync(join(folder, 'shapes.h'), '#define COUNT 4\nfloat area(float a, float b);\n');
  server = spawn(process.execPath, [CLI, 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  client = createProtocolConnection(
    new StreamMessageReader(server.stdout!),
    new StreamMessageWriter(server.stdin!),
  );
  client.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) =>
    waiting.get(params.uri)?.(params),
  );
  client.listen();
  const { capabilities } = await client.sendRequest<{ capabilities: { hoverProvider?: boolean } }>(
    'initialize',
    {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
      workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'test' }],
    },
  );
  expect(capabilities.hoverProvider).toBe(true);
  await client.sendNotification('initialized', {});
}, 60_000);

afterAll(async () => {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  await client.sendRequest('shutdown');
  await client.sendNotification('exit');
  // Ends as the protocol requires, with status 0.
  expect(await ended).toBe(0);
  rmSync(folder, { recursive: true });
}, 60_000);

/** Opens a text as a new file; returns its URI and the messages about it. */
async function opened(text: string): Promise<PublishDiagnosticsParams> {
  const uri = pathToFileURL(join(folder, `file${nextName++}.cl`)).href;
  const messages = new Promise<PublishDiagnosticsParams>((resolve) => waiting.set(uri, resolve));
  await client.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'opencl', version: 1, text },
  });
  return messages;
}

/** The place of `word`, or of the character \`shift\` after its beginning, in the n-th line that has it. */
function place(text: string, word: string, nth = 0, shift = 0) {
  let offset = -1;
  for (let i = 0; i <= nth; i++) offset = text.indexOf(word, offset + 1);
  if (offset < 0) throw new Error(`${word} is not in the text`);
  const before = text.slice(0, offset + shift);
  return { line: before.split('\n').length - 1, character: before.length - before.lastIndexOf('\n') - 1 };
}

const ask = <T>(method: string, uri: string, position: object, more: object = {}): Promise<T> =>
  client.sendRequest(`textDocument/${method}`, { textDocument: { uri }, position, ...more });

interface HoverAnswer {
  readonly contents: { readonly value: string };
}
interface LocationAnswer {
  readonly uri: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}
interface CompletionAnswer {
  readonly items: readonly { readonly label: string; readonly detail?: string; readonly data?: string }[];
}

test('a right program has no messages', async () => {
  expect((await opened(SOURCE)).diagnostics).toEqual([]);
});

test('errors and warnings are underlined, with their notes', async () => {
  const text =
    'kernel void k(global int *p) {\n  int unused_one = 1;\n  p[0] = undefined_name;\n  fmin(p, 1);\n}\n';
  const { diagnostics } = await opened(text);
  expect(diagnostics.map(({ severity, code, range }) => [severity, code, range])).toEqual([
    [1, 'undeclared-identifier', { start: { line: 2, character: 9 }, end: { line: 2, character: 23 } }],
    [1, 'no-matching-function', { start: { line: 3, character: 2 }, end: { line: 3, character: 6 } }],
  ]);
  expect(diagnostics[0]!.message).toMatch(/undeclared identifier 'undefined_name'/);
});

test('messages follow the text and go with the file', async () => {
  const { uri, diagnostics } = await opened('kernel void k() { missing; }');
  expect(diagnostics).toHaveLength(1);
  const next = () => new Promise<PublishDiagnosticsParams>((resolve) => waiting.set(uri, resolve));
  let messages = next();
  await client.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [
      { range: { start: { line: 0, character: 18 }, end: { line: 0, character: 26 } }, text: '' },
    ],
  });
  expect((await messages).diagnostics).toEqual([]);
  messages = next();
  await client.sendNotification('textDocument/didClose', { textDocument: { uri } });
  expect((await messages).diagnostics).toEqual([]);
});

test('a missing header is reported at its #include; one outside the folders is refused', async () => {
  const { diagnostics } = await opened('#include "absent.h"\nkernel void k() {}\n');
  expect(diagnostics).toMatchObject([{ severity: 1, range: { start: { line: 0 } } }]);
});

test.each([
  ['weight', 1, 'float weight(__global const body *b, int i)'],
  ['mass', 1, 'float mass'],
  ['TWICE', 1, '#define TWICE(x) ((x) + (x))'],
  ['COUNT', 0, '#define COUNT 4'],
  ['part', 1, 'float part'],
  ['get_global_id', 0, 'size_t get_global_id(uint)'],
  ['fmin', 0, 'floatn fmin(floatn, floatn)'],
  ['fmin', 0, 'Accuracy for float and double: exact'],
  ['clamp', 0, 'floatn clamp(floatn, floatn, floatn)'],
  ['clamp', 0, 'Integer functions, Common functions'],
  ['float4', 1, 'Vector of 4 float: 16 bytes'],
])('hover explains %s', async (word, nth, expected) => {
  const { uri } = await opened(SOURCE);
  const answer = await ask<HoverAnswer>('hover', uri, place(SOURCE, word, nth, 1));
  expect(answer.contents.value.replace('ulong get', 'size_t get')).toContain(expected);
});

test('hover has the comment above a declaration, and no other', async () => {
  const text = [
    '// Doubles.',
    '// Exactly.',
    'float twice(float x) { return x * 2; }',
    '/** Of the',
    ' *  whole. */',
    'constant int part = 3;',
    '// Far away.',
    '',
    '#define NEAR 1',
    'int done; /* of another line */',
    'kernel void k(global float *p) { p[0] = twice(p[part]) + NEAR; }',
  ].join('\n');
  const { uri } = await opened(text);
  const shown = async (word: string) =>
    (await ask<HoverAnswer>('hover', uri, place(text, word, 0, 1))).contents.value.split('```\n')[1];
  expect(await shown('twice(p')).toBe('Doubles.\nExactly.');
  expect(await shown('part]')).toBe('Of the\n whole.');
  expect(await shown('NEAR;')).toBe('');
  expect(await shown('k(global')).toBe('');
});

test('hover on what is not a name gives nothing', async () => {
  const { uri } = await opened(SOURCE);
  expect(await ask('hover', uri, place(SOURCE, ' += ', 0, 2))).toBeNull();
});

test.each([
  ['weight(b, j)', 0, { line: 5, character: 6 }],
  ['b[i].place', 5, { line: 2, character: 36 }],
  ['TWICE(b', 0, { line: 1, character: 8 }],
  ['part, v', 0, { line: 11, character: 10 }],
  ['j++', 0, { line: 10, character: 11 }],
])('definition of the name at %s', async (text, shift, start) => {
  const { uri } = await opened(SOURCE);
  const answer = await ask<LocationAnswer[]>('definition', uri, place(SOURCE, text, 0, shift));
  expect(answer.map((each) => [each.uri === uri, each.range.start])).toEqual([[true, start]]);
});

test('definition leads into headers', async () => {
  const { uri } = await opened(SOURCE);
  const header = pathToFileURL(join(folder, 'shapes.h')).href;
  const [macro] = await ask<LocationAnswer[]>('definition', uri, place(SOURCE, 'COUNT'));
  expect(macro).toMatchObject({ uri: header, range: { start: { line: 0, character: 8 } } });
  const [file] = await ask<LocationAnswer[]>('definition', uri, place(SOURCE, 'shapes.h'));
  expect(file).toMatchObject({ uri: header, range: { start: { line: 0, character: 0 } } });
});

test('references and rename have every use of a name, and of no other of the same spelling', async () => {
  const text =
    'int f(int i) { return i; }\nkernel void k(global int *p) { int i = 1; { int i = 2; p[i] = f(i); } p[0] = i; }\n';
  const { uri } = await opened(text);
  const inner = place(text, 'i = 2');
  const context = { context: { includeDeclaration: true } };
  const uses = await ask<LocationAnswer[]>('references', uri, inner, context);
  expect(uses.map(({ range }) => range.start)).toEqual([inner, place(text, 'i] ='), place(text, 'i);')]);
  const { changes } = await ask<{ changes: Record<string, { newText: string }[]> }>('rename', uri, inner, {
    newName: 'index',
  });
  expect(changes[uri]!.map(({ newText }) => newText)).toEqual(['index', 'index', 'index']);
  expect(await ask('prepareRename', uri, place(text, 'kernel'))).toBeNull();
});

const labels = ({ items }: CompletionAnswer) => items.map(({ label }) => label);

test('completion has what is in scope, built-in functions, types and keywords', async () => {
  const text = 'int helper(int a);\nkernel void k(global int *counter) {\n  { int counted; }\n  co\n}\n';
  const { uri } = await opened(text);
  const found = labels(await ask<CompletionAnswer>('completion', uri, place(text, '  co\n', 0, 4)));
  expect(found).toEqual(
    expect.arrayContaining(['counter', 'cos', 'copysign', 'const', 'continue', 'convert_float4']),
  );
  expect(found).not.toContain('counted');
  expect(found).not.toContain('helper');
});

test('a built-in function is explained when it is looked at', async () => {
  const text = 'kernel void k() { fmi }';
  const { uri } = await opened(text);
  const { items } = await ask<CompletionAnswer>('completion', uri, place(text, 'fmi', 0, 3));
  const item = items.find(({ label }) => label === 'fmin');
  const resolved = await client.sendRequest<{ detail: string; documentation: { value: string } }>(
    'completionItem/resolve',
    item,
  );
  expect(resolved.detail).toMatch(/^\w+ fmin\(/);
  expect(resolved.documentation.value).toContain('Math');
});

test.each([
  ['b.', ['mass', 'place']],
  ['p->', ['mass', 'place']],
  ['b.place.', ['x', 'y', 'z', 'w', 's0', 's1', 's2', 's3', 'lo', 'hi', 'even', 'odd']],
  ['p[1].pl', ['place']],
])('completion after %s has the members', async (written, expected) => {
  const text = `typedef struct { float mass; float4 place; } body;\nkernel void k(global body *p) {\n  body b = p[0];\n  ${written}\n}\n`;
  const { uri } = await opened(text);
  const at = place(text, `  ${written}\n`, 0, 2 + written.length);
  expect(labels(await ask<CompletionAnswer>('completion', uri, at))).toEqual(expected);
});

test('signature help follows the arguments', async () => {
  const text = 'int helper(int first, float second);\nkernel void k() { helper(1, max(2, 3), ';
  const { uri } = await opened(text);
  const help = await ask<{ signatures: { label: string }[]; activeParameter: number }>(
    'signatureHelp',
    uri,
    place(text, '3)', 0, 4),
  );
  expect(help.signatures.map(({ label }) => label)).toEqual(['int helper(int first, float second)']);
  expect(help.activeParameter).toBe(2);
});

test('signature help counts no commas of literals and comments', async () => {
  const text =
    'int helper(int first, float second);\nkernel void k() { helper(/* 1, 2 */ \',\', printf("%d, %d) \\"", 1), ';
  const { uri } = await opened(text);
  const help = await ask<{ activeParameter: number }>('signatureHelp', uri, place(text, '1), ', 0, 4));
  expect(help.activeParameter).toBe(2);
});

test('the outline has the declarations of file scope in order', async () => {
  const { uri } = await opened(SOURCE);
  const symbols = await client.sendRequest<{ name: string }[]>('textDocument/documentSymbol', {
    textDocument: { uri },
  });
  expect(symbols.map(({ name }) => name)).toEqual(['TWICE', 'body', 'weight', 'k']);
});

test('a text that ends in the middle, and one of a megabyte, are answered', async () => {
  const { uri } = await opened('kernel void k(global float *p) { p[0] = sin(');
  expect(await ask('hover', uri, { line: 0, character: 42 })).not.toBeNull();
  const large = `kernel void k(global float *p) {\n${'  p[0] += 1.0f;\n'.repeat(60_000)}}\n`;
  expect((await opened(large)).diagnostics).toEqual([]);
});

test('fast typing in a long text: old questions are dropped, and the messages are those of the last text', async () => {
  const lines = '  p[0] += 1.0f;\n'.repeat(20_000);
  const { uri } = await opened(`kernel void k(global float *p) {\n${lines}}\n`);
  const changes = 12;
  const published: PublishDiagnosticsParams[] = [];
  const last = new Promise<void>((resolve) =>
    waiting.set(uri, (params) => {
      published.push(params);
      if (params.version === changes + 1) resolve();
    }),
  );
  const questions: Promise<unknown>[] = [];
  let cancel: CancellationTokenSource | undefined;
  for (let i = 1; i <= changes; i++) {
    cancel?.cancel();
    cancel = new CancellationTokenSource();
    const position = { line: 1, character: i - 1 };
    void client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: i + 1 },
      contentChanges: [{ range: { start: position, end: position }, text: 'x' }],
    });
    questions.push(
      client.sendRequest('textDocument/hover', { textDocument: { uri }, position }, cancel.token),
    );
  }
  const answers = await Promise.allSettled(questions);
  expect(answers.at(-1)!.status).toBe('fulfilled');
  expect(answers.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(changes / 2);
  await last;
  // The text begins with a name that is not declared.
  expect(published.at(-1)!.diagnostics[0]!.message).toContain('xxxxxxxxxxxx');
  expect(published.length).toBeLessThan(changes);
});
