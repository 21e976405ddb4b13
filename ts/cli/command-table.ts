// SPDX-License-Identifier: MIT
//
// The subcommands of `anycl` as one table: the argument parser, --help, the shells' completion, the manual page and
// docs/cli.md are all made of it.
import { CHECKS } from '../base/checks';
import { VARIABLES as SETTINGS } from '../base/settings';
import { EMITS } from './compile/flags';

export interface OptionRow {
  /** In commander's form: `-o, --output <file>`. */
  readonly flags: string;
  readonly description: string;
  readonly byDefault?: string;
  /** Whether it may be given more than once. */
  readonly repeats?: true;
  /** How a shell completes the value. */
  readonly values?: readonly string[];
}

export interface CommandRow {
  readonly name: string;
  readonly description: string;
  /** In commander's form: `<file>`. */
  readonly arguments?: readonly (readonly [name: string, description: string])[];
  readonly options: readonly OptionRow[];
  /** Further text of --help, the manual and the docs. */
  readonly notes?: string;
  readonly examples: readonly string[];
  /** The command parses its arguments itself, as the compiler does. */
  readonly parsesItself?: true;
  readonly hidden?: true;
}

const DEVICE: OptionRow = {
  flags: '--device <sel>',
  description: 'gpu, cpu, software, PLATFORM:DEVICE by number, or a part of a name',
  values: ['gpu', 'cpu', 'accelerator', 'software'],
};
const JSON_FLAG: OptionRow = {
  flags: '--json',
  description: 'print JSON, and nothing else, on standard output',
};

/** The forms of `--arg`. */
const ARGUMENT_GRAMMAR = `SPEC of --arg, once per kernel argument, in order:
  float=2.5   int4=1,2,3,4         a scalar, or a vector of OpenCL C, by value
  float[1024]=zero                 a buffer of 1024 elements, all 0
  float[3]=2.5,-1,0                each number; without a length as many as there are
  float[1024]=range                0, 1, 2 …
  float[]=range=0:10:0.5           from 0 up to, but not including, 10, in steps of 0.5
  float[1024]=fill=1.5             every element the same; float4: fill=1,2,3,4
  float[1024]=random               floats from 0 to 1, integers of the whole range; the same in each run
  float[]=@FILE                    a file's raw bytes or NumPy array; with a length, its beginning
  local:float[64]                  local memory
  image2d:rgba8=@FILE.png          an image; without a file image2d:rgba8[640,480]=zero
  sampler:clamp,linear,normalized  a sampler`;

export const COMMANDS: readonly CommandRow[] = [
  {
    name: 'info',
    description: 'list platforms, devices and their properties',
    options: [
      { flags: '-l, --list', description: 'names only' },
      { flags: '--prop <name>', description: 'only this property of each device', repeats: true },
      { flags: '--raw', description: 'numbers as OpenCL has them, not decoded' },
      JSON_FLAG,
      DEVICE,
    ],
    examples: ['anycl info -l', 'anycl info --device gpu --prop MAX_COMPUTE_UNITS', 'anycl info --json'],
  },
  {
    name: 'compile',
    description: 'compile OpenCL C to SPIR-V',
    arguments: [['[arguments...]', 'files and OpenCL build options']],
    options: [
      { flags: '-o <file>', description: 'output file' },
      {
        flags: '--emit <what>',
        description: `form of the output: ${EMITS.join(', ')} (default: spirv)`,
        values: EMITS,
      },
      {
        flags: '--spirv-version <version>',
        description: '1.0 to 1.6 (default: 1.0, or what the code needs)',
      },
      {
        flags: '--target <target>',
        description: 'spir64 or spir: 64-bit or 32-bit pointers (default: spir64)',
        values: ['spir64', 'spir'],
      },
      {
        flags: '--cl-ext <list>',
        description:
          '+NAME,-NAME: extensions and features to claim or not (default: all that are implemented)',
      },
    ],
    parsesItself: true,
    notes: `Takes all options of clBuildProgram as well: -cl-std=CL1.0 … CL3.1, -D, -I, -w, -Werror, -g, -cl-…, -create-library.
Several files with -o are linked into one module; without it each goes to its own FILE.spv.`,
    examples: ['anycl compile saxpy.cl -o saxpy.spv', 'anycl compile --emit=spvasm -cl-std=CL3.0 saxpy.cl'],
  },
  {
    name: 'run',
    description: 'build a file and run one of its kernels',
    arguments: [['<file>', 'OpenCL C (.cl) or SPIR-V (.spv)']],
    options: [
      { flags: '-k, --kernel <name>', description: 'which kernel (default: the only one of the file)' },
      { flags: '-g, --global <x,y,z>', description: 'work-items in each dimension (required)' },
      { flags: '--local <x,y,z>', description: 'work-items of one work-group' },
      { flags: '--offset <x,y,z>', description: 'first global id' },
      { flags: '-a, --arg <spec>', description: 'one kernel argument, in order; see below', repeats: true },
      { flags: '--print <index>', description: 'print an argument after the run', repeats: true },
      {
        flags: '--save <index=file>',
        description: 'write an argument after the run: raw, .npy or .png',
        repeats: true,
      },
      { flags: '--repeat <n>', description: 'number of runs', byDefault: '1' },
      {
        flags: '--timeout <ms>',
        description: 'end a run that takes longer, with exit status 1',
      },
      {
        flags: '--profile',
        description: 'show where the time went: times, bandwidth and occupancy of each command',
      },
      {
        flags: '--trace <file>',
        description: 'record a trace: JSON for Perfetto, or a page if the name ends in .html',
      },
      {
        flags: '--check [checks]',
        description: `check the kernel for faults on the software device; exit status 1 if there are any. A list of ${CHECKS.join(', ')}; all means those before arithmetic (default: all)`,
      },
      {
        flags: '--check-budget <n>',
        description: 'for --check=loops: loop iterations allowed for each work-item',
        byDefault: '1000000',
      },
      {
        flags: '--robust',
        description:
          'on the software device: keep the kernel from reading and writing anything but its arguments',
      },
      {
        flags: '--coverage [file]',
        description:
          'count on the software device how often each line, branch and function is executed: in lcov’s format into the file, or printed beside the source',
      },
      {
        flags: '--counts',
        description:
          'report on the software device what was executed: instructions, accesses by memory, cache lines, bank conflicts',
      },
      {
        flags: '--step',
        description:
          'debug the kernel in the terminal on the software device: breakpoints, steps, variables; help lists the commands',
      },
      {
        ...JSON_FLAG,
        description: 'print times and values as JSON, and nothing else, on standard output',
      },
      { flags: '--build-options <options>', description: 'as for clBuildProgram' },
      DEVICE,
    ],
    notes: ARGUMENT_GRAMMAR,
    examples: [
      'anycl run saxpy.cl --global 4 --arg float=2 --arg float[4]=range --arg float[4]=zero --print 2',
      'anycl run reduce.cl --coverage=lcov.info --global 1024 --arg float[1024]=range --arg float[16]=zero',
      'anycl run blur.cl --global 640,480 --arg image2d:rgba8=@in.png --arg uchar4[307200]=zero --save 1=out.png',
    ],
  },
  {
    name: 'trace',
    description: 'show where the time of a recorded trace went',
    arguments: [['<file>', 'what ANYCL_TRACE or anycl run --trace has recorded; - is standard input']],
    options: [
      { flags: '-o <page.html>', description: 'also write a self-contained page with a picture' },
      JSON_FLAG,
    ],
    notes:
      'ANYCL_TRACE=trace.json records any program that uses anycl. Perfetto (https://ui.perfetto.dev) and chrome://tracing open the same\nfile. A process that was killed leaves trace.json.PID.part, which can be read as well.',
    examples: ['anycl trace trace.json -o trace.html', 'ANYCL_TRACE=trace.json node program.mjs'],
  },
  {
    name: 'bench',
    description: 'measure bandwidth, peak rates and launch latency of each device',
    options: [
      { flags: '-o <chart>', description: 'also write a chart: .svg or .html' },
      { flags: '--quick', description: 'less data and fewer repetitions, for a first impression' },
      JSON_FLAG,
      { ...DEVICE, description: `only this device: ${DEVICE.description}` },
    ],
    notes:
      'Each figure is the best of several repetitions. Transfers and launches are measured by the host’s clock, copies and kernels by the\ndevice’s.',
    examples: ['anycl bench', 'anycl bench --device gpu --json', 'anycl bench -o chart.svg'],
  },
  {
    name: 'kernels',
    description: 'show the signatures of the kernels of a file',
    arguments: [['<file>', 'OpenCL C (.cl) or SPIR-V (.spv)']],
    options: [
      { flags: '--build-options <options>', description: 'as for clBuildProgram' },
      JSON_FLAG,
      DEVICE,
    ],
    examples: ['anycl kernels saxpy.cl'],
  },
  {
    name: 'dis',
    description: 'print SPIR-V as assembly',
    arguments: [['<file>', 'SPIR-V; - is standard input']],
    options: [
      { flags: '-o <file>', description: 'output file' },
      { flags: '--raw-id', description: 'ids by number, not by friendly name' },
      { flags: '--offsets', description: "each instruction's offset in bytes, as a comment" },
      { flags: '--color', description: 'in colours (default: on a terminal)' },
      { flags: '--no-color', description: 'without colours' },
    ],
    examples: ['anycl dis saxpy.spv', 'anycl dis saxpy.spv --raw-id --offsets -o saxpy.spvasm'],
  },
  {
    name: 'validate',
    description: "check SPIR-V against the specification's rules",
    arguments: [['<file>', 'SPIR-V; - is standard input']],
    options: [
      {
        flags: '--target-env <env>',
        description: 'the environment of the module: opencl1.2 … opencl3.0, spv1.0 … spv1.6',
        values: [
          'opencl1.2',
          'opencl2.0',
          'opencl2.1',
          'opencl2.2',
          'opencl3.0',
          'spv1.0',
          'spv1.2',
          'spv1.6',
        ],
      },
    ],
    examples: ['anycl validate saxpy.spv', 'anycl validate --target-env opencl2.1 saxpy.spv'],
  },
  {
    name: 'debug-adapter',
    description:
      'serve editors that debug kernels: the Debug Adapter Protocol over standard input and output',
    options: [],
    notes: `The editor starts it; editors/vscode has an extension for Visual Studio Code. Properties of a launch:
  program, kernel, global, local, offset, args, buildOptions, print   as those of anycl run
  stopOnEntry, stopOnFaults, check, workItem`,
    examples: ['anycl debug-adapter'],
  },
  {
    name: 'lsp',
    description: 'serve editors: the Language Server Protocol on standard input and output',
    options: [{ flags: '--stdio', description: 'the only transport; accepted because editors pass it' }],
    notes: `It reports errors and warnings, explains names, completes them, finds their declarations and uses, and renames them.
Settings, as initializationOptions or as the section "anycl" of the configuration:
  buildOptions   as for clBuildProgram: "-DN=4 -I include"`,
    examples: ['anycl lsp --stdio'],
  },
  {
    name: 'playground',
    description:
      'serve the playground to a browser on this machine: write kernels, run them, look at the results',
    options: [{ flags: '--port <n>', description: 'port of the server (default: any free port)' }],
    examples: ['anycl playground', 'anycl playground --port 8080'],
  },
  {
    name: 'types',
    description: 'write TypeScript declarations of the kernels of files',
    arguments: [['<files...>', 'OpenCL C (.cl)']],
    options: [
      { flags: '--out-dir <folder>', description: 'output folder (default: beside each file)' },
      { flags: '--check', description: 'write nothing; exit status 1 if a file is not up to date' },
      { flags: '--print', description: 'write to standard output instead' },
      { flags: '--build-options <options>', description: 'as for clBuildProgram' },
    ],
    notes:
      "saxpy.cl gets saxpy.d.cl.ts, by which `import { saxpy } from './saxpy.cl'` is typed with TypeScript's\nallowArbitraryExtensions. The import itself is done by anycl/bundler or `node --import anycl/register`.",
    examples: ['anycl types kernels/*.cl', 'anycl types --check kernels/*.cl'],
  },
  {
    name: 'doctor',
    description: 'show which OpenCL devices this machine has, what is missing, and how to get it',
    options: [JSON_FLAG],
    notes:
      'The exit status is 1 if something that was asked for does not work: a device that ANYCL_DEVICE names, a library that\nANYCL_OPENCL_LIBRARY names, or the software device.',
    examples: ['anycl doctor', 'ANYCL_DEVICE=gpu anycl doctor --json'],
  },
  {
    name: 'exec',
    description: 'run any OpenCL program with the software device',
    arguments: [['[command...]', 'the program and its arguments, after --']],
    options: [
      {
        flags: '--install [folder]',
        description: 'install the device for all programs instead (default: in /etc/OpenCL/vendors)',
      },
    ],
    notes:
      'For programs in any language that find OpenCL through an ICD loader, on Linux. The program sees the software device and no other;\nthe exit status is the program’s. An installed device is found beside the drivers, for as long as the package stays where it is.',
    examples: ['anycl exec -- clinfo', 'anycl exec -- python3 demo.py', 'sudo anycl exec --install'],
  },
  {
    name: 'build-addon',
    description: 'compile the native addon, on platforms without a prebuilt one',
    options: [],
    notes:
      'Needs CMake, make and a C++ compiler, and npm to fetch cmake-js. Without the addon there are no drivers: programs run on\nthe software device.',
    examples: ['npx anycl build-addon'],
  },
  {
    name: 'completion',
    description: "print a shell's completion script for anycl",
    arguments: [['<shell>', 'bash, zsh or fish']],
    options: [],
    examples: [
      'source <(anycl completion bash)',
      'anycl completion zsh > ~/.zfunc/_anycl',
      'anycl completion fish > ~/.config/fish/completions/anycl.fish',
    ],
  },
  { name: 'doctor-probe', description: 'for anycl doctor', options: [], examples: [], hidden: true },
];

export const VISIBLE: readonly CommandRow[] = COMMANDS.filter(({ hidden }) => !hidden);

/** The names of `-o, --output <file>`, and the name of its value. */
export function flagParts(flags: string): {
  readonly names: readonly string[];
  readonly value: string | undefined;
} {
  return {
    names: flags.match(/(?<![\w-])--?[\w-]+/g) ?? [],
    value: /<(.*)>/.exec(flags)?.[1],
  };
}

export const EXIT_STATUS: readonly (readonly [status: number, meaning: string])[] = [
  [0, 'done'],
  [1, 'the input has errors; diagnostics are on standard error'],
  [2, 'wrong usage'],
  [3, 'no such device'],
  [70, 'a bug of anycl'],
];

/** The environment variables for users. */
export const VARIABLES: readonly (readonly [name: string, meaning: string])[] = Object.values(
  SETTINGS,
).flatMap(({ name, meaning }) => (meaning === undefined ? [] : [[name, meaning] as const]));
