// SPDX-License-Identifier: MIT
//
// `anycl run --step`: a debugger in the terminal. It reads commands, one a line, from a person or from a file.
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import pc from 'picocolors';
import { EXIT } from '../exit';
import type { Breakpoint, Resumption, Stop } from './control';
import { evaluate } from './expression';
import { type DebugSession as Debugged, DebugSession, type DebugSettings } from './start';
import { childrenOf, type DebugValue, textOf } from './values';

const HELP = `  s, step               to the next line, into functions
  n, next               to the next line, over functions
  o, out                until the function returns
  c, continue           to the next breakpoint, report or the end
  b, break [LINE]       stop at a line; FILE:LINE in another file; LINE if CONDITION, such as: b 12 if get_global_id(0) == 5
  d, delete [LINE]      remove the breakpoint of a line, or all
  p, print EXPRESSION   a variable, an element, a member, a sum …: a[i + 1], v.x, get_global_id(0)
  v, variables          all variables of the function
  t, where              the functions that are running
  l, list               the source around the line
  i, item [X[,Y[,Z]]]   the work-items of the group, or select one by its global id
  q, quit
  An empty line repeats the last command.
`;

const LINES_AROUND = 4;
const MOST_CHILDREN = 32;
const MOST_ITEMS = 64;

export async function stepInTerminal(settings: DebugSettings): Promise<void> {
  const output = { print: (text: string) => process.stdout.write(text) };
  const session = await DebugSession.open(settings, output);
  const terminal = new Terminal(session);
  try {
    await terminal.run();
  } finally {
    session.close();
  }
  if (terminal.hasFaults) process.exitCode = EXIT.input;
}

type Command = (rest: string) => Promise<void> | void;

class Terminal {
  hasFaults = false;
  private hasEnded = false;
  private last = '';

  constructor(private readonly session: Debugged) {}

  private readonly commands: Readonly<Record<string, Command>> = {
    step: () => this.go({ kind: 'step', step: 'in' }),
    next: () => this.go({ kind: 'step', step: 'over' }),
    out: () => this.go({ kind: 'step', step: 'out' }),
    continue: () => this.go({ kind: 'continue' }),
    break: (rest) => this.addBreakpoint(rest),
    delete: (rest) => this.removeBreakpoints(rest),
    print: (rest) => this.printExpression(rest),
    variables: () => this.variables(),
    where: () => this.where(),
    list: () => this.list(LINES_AROUND),
    item: (rest) => this.item(rest),
    help: () => this.say(HELP),
  };

  async run(): Promise<void> {
    const { control } = this.session;
    this.stopped(await control.start());
    const lines = createInterface({ input: process.stdin, terminal: false });
    this.prompt();
    for await (const line of lines) {
      const text = line.trim() || this.last;
      this.last = text;
      const [word = '', rest = ''] = text.split(/\s+(.*)/s);
      if (word === 'q' || word === 'quit') break;
      await this.execute(word, rest);
      if (this.hasEnded) break;
      this.prompt();
    }
    lines.close();
    if (this.hasEnded) this.say(await this.session.results());
  }

  private async execute(word: string, rest: string): Promise<void> {
    if (word === '') return;
    const name = word === 't' ? 'where' : Object.keys(this.commands).find((each) => each.startsWith(word));
    if (!name) return this.say(`there is no command '${word}'; see help\n`);
    try {
      await this.commands[name]!(rest.trim());
    } catch (error) {
      this.say(`${(error as Error).message}\n`);
    }
  }

  private say(text: string): void {
    process.stdout.write(text);
  }

  private prompt(): void {
    if (process.stdin.isTTY) this.say('(anycl) ');
  }

  private async go(resumption: Resumption): Promise<void> {
    this.stopped(await this.session.control.run(resumption));
  }

  private stopped(stop: Stop): void {
    if (stop.reason === 'end') {
      this.hasEnded = true;
      this.say('the kernel has ended\n');
      return;
    }
    if (stop.reason === 'fault') {
      this.hasFaults = true;
      this.say(`${this.session.faultText(stop.fault)}\n`);
    }
    if (stop.reason === 'condition') this.say(`the breakpoint's condition: ${stop.message}\n`);
    const { item } = this.session.control;
    const frame = item.frames[item.frames.length - 1];
    this.say(
      pc.bold(`work-item (${item.global.join(', ')}) in ${frame?.name ?? '?'} at ${this.placeText()}\n`),
    );
    this.list(0);
  }

  private placeText(): string {
    const { position } = this.session.control.item;
    return position ? `${basename(this.session.pathOf(position.file))}:${position.line}` : 'no line';
  }

  private list(around: number): void {
    const { position } = this.session.control.item;
    if (!position) return;
    const lines = this.session.textOf(position.file).split('\n');
    const from = Math.max(1, position.line - around);
    for (let line = from; line <= Math.min(lines.length, position.line + around); line++)
      this.say(`${line === position.line ? '>' : ' '}${String(line).padStart(5)}  ${lines[line - 1]}\n`);
  }

  private addBreakpoint(text: string): void {
    const { control, launch } = this.session;
    if (text === '') {
      for (const each of control.breakpoints) this.say(`  ${this.breakpointText(each)}\n`);
      return;
    }
    const [, file, number, condition] = /^(?:(.+):)?(\d+)(?:\s+if\s+(.+))?$/s.exec(text) ?? [];
    if (number === undefined) throw new Error("break takes LINE, FILE:LINE, and 'if CONDITION'");
    const here = control.item.position?.file ?? launch.lines[0]?.file ?? '';
    const found = this.session.lineOf(file ?? this.session.pathOf(here), Number(number));
    if (!found) throw new Error(`there is no code at line ${number} or after it`);
    const breakpoint = { ...found, condition };
    control.breakpoints = [...control.breakpoints, breakpoint];
    this.say(`breakpoint at ${this.breakpointText(breakpoint)}\n`);
  }

  private breakpointText({ file, line, condition }: Breakpoint): string {
    return `${basename(this.session.pathOf(file))}:${line}${condition ? ` if ${condition}` : ''}`;
  }

  private removeBreakpoints(text: string): void {
    const { control } = this.session;
    control.breakpoints = text === '' ? [] : control.breakpoints.filter(({ line }) => line !== Number(text));
  }

  private printExpression(text: string): void {
    const { control, launch } = this.session;
    const result = evaluate(text, { item: control.item, frame: 0, memory: launch });
    this.say(typeof result === 'object' ? this.valueText(text, result) : `${text} = ${result}\n`);
  }

  private valueText(name: string, value: DebugValue): string {
    const { launch } = this.session;
    const lines = [`${name} = ${textOf(value, launch)}`];
    const { kind } = value.type;
    if (kind === 'pointer' || kind === 'array') {
      const children = childrenOf(value, launch);
      for (const child of children.slice(0, MOST_CHILDREN))
        lines.push(`  ${child.name} = ${textOf(child.value, launch)}`);
      if (children.length > MOST_CHILDREN) lines.push('  …');
    }
    return `${lines.join('\n')}\n`;
  }

  private variables(): void {
    const { control, launch } = this.session;
    const { item } = control;
    for (const [name, { variable, place }] of item.visible(item.frames[item.frames.length - 1]))
      this.say(`  ${variable.type.name} ${name} = ${textOf({ type: variable.type, place }, launch)}\n`);
  }

  private where(): void {
    const { frames } = this.session.control.item;
    for (let at = frames.length - 1; at >= 0; at--) {
      const from = frames[at + 1]?.from;
      const place =
        at === frames.length - 1
          ? this.placeText()
          : `${basename(this.session.pathOf(from?.file ?? ''))}:${from?.line}`;
      this.say(`  ${frames[at]!.name} at ${place}\n`);
    }
  }

  private item(text: string): void {
    const { control } = this.session;
    if (text === '') {
      for (const each of control.items.slice(0, MOST_ITEMS)) {
        const mark = each === control.item ? '>' : ' ';
        const line = each.status === 'running' ? `line ${each.position?.line ?? '?'}` : each.status;
        this.say(`${mark} (${each.global.join(', ')})  ${line}\n`);
      }
      return;
    }
    const ids = text.split(',').map(Number);
    const found = control.items.find(({ global }) => ids.every((id, d) => global[d] === id));
    if (!found) throw new Error(`the group that runs has no work-item (${ids.join(', ')})`);
    control.select(found);
    this.say(`work-item (${found.global.join(', ')}) at ${this.placeText()}\n`);
    this.list(0);
  }
}
