// SPDX-License-Identifier: MIT
//
// The `anycl` command's subcommands, as command-table.ts has them. Each is loaded when it runs.
import { Command, CommanderError, Option } from 'commander';
import { COMMANDS, type CommandRow } from './command-table';
import { EXIT } from './exit';
import { standardOutput } from './files';
import { finish } from './finish';

export * as compileTools from './compile-tools';

declare const ANYCL_VERSION: string;

// biome-ignore lint/suspicious/noExplicitAny: what the parser made of the table's row, which each command knows.
type Action = (...given: any[]) => Promise<void>;

const ACTIONS: Readonly<Record<string, Action>> = {
  info: async (flags) => (await import('./info')).info(flags),
  compile: async () =>
    (await import('./compile')).compileCommand(process.argv.slice(3), () => import('./compile-tools')),
  run: async (file, flags) => (await import('./run')).run(file, flags),
  kernels: async (file, flags) => (await import('./kernels')).kernels(file, flags),
  dis: async (file, flags) => (await import('./spirv-files')).disassembleFile(file, flags),
  validate: async (file, flags) => (await import('./spirv-files')).validateFile(file, flags),
  doctor: async (flags) => (await import('./doctor')).doctor(flags),
  exec: async (command, flags) => (await import('./exec')).exec(command, flags),
  'build-addon': async () => (await import('./build-addon')).buildAddon(),
  completion: async (shell) => (await import('./completion')).printCompletion(shell),
  'doctor-probe': async () => (await import('./doctor')).probeDrivers(),
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
  const command = anycl.command(row.name, { hidden: row.hidden ?? false }).description(row.description);
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
  command.action(ACTIONS[row.name]!);
}

/** Runs the command that the process was started for. */
export function main(): Promise<void> {
  standardOutput();
  return finish(async () => {
    try {
      await program().parseAsync(process.argv);
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      // It has written its message.
      process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
    }
  });
}
