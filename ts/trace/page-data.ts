// SPDX-License-Identifier: MIT
//
// The data of the page's picture: small enough for a browser, whatever the trace's size.
import { type Arguments, CATEGORIES } from './events';
import type { ProcessModel, Span, TraceModel } from './parse';

/** [start, duration, name, category, how many spans it stands for] */
type Box = readonly [number, number, number, number, number];

export interface PageData {
  /** Microseconds. */
  readonly length: number;
  readonly names: readonly string[];
  readonly categories: readonly string[];
  readonly rows: readonly {
    readonly group: string;
    readonly name: string;
    /** The arguments are those of a single span. */
    readonly boxes: readonly (readonly [depth: number, ...box: Box, args?: Arguments])[];
    /** How deep its spans nest. */
    readonly depth: number;
  }[];
}

/** Boxes of a whole page. */
const MOST_BOXES = 40_000;
/** If there would be more, neighbours that are closer than this part of the trace are merged. */
const NEAR = 1 / 8000;

export function pageData(model: TraceModel): PageData {
  const count = model.processes.reduce((sum, { tracks }) => sum + lengthOf(tracks), 0);
  const near = count > MOST_BOXES ? (model.end - model.start) * NEAR : 0;
  const names = new Map<string, number>();
  const nameOf = (name: string): number => {
    const known = names.get(name) ?? names.size;
    names.set(name, known);
    return known;
  };
  const rows = model.processes.flatMap((process: ProcessModel) =>
    process.tracks
      .filter(({ spans }) => spans.length > 0)
      .map(({ name, spans }) => {
        const ends: number[] = [];
        const boxes = merged(spans, near).map(({ span, end, count: stands }) => {
          let depth = 0;
          while ((ends[depth] ?? 0) > span.start + 1e-3) depth++;
          ends[depth] = end;
          const args = stands === 1 ? span.args : undefined;
          const box: Box = [
            rounded(span.start - model.start),
            rounded(end - span.start),
            nameOf(span.name),
            CATEGORIES.indexOf(span.cat),
            stands,
          ];
          return args && Object.keys(args).length > 0
            ? ([depth, ...box, args] as const)
            : ([depth, ...box] as const);
        });
        return { group: process.name, name, boxes, depth: Math.max(1, ends.length) };
      }),
  );
  return {
    length: rounded(model.end - model.start),
    names: [...names.keys()],
    categories: CATEGORIES,
    rows,
  };
}

const lengthOf = (tracks: readonly { readonly spans: readonly Span[] }[]): number =>
  tracks.reduce((sum, { spans }) => sum + spans.length, 0);

const rounded = (micros: number): number => Math.round(micros * 1000) / 1000;

/** The spans of one track; short consecutive ones of a kind are merged. */
function merged(spans: readonly Span[], near: number): { span: Span; end: number; count: number }[] {
  const result: { span: Span; end: number; count: number }[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    const joins =
      last !== undefined &&
      span.end - span.start < near &&
      last.span.cat === span.cat &&
      span.start - last.end < near &&
      (last.count > 1 || last.end - last.span.start < near);
    if (joins) {
      last.end = Math.max(last.end, span.end);
      last.count++;
    } else result.push({ span, end: span.end, count: 1 });
  }
  return result;
}
