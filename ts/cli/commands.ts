// SPDX-License-Identifier: MIT
//
// The `anycl` command's subcommands. Each is loaded when it runs.
import { Command, CommanderError, Option } from 'commander';
import { EXIT } from './exit';
import { standardOutput } from './files';
import { finish } from './finish';
import type { InfoFlags } from './info';
import type { RunFlags } from './run';

export * as compileTools from './compile-tools';

declare const ANYCL_VERSION: string;

const collect = (value: string, list: readonly string[]): readonly string[] => [...list, value];

function program(): Command {
  const anycl = new Command('anycl')
    .description('OpenCL for Node.js that always works: compile, run and inspect OpenCL C anywhere')
    .version(ANYCL_VERSION)
    .exitOverride()
    .configureHelp({ showGlobalOptions: false })
    .showHelpAfterError('(see anycl --help)');

  anycl
    .command('info')
    .description('list platforms, devices and their properties')
    .option('-l, --list', 'names only')
    .option('--json', 'as JSON')
    .addOption(deviceOption())
    .action(async (flags: InfoFlags) => (await import('./info')).info(flags));

  anycl
    .command('compile')
    .description('compile OpenCL C to SPIR-V (see anycl compile --help)')
    .argument('[arguments...]', 'files and OpenCL build options')
    .helpOption(false)
    .allowUnknownOption()
    .action(async () =>
      (await import('./compile')).compileCommand(process.argv.slice(3), () => import('./compile-tools')),
    );

  anycl
    .command('run')
    .description('build a file and run one of its kernels')
    .argument('<file>', 'OpenCL C (.cl) or SPIR-V (.spv)')
    .requiredOption('--kernel <name>', 'which kernel')
    .requiredOption('--global <x,y,z>', 'work-items in each dimension')
    .option('--local <x,y,z>', 'work-items of one work-group')
    .option('--offset <x,y,z>', 'first global id')
    .addOption(deviceOption())
    .option('--build-options <options>', 'as for clBuildProgram')
    .option('--repeat <n>', 'run so many times', '1')
    .option(
      '--arg <spec>',
      'one kernel argument, in order: float=2.5, float[1024]=range, local:float[64], …',
      collect,
      [],
    )
    .option('--save <index=file>', 'write an argument after the run: raw, .npy or .png', collect, [])
    .option('--print <index>', 'print an argument after the run', collect, [])
    .option('--profile', 'show the times of build, transfer and kernel')
    .option('--json', 'print the times as JSON')
    .action(async (file: string, flags: RunFlags) => (await import('./run')).run(file, flags));

  anycl
    .command('dis')
    .description('print SPIR-V as assembly')
    .argument('<file>', 'SPIR-V')
    .action(async (file: string) => (await import('./spirv-files')).disassembleFile(file));

  anycl
    .command('validate')
    .description("check SPIR-V against the specification's rules")
    .argument('<file>', 'SPIR-V')
    .action(async (file: string) => (await import('./spirv-files')).validateFile(file));

  anycl
    .command('doctor')
    .description('say what of OpenCL this machine has, why not more, and how to get it')
    .action(async () => (await import('./doctor')).doctor());

  anycl
    .command('doctor-probe', { hidden: true })
    .action(async () => (await import('./doctor')).probeDrivers());

  return anycl;
}

const deviceOption = (): Option =>
  new Option('--device <sel>', 'gpu, cpu, software, PLATFORM:DEVICE by number, or a part of a name');

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
