// SPDX-License-Identifier: MIT
//
// The line of a `#define` after the word: tokens to a `Macro`.
import type { Reporter } from '../../diagnostics/reporter';
import type { Lexer } from '../lex/lexer';
import type { PpToken } from '../lex/pp-token';
import { type BodyItem, LONGEST_BODY, Macro } from './macro';

/**
 * Reads a definition up to the line's end. Undefined, and reported, after an error; the line is consumed in
 * any case.
 */
export function readDefinition(
  name: PpToken,
  lexer: Lexer,
  reporter: Reporter,
  predefined: boolean,
): Macro | undefined {
  let token = lexer.next();
  let parameters: string[] | undefined;
  let variadic = false;
  if (token.kind === 'punctuator' && token.text === '(' && !token.space) {
    const list = readParameters(token, lexer, reporter);
    if (!list) return undefined;
    ({ parameters, variadic } = list);
    token = lexer.next();
  } else if (token.kind !== 'newline' && !token.space) {
    reporter.report('macro-space-missing', token.location);
  }
  const indices = parameters && new Map(parameters.map((each, index) => [each, index]));
  const list = readBody(token, lexer, { reporter, indices, variadic });
  return list && new Macro(name.text, name.location, parameters, variadic, list.body, predefined);
}

function readParameters(
  open: PpToken,
  lexer: Lexer,
  reporter: Reporter,
): { parameters: string[]; variadic: boolean } | undefined {
  const parameters: string[] = [];
  const names = new Set<string>();
  let token = lexer.next();
  if (token.text === ')' && token.kind === 'punctuator') return { parameters, variadic: false };
  for (;;) {
    if (token.kind === 'punctuator' && token.text === '...') {
      parameters.push('__VA_ARGS__');
      return closeParameters(lexer, reporter) ? { parameters, variadic: true } : undefined;
    }
    if (token.kind === 'newline') {
      reporter.report('macro-parameters-unterminated', open.location);
      return undefined;
    }
    if (token.kind !== 'identifier') {
      reporter.report('macro-parameter-expected', token.location);
      return undefined;
    }
    if (token.text === '__VA_ARGS__') reporter.report('va-args-misplaced', token.location);
    if (names.has(token.text)) {
      reporter.report('macro-parameter-duplicate', token.location, { name: token.text });
      return undefined;
    }
    names.add(token.text);
    parameters.push(token.text);
    token = lexer.next();
    if (token.kind === 'punctuator' && token.text === ')') return { parameters, variadic: false };
    if (token.kind === 'punctuator' && token.text === '...') {
      // GNU: `name...`
      return closeParameters(lexer, reporter) ? { parameters, variadic: true } : undefined;
    }
    if (token.kind === 'newline') {
      reporter.report('macro-parameters-unterminated', open.location);
      return undefined;
    }
    if (token.text !== ',') {
      reporter.report('macro-parameters-comma', token.location);
      return undefined;
    }
    token = lexer.next();
  }
}

function closeParameters(lexer: Lexer, reporter: Reporter): boolean {
  const token = lexer.next();
  if (token.kind === 'punctuator' && token.text === ')') return true;
  reporter.report('macro-parameters-unterminated', token.location);
  return false;
}

interface Signature {
  readonly reporter: Reporter;
  /** The parameters' indices by name; undefined for an object-like macro. */
  readonly indices: ReadonlyMap<string, number> | undefined;
  readonly variadic: boolean;
}

interface ReplacementList {
  readonly body: BodyItem[];
  /** The last token: that of the line's end, or the parenthesis that closes `__VA_OPT__`. */
  readonly close: PpToken;
}

/** Up to the line's end, or up to the parenthesis that closes `opener`, a `__VA_OPT__`. */
function readBody(
  first: PpToken,
  lexer: Lexer,
  signature: Signature,
  opener?: PpToken,
): ReplacementList | undefined {
  const { reporter, indices, variadic } = signature;
  const body: BodyItem[] = [];
  let depth = 0;
  let token = first;
  for (; token.kind !== 'newline'; token = lexer.next()) {
    if (opener !== undefined && token.kind === 'punctuator') {
      if (token.text === '(') depth++;
      else if (token.text === ')' && depth-- === 0) break;
    }
    if (body.length > LONGEST_BODY) continue;
    if (token.kind === 'punctuator' && token.text === '##') {
      const left = body.at(-1);
      if (!left) {
        reporter.report('paste-at-start', token.location);
        return undefined;
      }
      left.pasteNext = true;
      continue;
    }
    const stringize = token.kind === 'punctuator' && token.text === '#' && indices !== undefined;
    const operand = stringize ? lexer.next() : token;
    if (variadic && isOptional(operand)) {
      const optional = readOptional(operand, lexer, signature, opener);
      if (!optional) return undefined;
      body.push({ token, parameter: -1, stringize, pasteNext: false, optional });
      continue;
    }
    const parameter = operand.kind === 'identifier' ? (indices?.get(operand.text) ?? -1) : -1;
    if (stringize && parameter < 0) {
      reporter.report('stringize-without-parameter', token.location);
      return undefined;
    }
    if (parameter < 0 && token.text === '__VA_ARGS__') reporter.report('va-args-misplaced', token.location);
    if (isOptional(operand)) reporter.report('va-opt-misplaced', token.location);
    body.push({ token, parameter, stringize, pasteNext: false });
  }
  if (body.at(-1)?.pasteNext) {
    reporter.report('paste-at-end', body.at(-1)!.token.location);
    return undefined;
  }
  if (opener !== undefined && token.kind === 'newline') {
    reporter.report('va-opt-unterminated', opener.location);
    return undefined;
  }
  return { body, close: token };
}

const isOptional = ({ kind, text }: PpToken): boolean => kind === 'identifier' && text === '__VA_OPT__';

/** `__VA_OPT__(…)` (C23, 6.10.5.1), after its name. */
function readOptional(
  name: PpToken,
  lexer: Lexer,
  signature: Signature,
  outer: PpToken | undefined,
): ReplacementList | undefined {
  const { reporter } = signature;
  if (outer !== undefined) {
    reporter.report('va-opt-nested', name.location);
    return undefined;
  }
  const open = lexer.next();
  if (open.kind !== 'punctuator' || open.text !== '(') {
    reporter.report('va-opt-paren', name.location);
    return undefined;
  }
  return readBody(lexer.next(), lexer, signature, name);
}
