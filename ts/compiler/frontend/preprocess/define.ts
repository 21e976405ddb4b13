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
  const body = readBody(token, lexer, reporter, parameters);
  return body && new Macro(name.text, name.location, parameters, variadic, body, predefined);
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

function readBody(
  first: PpToken,
  lexer: Lexer,
  reporter: Reporter,
  parameters: readonly string[] | undefined,
): BodyItem[] | undefined {
  const indices = new Map(parameters?.map((name, index) => [name, index]));
  const body: BodyItem[] = [];
  for (let token = first; token.kind !== 'newline'; token = lexer.next()) {
    if (body.length > LONGEST_BODY) continue;
    const punctuator = token.kind === 'punctuator';
    if (punctuator && token.text === '##') {
      const left = body.at(-1);
      if (!left) {
        reporter.report('paste-at-start', token.location);
        return undefined;
      }
      left.pasteNext = true;
    } else if (punctuator && token.text === '#' && parameters) {
      const operand = lexer.next();
      const parameter = operand.kind === 'identifier' ? indices.get(operand.text) : undefined;
      if (parameter === undefined) {
        reporter.report('stringize-without-parameter', token.location);
        return undefined;
      }
      body.push({ token, parameter, stringize: true, pasteNext: false });
    } else {
      const parameter = token.kind === 'identifier' ? (indices.get(token.text) ?? -1) : -1;
      if (parameter < 0 && token.text === '__VA_ARGS__') reporter.report('va-args-misplaced', token.location);
      body.push({ token, parameter, stringize: false, pasteNext: false });
    }
  }
  if (body.at(-1)?.pasteNext) {
    reporter.report('paste-at-end', body.at(-1)!.token.location);
    return undefined;
  }
  return body;
}
