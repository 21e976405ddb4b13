// SPDX-License-Identifier: MIT
//
// `anycl run --coverage` and `--counts`: what is collected over the runs, and where it goes.

import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { addCoverage, type Coverage } from '../../base/coverage';
import { writeOutput } from '../files';
import { annotated } from './annotated';
import { countsText } from './counts';
import { lcovText } from './lcov';
import { TERMINAL } from './terminal-mark';

export interface CoverageFlags {
  readonly coverage?: string;
  readonly counts?: boolean;
  readonly json?: boolean;
}

export class CoverageReport {
  private sum: Coverage | undefined;

  constructor(
    private readonly flags: CoverageFlags,
    /** The program's file, which the compiler calls <source>. */
    private readonly file: string,
    private readonly content: Uint8Array,
  ) {}

  /** The option of `open`; undefined if nothing is to be counted. */
  get option(): true | 'memory' | undefined {
    if (this.flags.counts) return 'memory';
    return this.flags.coverage ? true : undefined;
  }

  add(coverage: Coverage | undefined): void {
    if (coverage) this.sum = this.sum ? addCoverage(this.sum, coverage) : coverage;
  }

  /** Writes lcov's file, and prints the rest. Returns what belongs in the JSON of the run. */
  finish(): object {
    const { sum, flags } = this;
    if (!sum || !this.option) return {};
    const { coverage, counts } = flags;
    if (coverage !== undefined && coverage !== TERMINAL)
      writeOutput(coverage, Buffer.from(lcovText(sum, (name) => this.pathOf(name))));
    if (flags.json) return { coverage: this.named(sum) };
    if (coverage === TERMINAL)
      process.stdout.write(
        annotated(sum, {
          pathOf: (name) => (name === SOURCE ? this.file : name),
          textOf: (name) => this.textOf(name),
        }),
      );
    if (counts) process.stdout.write(countsText(this.named(sum)));
    return {};
  }

  private pathOf(name: string): string {
    return resolve(name === SOURCE ? this.file : name);
  }

  private textOf(name: string): string | undefined {
    if (name === SOURCE) return new TextDecoder().decode(this.content);
    try {
      return readFileSync(name, 'utf8');
    } catch {
      return undefined;
    }
  }

  /** With the file's name in place of <source>. */
  private named(coverage: Coverage): Coverage {
    const text = JSON.stringify(coverage).replaceAll(
      `"file":"${SOURCE}"`,
      `"file":${JSON.stringify(basename(this.file))}`,
    );
    return JSON.parse(text) as Coverage;
  }
}

const SOURCE = '<source>';
