// SPDX-License-Identifier: MIT
//
// Source text for the compiler's thread. Megabytes are posted in parts, between which the event loop continues: the engine
// copies what is posted, and needs some milliseconds for a megabyte.
import type { CompileRequest, TextPart } from './compile-request';

/** Characters. */
const PART = 250_000;

/** The parts of a request's text that precede it, and the request without them. */
export function inParts(request: CompileRequest): {
  readonly parts: readonly TextPart[];
  rest: CompileRequest;
} {
  const text = textOf(request);
  if (text === undefined || text.length <= PART) return { parts: [], rest: request };
  const parts: TextPart[] = [];
  for (let at = 0; at < text.length; at += PART)
    parts.push({ kind: 'text', text: text.slice(at, at + PART) });
  return { parts, rest: withText(request, '') };
}

function textOf(request: CompileRequest): string | undefined {
  if (request.kind === 'compile') return request.input.text;
  return request.kind === 'build' && request.input.kind === 'source' ? request.input.text : undefined;
}

/** The request with another text, if it has one. */
export function withText(request: CompileRequest, text: string): CompileRequest {
  if (request.kind === 'compile') return { ...request, input: { ...request.input, text } };
  if (request.kind === 'build' && request.input.kind === 'source')
    return { ...request, input: { ...request.input, text } };
  return request;
}
