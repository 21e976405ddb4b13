// SPDX-License-Identifier: MIT
//
// `anycl lsp`: the Language Server Protocol over standard input and output. ts/language-service/ has the answers, in offsets;
// here they become the protocol's positions and names.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type CompletionItem,
  type Connection,
  createConnection,
  type DocumentSymbol,
  type InitializeResult,
  LSPErrorCodes,
  type Diagnostic as LspDiagnostic,
  type Location as LspLocation,
  MarkupKind,
  type Message,
  type Position,
  type Range,
  type RequestMessage,
  type ResponseMessage,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic } from '../../compiler/diagnostics/diagnostic';
import { describeBuiltin } from '../../compiler/frontend/builtins/describe';
import { readOwnSource } from '../../host/node/source-files';
import { completions } from '../../language-service/completion';
import { definitions, references } from '../../language-service/definition';
import { type OpenDocument, openDocument, wordAt } from '../../language-service/document';
import { builtinText, hover } from '../../language-service/hover';
import type { Place } from '../../language-service/name-index';
import { outline } from '../../language-service/outline';
import { signatureHelp } from '../../language-service/signature';
import { COMPLETION_KIND, SEVERITY, SYMBOL_KIND } from './kinds';

declare const ANYCL_VERSION: string;

/**
 * Messages are not given for each key that is pressed. Each compiles the whole text, which blocks the server: after a long text, it
 * waits until the user pauses for as long as that takes.
 */
const PAUSE_MS = 120;
const LONGEST_PAUSE_MS = 2000;

const CAPABILITIES: InitializeResult['capabilities'] = {
  textDocumentSync: TextDocumentSyncKind.Incremental,
  hoverProvider: true,
  completionProvider: { triggerCharacters: ['.', '>'], resolveProvider: true },
  signatureHelpProvider: { triggerCharacters: ['(', ','] },
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
};

/** Serves until the client ends the connection. */
export function languageServer(): void {
  const connection = createConnection(
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout),
    { cancelUndispatched: cancelled },
  );
  new LanguageServer(connection).listen();
}

/** The answer to a question that was taken back before it was looked at. */
const cancelled = (message: Message): ResponseMessage => ({
  jsonrpc: message.jsonrpc,
  id: (message as RequestMessage).id,
  error: { code: LSPErrorCodes.RequestCancelled, message: 'cancelled' },
});

/** What clients may set, as `initializationOptions` or as the section `anycl` of their configuration. */
interface Configuration {
  /** As for clBuildProgram: `-DN=4 -I include`. Relative folders are below the workspace's. */
  readonly buildOptions?: string;
}

interface Compiled {
  readonly version: number;
  readonly open: OpenDocument;
  /** How long the compilation took. */
  readonly ms: number;
}

class LanguageServer {
  private readonly documents = new TextDocuments(TextDocument);
  /** Of each document the compilation of its last version. */
  private readonly compiled = new Map<string, Compiled>();
  private readonly pauses = new Map<string, NodeJS.Timeout>();
  private buildOptions = '';
  private workspace = process.cwd();

  constructor(private readonly connection: Connection) {}

  listen(): void {
    const { connection, documents } = this;
    connection.onInitialize(({ initializationOptions, workspaceFolders }) => {
      this.configure(initializationOptions);
      const [folder] = workspaceFolders ?? [];
      if (folder) this.workspace = pathOf(folder.uri);
      return { capabilities: CAPABILITIES, serverInfo: { name: 'anycl', version: ANYCL_VERSION } };
    });
    connection.onDidChangeConfiguration(({ settings }) => {
      this.configure((settings as { readonly anycl?: unknown } | null)?.anycl);
      this.compiled.clear();
      for (const document of documents.all()) this.publish(document);
    });
    documents.onDidChangeContent(({ document }) => this.publishSoon(document));
    documents.onDidClose(({ document }) => this.close(document));
    connection.onHover(({ textDocument, position }) => this.hover(textDocument.uri, position));
    connection.onCompletion(({ textDocument, position }) => this.complete(textDocument.uri, position));
    connection.onCompletionResolve((item) => this.describeItem(item));
    connection.onSignatureHelp(({ textDocument, position }) => this.signatures(textDocument.uri, position));
    connection.onDefinition(({ textDocument, position }) =>
      this.locations(textDocument.uri, position, definitions),
    );
    connection.onReferences(({ textDocument, position, context }) =>
      this.locations(textDocument.uri, position, (open, offset) =>
        references(open, offset, context.includeDeclaration),
      ),
    );
    connection.onPrepareRename(({ textDocument, position }) => this.renamed(textDocument.uri, position));
    connection.onRenameRequest(({ textDocument: { uri }, position, newName }) => {
      const places = this.locations(uri, position, (open, offset) => references(open, offset, true));
      if (places.length === 0 || !this.renamed(uri, position)) return null;
      const changes: Record<string, { range: Range; newText: string }[]> = {};
      for (const place of places) {
        changes[place.uri] ??= [];
        changes[place.uri]!.push({ range: place.range, newText: newName });
      }
      return { changes };
    });
    connection.onDocumentSymbol(({ textDocument }) => this.symbols(textDocument.uri));
    documents.listen(connection);
    connection.listen();
  }

  private configure(settings: unknown): void {
    const { buildOptions } = (settings ?? {}) as Configuration;
    if (typeof buildOptions === 'string') this.buildOptions = buildOptions;
  }

  // ---- documents and messages

  /** The document as it is now, compiled; undefined if the client has not opened it. */
  private open(uri: string): { readonly document: TextDocument; readonly open: OpenDocument } | undefined {
    const document = this.documents.get(uri);
    if (document === undefined) return undefined;
    const known = this.compiled.get(uri);
    if (known?.version === document.version) return { document, open: known.open };
    const file = pathOf(uri);
    const folders = [dirname(file), this.workspace];
    const started = performance.now();
    const open = openDocument({
      name: file,
      text: document.getText(),
      options: this.buildOptions,
      readFile: (path, named) =>
        readOwnSource(resolve(this.workspace, path), [
          ...folders,
          ...named.map((folder) => resolve(this.workspace, folder)),
        ]),
    });
    this.compiled.set(uri, { version: document.version, open, ms: performance.now() - started });
    return { document, open };
  }

  private publishSoon(document: TextDocument): void {
    clearTimeout(this.pauses.get(document.uri));
    const last = this.compiled.get(document.uri)?.ms ?? 0;
    const pause = Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, last));
    this.pauses.set(
      document.uri,
      setTimeout(() => this.publish(document), pause),
    );
  }

  private publish(document: TextDocument): void {
    const compiled = this.open(document.uri);
    if (compiled === undefined) return;
    const diagnostics = compiled.open.diagnostics.map((each) => this.message(document, each));
    void this.connection.sendDiagnostics({ uri: document.uri, version: document.version, diagnostics });
  }

  private close({ uri }: TextDocument): void {
    clearTimeout(this.pauses.get(uri));
    this.pauses.delete(uri);
    this.compiled.delete(uri);
    void this.connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  /** A message about another file is shown at the `#include` that leads to it. */
  private message(document: TextDocument, diagnostic: Diagnostic): LspDiagnostic {
    const { severity, flag, code, notes, position } = diagnostic;
    const inMain = position === undefined || position.file === pathOf(document.uri);
    const at = inMain ? diagnostic : { ...diagnostic, position: diagnostic.includedFrom?.at(-1), ranges: [] };
    const elsewhere = inMain ? '' : `${position.file}:${position.line}: `;
    return {
      range: rangeOf(document, at),
      severity: SEVERITY[severity],
      code: flag === undefined ? code : `-W${flag}`,
      source: 'anycl',
      message: elsewhere + diagnostic.message,
      relatedInformation: notes
        .filter((note) => note.position !== undefined)
        .map((note) => ({ location: this.noteLocation(document, note), message: note.message })),
      ...(flag === 'deprecated-declarations' && { tags: [2] }),
      ...(flag?.startsWith('unused') && { tags: [1] }),
    };
  }

  private noteLocation(document: TextDocument, note: Diagnostic): LspLocation {
    const { file, line, column } = note.position!;
    if (file === pathOf(document.uri)) return { uri: document.uri, range: rangeOf(document, note) };
    const start = { line: line - 1, character: column - 1 };
    return { uri: pathToFileURL(resolve(this.workspace, file)).href, range: { start, end: start } };
  }

  // ---- questions

  private hover(uri: string, position: Position) {
    const compiled = this.open(uri);
    if (compiled === undefined) return null;
    const { document, open } = compiled;
    const found = hover(open, document.offsetAt(position));
    if (found === undefined) return null;
    return {
      contents: { kind: MarkupKind.Markdown, value: markdown(found) },
      range: { start: document.positionAt(found.begin), end: document.positionAt(found.end) },
    };
  }

  private complete(uri: string, position: Position) {
    const compiled = this.open(uri);
    if (compiled === undefined) return null;
    const list = completions(compiled.open, compiled.document.offsetAt(position));
    const items = list.map(
      ({ name, kind, detail }): CompletionItem => ({
        label: name,
        kind: COMPLETION_KIND[kind],
        ...(detail !== '' && { detail }),
        ...(kind === 'builtin' && { data: uri }),
      }),
    );
    // Which built-in functions are listed depends on the first letters.
    return { isIncomplete: true, items };
  }

  /** Prototypes of a built-in function, when it is looked at. */
  private describeItem(item: CompletionItem): CompletionItem {
    const open = typeof item.data === 'string' ? this.open(item.data)?.open : undefined;
    const builtin = open && describeBuiltin(item.label, open.language);
    if (builtin === undefined) return item;
    const { code, text } = builtinText(builtin);
    return {
      ...item,
      detail: builtin.prototypes[0] ?? '',
      documentation: { kind: MarkupKind.Markdown, value: markdown({ code, text }) },
    };
  }

  private signatures(uri: string, position: Position) {
    const compiled = this.open(uri);
    const help = compiled && signatureHelp(compiled.open, compiled.document.offsetAt(position));
    if (help === undefined) return null;
    return {
      signatures: help.prototypes.map((label) => ({ label, parameters: parametersOf(label) })),
      activeSignature: 0,
      activeParameter: help.argument,
    };
  }

  private locations(
    uri: string,
    position: Position,
    find: (open: OpenDocument, offset: number) => readonly Place[],
  ): LspLocation[] {
    const compiled = this.open(uri);
    if (compiled === undefined) return [];
    const { document, open } = compiled;
    return find(open, document.offsetAt(position)).flatMap((place) => this.location(document, place) ?? []);
  }

  private location(document: TextDocument, { file, offset, length }: Place): LspLocation | undefined {
    const target = file === pathOf(document.uri) ? document : this.otherFile(file);
    return (
      target && {
        uri: target.uri,
        range: { start: target.positionAt(offset), end: target.positionAt(offset + length) },
      }
    );
  }

  /** Undefined for what is not a file: names from `-D`. */
  private otherFile(file: string): TextDocument | undefined {
    const path = resolve(this.workspace, file);
    const uri = pathToFileURL(path).href;
    const opened = this.documents.get(uri);
    if (opened !== undefined) return opened;
    try {
      return TextDocument.create(uri, 'opencl', 0, readFileSync(path, 'utf8'));
    } catch {
      return undefined;
    }
  }

  /** The range of a name of the program; null for what cannot be renamed. */
  private renamed(uri: string, position: Position): Range | null {
    const compiled = this.open(uri);
    if (compiled === undefined) return null;
    const { document, open } = compiled;
    const found = open.names.at(document.offsetAt(position));
    if (found === undefined || found.entity.declarations.length === 0) return null;
    const { begin, end } = wordAt(document.getText(), found.offset);
    return { start: document.positionAt(begin), end: document.positionAt(end) };
  }

  private symbols(uri: string): DocumentSymbol[] {
    const compiled = this.open(uri);
    if (compiled === undefined) return [];
    const { document, open } = compiled;
    return outline(open).map(({ name, kind, detail, place }) => {
      const range = {
        start: document.positionAt(place.offset),
        end: document.positionAt(place.offset + place.length),
      };
      return { name, kind: SYMBOL_KIND[kind], detail, range, selectionRange: range };
    });
  }
}

/** A document that is in no file has its URI as its name. */
const pathOf = (uri: string): string => (uri.startsWith('file:') ? fileURLToPath(uri) : uri);

function markdown({ code, text }: { readonly code: string; readonly text: string }): string {
  const block = code === '' ? '' : `\`\`\`opencl\n${code}\n\`\`\`\n`;
  return `${block}${text}`;
}

/** What is underlined; without that, the word at the place. */
function rangeOf(
  document: TextDocument,
  { position, ranges }: Pick<Diagnostic, 'position' | 'ranges'>,
): Range {
  const line = (position?.line ?? 1) - 1;
  const [range] = ranges;
  if (range !== undefined && position !== undefined) {
    return { start: { line, character: range.begin - 1 }, end: { line, character: range.end - 1 } };
  }
  const start = { line, character: (position?.column ?? 1) - 1 };
  const { end } = wordAt(document.getText(), document.offsetAt(start));
  const after = document.positionAt(Math.max(end, document.offsetAt(start) + 1));
  return { start, end: after.line === line ? after : { line, character: start.character + 1 } };
}

/** The places of the parameters in a prototype. */
function parametersOf(prototype: string): { readonly label: [number, number] }[] {
  const begin = prototype.indexOf('(') + 1;
  const end = prototype.lastIndexOf(')');
  const list: { readonly label: [number, number] }[] = [];
  for (let at = begin, depth = 0, from = begin; at <= end; at++) {
    const character = prototype[at];
    if (character === '(') depth++;
    else if (character === ')' && at < end) depth--;
    else if ((character === ',' && depth === 0) || at === end) {
      if (prototype.slice(from, at).trim() !== '') list.push({ label: [from, at] });
      from = at + 2;
    }
  }
  return list;
}
