// SPDX-License-Identifier: MIT
//
// `anycl trace`: what a recorded trace says, as a table, as JSON, and as a page with a picture.
import { basename } from 'node:path';
import { tracePage } from '../trace/page';
import { parseTrace, type TraceModel } from '../trace/parse';
import { summarize } from '../trace/summary';
import { summaryText } from '../trace/summary-text';
import { inputError } from './exit';
import { readInput, writeOutput } from './files';

export interface TraceFlags {
  o?: string;
  json?: boolean;
}

export function showTrace(file: string, flags: TraceFlags): void {
  const model = read(file);
  if (flags.o !== undefined) writeOutput(flags.o, tracePage(model, { title: basename(file) }));
  const summary = summarize(model);
  if (flags.json) writeOutput('-', `${JSON.stringify(summary, undefined, 2)}\n`);
  else if (flags.o !== '-') writeOutput('-', summaryText(summary));
}

function read(file: string): TraceModel {
  const text = new TextDecoder().decode(readInput(file));
  let model: TraceModel;
  try {
    model = parseTrace(text);
  } catch (error) {
    throw inputError(`anycl: '${file}' is not a trace: ${(error as Error).message}`);
  }
  if (model.processes.length === 0) throw inputError(`anycl: '${file}' is an empty trace`);
  return model;
}
