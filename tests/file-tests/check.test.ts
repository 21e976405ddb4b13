// SPDX-License-Identifier: MIT
//
// tests/check/*.cl: each line that should have a message says so, and no other line has one. A line `//--- OPTIONS`
// begins a program of its own, with these options.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Reporter } from '../../ts/compiler/diagnostics/reporter';
import { SourceMap } from '../../ts/compiler/diagnostics/source-map';
import { resolve } from '../../ts/compiler/frontend/builtins';
import { checkUnit } from '../../ts/compiler/frontend/check/check-unit';
import { parseUnit } from '../../ts/compiler/frontend/parse/parse-unit';
import { preprocess } from '../../ts/compiler/frontend/preprocess/preprocessor';
import { parseOptions } from '../../ts/compiler/options';
import { readDirectives } from './directives';

const FOLDER = join(__dirname, '..', 'check');

function messagesOf(name: string, text: string, optionText: string): string[] {
  const { options } = parseOptions(optionText);
  const reporter = new Reporter(new SourceMap(), options.warnings);
  const { commandLine, includeDirectories, language } = options;
  const headers = new Map<string, string>();
  const input = { name, text, commandLine, includeDirectories, headers, readFile: undefined };
  const tokens = preprocess(input, language, reporter);
  checkUnit(parseUnit(tokens, language, reporter), language, reporter, resolve);
  return reporter.diagnostics.map(
    ({ severity, position, message }) => `${position?.line}: ${severity}: ${message}`,
  );
}

function programsOf(text: string): { program: string; options: string }[] {
  const [, ...parts] = text.split(/^\/\/---(.*)\n/m);
  if (parts.length === 0) return [{ program: text, options: readDirectives(text).options }];
  return Array.from({ length: parts.length / 2 }, (_, i) => ({
    options: parts[i * 2]!.trim(),
    program: parts[i * 2 + 1]!,
  }));
}

for (const name of readdirSync(FOLDER).filter((each) => each.endsWith('.cl'))) {
  test(name, () => {
    const wrong: { program: string; wanted: string[]; got: string[] }[] = [];
    for (const { program, options } of programsOf(readFileSync(join(FOLDER, name), 'utf8'))) {
      const wanted = readDirectives(program)
        .expectations.map(({ line, severity, text }) => `${line}: ${severity}: ${text}`)
        .sort();
      const got = messagesOf(name, program, options).sort();
      if (got.join('\n') !== wanted.join('\n')) wrong.push({ program, wanted, got });
    }
    expect(wrong).toEqual([]);
  });
}
