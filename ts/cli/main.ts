// SPDX-License-Identifier: MIT
//
// The `anycl` command. Subcommands are loaded when they run: starting up is part of every measurement.
import { Command, CommanderError, Option } from 'commander';
import { OpenCLError } from '../backend/opencl-error';
import { InvariantError } from '../base/invariant';
import { CommandError, EXIT } from './exit';
import type { InfoFlags } from './info';
import type { RunFlags } from './run';

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
    .action(async () => (await import('./compile')).compileCommand(process.argv.slice(3)));

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

/** Writes what went wrong and gives the exit status: the one place where an error becomes either. */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  if (error instanceof CommandError) {
    // Diagnostics stand for themselves: editors look for `file:line:column:` at the start of a line.
    const isDiagnostic = error.status === EXIT.input && /(^|\s)error: /.test(error.message);
    const prefix = isDiagnostic || error.message.startsWith('anycl: ') ? '' : 'anycl: ';
    process.stderr.write(`${prefix}${error.message}\n`);
    return error.status;
  }
  if (error instanceof OpenCLError) {
    process.stderr.write(`anycl: ${error.message}\n`);
    return EXIT.input;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const what = error instanceof InvariantError ? 'a promise within anycl was broken' : 'an unexpected error';
  process.stderr.write(`anycl: ${what}; please report it with the command and its input\n${detail}\n`);
  return EXIT.bug;
}

async function main(): Promise<void> {
  try {
    await program().parseAsync(process.argv);
  } catch (error) {
    process.exitCode = report(error);
  }
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.done);
  throw error;
});

void main();
