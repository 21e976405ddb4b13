// SPDX-License-Identifier: MIT
//
// The `anycl` command's subcommands, as command-table.ts has them. What a subcommand works with is loaded when it runs.
import { Command, CommanderError, Option } from 'commander';
import { buildAddon } from './build-addon';
import { COMMANDS, type CommandRow } from './command-table';
import { printCompletion } from './completion';
import { TERMINAL } from './coverage/terminal-mark';
import { exec } from './exec';
import { EXIT } from './exit';
import { standardOutput } from './files';
import { finish } from './finish';

declare const ANYCL_VERSION: string;

// biome-ignore lint/suspicious/noExplicitAny: the flags of the table's row, whose types each command declares.
type Action = (...given: any[]) => void | Promise<void>;

const devices = () => require('./device-commands') as typeof import('./device-commands');
const modules = () => require('./module-commands') as typeof import('./module-commands');
const compiler = () => require('./compile/main') as typeof import('./compile/main');

const ACTIONS: Readonly<Record<string, () => Action>> = {
  info: () => devices().info,
  compile: () => compiler().main,
  run: () => devices().run,
  kernels: () => devices().kernels,
  bench: () => devices().bench,
  trace: () => (require('./trace') as typeof import('./trace')).showTrace,
  dis: () => modules().disassembleFile,
  validate: () => modules().validateFile,
  types: () => modules().types,
  doctor: () => devices().doctor,
  lsp: () =>
    (require('./language-server/server') as typeof import('./language-server/server')).languageServer,
  'debug-adapter': () =>
    (require('./debugger/debuggers') as typeof import('./debugger/debuggers')).debugAdapter,
  playground: () => (require('./playground') as typeof import('./playground')).playground,
  exec: () => exec,
  'build-addon': () => buildAddon,
  completion: () => printCompletion,
  'doctor-probe': () => devices().probeDrivers,
};

function program(): Command {
  const anycl = new Command('anycl')
    .description('OpenCL for Node.js that always works: compile, run and inspect OpenCL C anywhere')
    .version(ANYCL_VERSION)
    .exitOverride()
    .configureHelp({ showGlobalOptions: false })
    .showHelpAfterError('(see anycl --help)')
    .addHelpText('after', '\nTo begin with:\n  anycl doctor\n  anycl COMMAND --help');
  for (const row of COMMANDS) addCommand(anycl, row);
  return anycl;
}

const collect = (value: string, list: readonly string[] = []): readonly string[] => [...list, value];

function addCommand(anycl: Command, row: CommandRow): void {
  const command = anycl
    .command(row.name, { hidden: row.hidden ?? false })
    .description(row.description)
    .showHelpAfterError(`(see anycl ${row.name} --help)`);
  for (const [name, description] of row.arguments ?? []) command.argument(name, description);
  if (row.parsesItself) command.helpOption(false).allowUnknownOption();
  else
    for (const { flags, description, byDefault, repeats } of row.options) {
      const option = new Option(flags, description);
      if (repeats) option.argParser(collect);
      else if (byDefault !== undefined) option.default(byDefault);
      command.addOption(option);
    }
  const examples = row.examples.map((example) => `\n  ${example}`).join('');
  command.addHelpText('after', `${row.notes ? `\n${row.notes}\n` : ''}\nExamples:${examples}`);
  command.action((...given) => ACTIONS[row.name]!()(...given));
}

/**
 * Of `help NAME` and `NAME --help` with a name that no command has, the name alone: with the rest commander shows the general help and
 * names no mistake.
 */
function withoutHelpForNothing(argv: readonly string[]): readonly string[] {
  const name = argv[2] === 'help' ? argv[3] : argv[2];
  if (name === undefined || name.startsWith('-') || name === 'help') return argv;
  return COMMANDS.some((row) => row.name === name) ? argv : [...argv.slice(0, 2), name];
}

/** Options of `run` without their optional values. */
const ALONE: Readonly<Record<string, string>> = {
  '--check': '--check=all',
  '--coverage': `--coverage=${TERMINAL}`,
};

/** In `run --check FILE` the file is not a list of checks. */
function withoutAmbiguity(argv: readonly string[]): string[] {
  if (argv[2] !== 'run') return [...argv];
  return argv.map((word) => ALONE[word] ?? word);
}

/** Runs the command of the command line. */
export function main(): Promise<void> {
  standardOutput();
  return finish(async () => {
    try {
      await program().parseAsync(withoutAmbiguity(withoutHelpForNothing(process.argv)));
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      // commander has written its message.
      process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
    }
  });
}
