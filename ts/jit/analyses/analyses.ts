// SPDX-License-Identifier: MIT
//
// The analysis cache of a function in its current state. An analysis is a pure function of the IR, computed on demand and kept
// until a pass that does not preserve it changes the function.
import type { Func } from '../ir/ir';

export interface Analysis<T> {
  readonly name: string;
  /** `analyses`: for the analyses that this one depends on. */
  compute(func: Func, analyses: Analyses): T;
}

export class Analyses {
  private readonly results = new Map<Analysis<unknown>, unknown>();

  constructor(readonly func: Func) {}

  get<T>(analysis: Analysis<T>): T {
    if (!this.results.has(analysis)) this.results.set(analysis, analysis.compute(this.func, this));
    return this.results.get(analysis) as T;
  }

  /** Drops every result except those of `preserved`, because the function has changed. */
  invalidate(preserved: readonly Analysis<unknown>[] = []): void {
    for (const analysis of this.results.keys())
      if (!preserved.includes(analysis)) this.results.delete(analysis);
  }
}
