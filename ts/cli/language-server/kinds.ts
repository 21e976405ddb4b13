// SPDX-License-Identifier: MIT
//
// The protocol's numbers for the kinds that ts/language-service/ names.
import { CompletionItemKind, DiagnosticSeverity, SymbolKind } from 'vscode-languageserver/node';
import type { Severity } from '../../compiler/diagnostics/diagnostic';
import type { Completion } from '../../language-service/completion';
import type { OutlineEntry } from '../../language-service/outline';

export const SEVERITY: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
};

export const COMPLETION_KIND: Readonly<Record<Completion['kind'], CompletionItemKind>> = {
  function: CompletionItemKind.Function,
  builtin: CompletionItemKind.Function,
  variable: CompletionItemKind.Variable,
  field: CompletionItemKind.Field,
  type: CompletionItemKind.Class,
  keyword: CompletionItemKind.Keyword,
  macro: CompletionItemKind.Constant,
  constant: CompletionItemKind.EnumMember,
};

export const SYMBOL_KIND: Readonly<Record<OutlineEntry['kind'], SymbolKind>> = {
  kernel: SymbolKind.Function,
  function: SymbolKind.Function,
  variable: SymbolKind.Variable,
  struct: SymbolKind.Struct,
  enum: SymbolKind.Enum,
  typedef: SymbolKind.Class,
  macro: SymbolKind.Constant,
};
