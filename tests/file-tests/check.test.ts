// SPDX-License-Identifier: MIT
//
// tests/check/*.cl: each line that should have a message says so, and no other line has one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Reporter } from '../../ts/compiler/diagnostics/reporter';
import { SourceMap } from '../../ts/compiler/diagnostics/source-map';
import { resolve } from '../../ts/compiler/frontend/builtins';
import { checkUnit } from '../../ts/compiler/frontend/check/check-unit';
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
  checkUnit(tokens, language, reporter, resolve);
  return reporter.diagnostics.map(
    ({ severity, position, message }) => `${position?.line}: ${severity}: ${message}`,
  );
}

for (const name of readdirSync(FOLDER).filter((each) => each.endsWith('.cl'))) {
  test(name, () => {
    const text = readFileSync(join(FOLDER, name), 'utf8');
    const { options, expectations } = readDirectives(text);
    const wanted = expectations.map(
      ({ line, severity, text: message }) => `${line}: ${severity}: ${message}`,
    );
    expect(messagesOf(name, text, options).sort()).toEqual(wanted.sort());
  });
}
