// SPDX-License-Identifier: MIT
//
// Starts a debugged launch: builds the program with line numbers and checks, sets the arguments, and stops before the first line.
import { resolve } from 'node:path';
import { handleFor } from '../../api/internals';
import type { Session } from '../../api/open';
import { DebugLaunch } from '../../backend/software/launch/debug-launch';
import type { SoftwareKernel } from '../../backend/software/programs/kernel';
import { CHECKS, type Check, expandChecks } from '../../base/checks';
import type { Fault } from '../../base/faults';
import { formatElements } from '../data/element-data';
import { readInput } from '../files';
import { parseArgumentSpec } from '../run/argument-spec';
import { checkCount, checkType, chosenKernel, contentsOf, type Given, give } from '../run/arguments';
import { build, openSession } from '../session';
import { DebugControl } from './control';

export interface DebugSettings {
  readonly file: string;
  readonly kernel?: string | undefined;
  readonly global: readonly number[];
  readonly local?: readonly number[] | undefined;
  readonly offset?: readonly number[] | undefined;
  readonly buildOptions?: string | undefined;
  /** As `--arg`. */
  readonly args: readonly string[];
  /** The arguments to print at the end. */
  readonly print?: readonly number[] | undefined;
  readonly checks?: readonly Check[] | undefined;
}

export interface DebugOutput {
  print(text: string): void;
}

const SOURCE = '<source>';

export class DebugSession {
  private constructor(
    readonly control: DebugControl,
    readonly launch: DebugLaunch,
    private readonly session: Session,
    private readonly settings: DebugSettings,
    private readonly content: Uint8Array,
    private readonly given: readonly Given[],
  ) {}

  static async open(settings: DebugSettings, output: DebugOutput): Promise<DebugSession> {
    const { file, global, local, offset, args } = settings;
    const content = readInput(file);
    const check = settings.checks ?? expandChecks('all');
    const session = openSession('software', { check: check.length > 0 ? check : [CHECKS[0]] });
    const program = await build(session, file, content, settings.buildOptions ?? '');
    const kernel = chosenKernel(program, file, settings.kernel);
    const specs = args.map(parseArgumentSpec);
    checkCount(specs, kernel);
    for (const [i, spec] of specs.entries()) checkType(spec, kernel.arguments[i]!, args[i]!);
    const given = specs.map((spec) => give(session, spec));
    kernel.setArgs(...given.map(({ value }) => value));
    await session.queue.finish();
    const seen = new Set<string>();
    let control: DebugControl | undefined;
    const launch = new DebugLaunch(
      kernel[handleFor]('clEnqueueNDRangeKernel') as SoftwareKernel,
      { global, local, offset },
      {
        print: (text) => output.print(text),
        fault: (fault: Fault) => {
          const key = `${fault.kind} ${fault.place?.line} ${fault.place?.column} ${fault.object?.name}`;
          if (seen.has(key)) return;
          seen.add(key);
          control?.report(fault);
        },
      },
    );
    control = new DebugControl(launch);
    return new DebugSession(control, launch, session, settings, content, given);
  }

  /** The path of a file as the compiler names it. */
  pathOf(file: string): string {
    return resolve(file === SOURCE ? this.settings.file : file);
  }

  /** The compiler's name of a file, and the first line from the given one on that has code; undefined if there is none. */
  lineOf(path: string, line: number): { readonly file: string; readonly line: number } | undefined {
    const wanted = resolve(path);
    const candidates = this.launch.lines.filter(
      (each) => each.line >= line && this.pathOf(each.file) === wanted,
    );
    return candidates.sort((a, b) => a.line - b.line)[0];
  }

  textOf(file: string): string {
    return new TextDecoder().decode(file === SOURCE ? this.content : readInput(file));
  }

  /** A report's text, with the file's name. */
  faultText({ text }: Fault): string {
    return text.replaceAll(SOURCE, this.settings.file);
  }

  /** The arguments that are to be printed, as text. */
  async results(): Promise<string> {
    let text = '';
    for (const index of this.settings.print ?? []) {
      const { bytes, shape } = await contentsOf(this.given[index]!, []);
      text += `${formatElements(bytes, shape.type)}\n`;
    }
    return text;
  }

  close(): void {
    this.launch.finish();
    this.session.close();
  }
}
