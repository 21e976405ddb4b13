// SPDX-License-Identifier: MIT
//
// C programs on the software device through the machine's ICD loader, as `anycl exec` runs them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { node, type Outcome, root, temporaryFolder } from '../helpers/command';
import { describeNeeding } from '../helpers/needs';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function compile(name: string): string {
  const program = join(folder, name);
  const args = ['-Wall', '-Werror', join(__dirname, `${name}.c`), '-o', program, '-lOpenCL', '-pthread'];
  const { status, stderr } = spawnSync('cc', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return program;
}

/** Whether a C program with OpenCL can be made here, and libanycl-icd is built. */
function isComplete(): boolean {
  if (!existsSync(join(root, 'build/Release/libanycl-icd.so'))) return false;
  const input = '#include <CL/cl.h>\nint main(void) { return clGetPlatformIDs(0, 0, 0); }\n';
  const args = ['-x', 'c', '-', '-o', join(folder, 'probe'), '-lOpenCL'];
  return spawnSync('cc', args, { input, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0;
}

const exec = (env: Record<string, string>, ...command: readonly string[]): Outcome =>
  node('dist/cli.cjs', ['exec', '--', ...command], { env });

/** What a program prints that succeeds and reports nothing. */
function linesOf(env: Record<string, string>, ...command: readonly string[]): string[] {
  const { stdout, stderr, status } = exec(env, ...command);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout.trim().split('\n');
}

/** Whether a process runs, and is not only waiting to be noticed. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describeNeeding('a C compiler, OpenCL headers and loader, and libanycl-icd', isComplete())('ICD', () => {
  test('a plain program', () => {
    expect(linesOf({}, compile('first-steps'))).toEqual([
      'device anycl software device',
      'built 1',
      'no such kernel -46',
      'argument of wrong size -51',
      'wrong dimension -53',
      'event callback 0',
      'profiled 1',
      'read 3 1999',
      'read beyond the end -30',
      'waits 1',
      'after the gate 0',
      'sums 300 300',
      'own memory 1 3 9',
      'before the kernel prints',
      'kernel says 3',
      'after the kernel has printed',
      'destroyed 1',
      'wrong program -11',
      'log 1',
      'done',
    ]);
  });

  test('queues on the device, hints, local sizes and includes', () => {
    const header = join(folder, 'from-file.h');
    writeFileSync(header, '#define FROM_FILE 5\n');
    expect(linesOf({}, compile('queues'), header)).toEqual([
      'one default 1, has a size 1',
      'host enqueues to it -36',
      'a host queue as argument -70',
      'enqueued 1: 0 1 2 3',
      'a size of a host queue -30',
      'no sampler -41',
      'no local memory 0',
      'finish waits 1 1',
      'two dimensions 2: 1 17',
      'includes a file 0',
    ]);
  });

  test('command buffers, semaphores, parts of the device, terminated contexts', () => {
    expect(linesOf({ ANYCL_THREADS: '2' }, compile('extensions'))).toEqual([
      'claimed 1',
      'unknown sync point -1139',
      'with a queue -36',
      'overlap -8',
      'not final -59',
      'an argument is missing 1: -59',
      'first run 1 0',
      'indirect memory 0, of 3 bytes -30, without a list -30',
      'second run 5 0, global size 2, type 0x12a8',
      'released -1138',
      'semaphore waits 1, afterwards 0',
      'no such type -64, none at all -30',
      'parts 2 of 1 unit, parent 1',
      'on a part 43, binaries of one size 1',
      'a queue on the whole -33',
      'by counts 2, type 1',
      'not terminable -59, capability 1 1',
      'terminated -14, afterwards -1121 and -1121',
    ]);
  });

  test('shared virtual memory and device addresses', () => {
    // One thread of the device is busy while the program writes to its memory.
    expect(linesOf({ ANYCL_THREADS: '2' }, compile('svm'))).toEqual([
      'capabilities 11, 64 bits',
      'list of 1 2 3 and sizeof(size_t): 14, -1, appended 1',
      'allocated after launches 8',
      'not shared -50',
      'while it runs 77',
      'copied 9 9 3 4, overlap -8',
      'buffer over it 1: 6 8, mapped in place 1',
      'written in place 50',
      'too large a buffer over it -61',
      'elsewhere 1',
      'freed and allocated 300, none of 3 GB 1',
      'by address 1 2 6 8',
    ]);
  });

  test('buffers in pages of both processes', () => {
    expect(linesOf({ ANYCL_THREADS: '2' }, compile('shared-pages'))).toEqual([
      'mapped 0 wrong',
      'one memory 1',
      'read 0 wrong',
      'complete 1, times in order 1, takes time 1',
      'written 0 wrong, before it 0',
      'without blocking 0 wrong, after a failure -14',
      'after a failure -14',
      'pages of others 0 wrong',
    ]);
  });

  test('thousands of small buffers in shared pages', () => {
    expect(linesOf({}, compile('small-buffers'))).toEqual([
      '9000 of 9000 buffers share pages, 0 wrong',
      'two contexts: 0 wrong',
    ]);
  });

  test('transfers and maps of shared pages on idle and on busy queues', () => {
    expect(linesOf({ ANYCL_THREADS: '2' }, compile('idle-queue'))).toEqual([
      'complete 1, type 4596, callback 1, read 0 wrong',
      'before the gate opens 0 0, after it 0 wrong, read 1',
      'times 1',
      'mapped 1, then 0 wrong, unmapped twice -30',
      'mixed 0',
    ]);
  });

  test('kernels hold no references to their arguments', () => {
    expect(linesOf({}, compile('arguments'))).toEqual([
      'destroyed although it is an argument 1',
      'launch with it -52',
      'launch of a copy -52',
      'kept by a launch 1',
      'destroyed after it 1',
    ]);
  });

  test('checked kernels know what the host has written', () => {
    const { stderr, status } = exec({ ANYCL_CHECK: 'all' }, compile('checked'));
    expect(stderr.match(/^now .*|error: .*/gm)).toEqual([
      'now all',
      "error: the kernel reads bytes of argument 'b' that were never written: element 8 of 16 [uninitialized]",
      'now mapped',
      "error: the kernel reads 4 bytes of argument 'b', whose buffer the host has mapped for writing: element 0 of 16 [mapped-access]",
      "error: the kernel reads 4 bytes of argument 'c', whose buffer the host has mapped for writing: element 0 of 16 [mapped-access]",
      "error: the kernel writes 4 bytes of argument 'out', whose buffer the host has mapped: element 0 of 16 [mapped-access]",
      'now unmapped',
    ]);
    expect(status).toBe(0);
  });

  test('several threads, with contexts of their own and a shared one', () => {
    expect(exec({}, compile('threads')).stdout).toBe('wrong 0\n');
  });

  describe('ends', () => {
    let program = '';
    beforeAll(() => {
      program = compile('ends');
    });
    const end = (way: string): Outcome => exec({ ANYCL_TEST_MARK: `${process.pid}-${way}` }, program, way);
    const serverOf = ({ stdout }: Outcome): number => Number(/server (\d+)/.exec(stdout)?.[1]);

    test.each([
      ['return', 0],
      ['_exit', 0],
      ['abort', 134],
      ['kill', 137],
    ])('%s takes the server along', async (way, status) => {
      const outcome = end(way);
      expect(outcome.status).toBe(status);
      const server = serverOf(outcome);
      expect(server).toBeGreaterThan(0);
      for (let tries = 0; isRunning(server) && tries < 100; tries++)
        await new Promise((resolve) => setTimeout(resolve, 50));
      expect(isRunning(server)).toBe(false);
    });

    test('a child of fork has a server of its own, and the program no child more', () => {
      const { stdout } = end('fork');
      expect(stdout.split('\n').slice(1)).toEqual([
        "the parent's program 1",
        'result 2 5',
        'child 7',
        'no child 1',
        'result 2 5',
        '',
      ]);
    });

    test('the death of the server is an error of calls and events', () => {
      const { stdout, stderr, status } = end('server');
      expect(stdout.split('\n').slice(1)).toEqual(['wait -14', 'event -5', 'finish -5', 'buffer -5', '']);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(status).toBe(0);
    });
  });

  test('a short soak with programs that are killed leaves nothing', () => {
    const names = ['first-steps', 'arguments', 'threads'];
    const programs = names.map(compile);
    const kills = ['--kill', '30', '--kill-servers', '40', '--least-kills', '1'];
    const flags = ['--seconds', '8', '--jobs', '3', ...kills, '--seed', '5'];
    const { stdout, status } = node('scripts/cts/soak.mjs', [...flags, ...programs]);
    const counts = JSON.parse(stdout.trim().split('\n').at(-1)!);
    expect(counts).toMatchObject({ failed: 0, crashed: 0, hung: 0, processes: 0, files: 0, sharedMemory: 0 });
    expect(counts.killed).toBeGreaterThan(0);
    expect(counts.serversKilled).toBeGreaterThan(0);
    expect(counts.runs).toBeGreaterThan(counts.killed + counts.serversKilled);
    expect(status).toBe(0);
  });

  describe('a server', () => {
    let program = '';
    beforeAll(() => {
      program = compile('threads');
    });
    /** Runs the program as `anycl exec` does, but for some of the environment. */
    const start = (env: Record<string, string>): string => {
      const all = { OCL_ICD_VENDORS: join(root, 'build/Release/libanycl-icd.so'), ...env };
      return spawnSync(program, { env: { ...process.env, ...all }, encoding: 'utf8' }).stderr;
    };

    test('that cannot be started is said so in one line', () => {
      expect(start({ ANYCL_ICD_NODE: '/nowhere/node' })).toMatch(
        /^anycl: the software device cannot be started \(\/nowhere\/node .*\): No such file or directory\n$/,
      );
    });

    test('of another version is refused', () => {
      const other = join(folder, 'other-server.cjs');
      // Answers the first message with a protocol of its own, and waits for the end.
      writeFileSync(
        other,
        `const { readSync, writeSync } = require('node:fs');
         const request = Buffer.alloc(64);
         readSync(3, request);
         const reply = Buffer.alloc(20);
         [20, 0, request.readUInt32LE(8), 0, 1].forEach((word, i) => reply.writeUInt32LE(word, 4 * i));
         writeSync(3, reply);
         readSync(3, request);`,
      );
      expect(start({ ANYCL_ICD_NODE: process.execPath, ANYCL_ICD_SERVER: other })).toMatch(
        /^anycl: the software device cannot be started: libanycl-icd and .*other-server.cjs are of different versions; .*\n/,
      );
    });
  });
});

describe('anycl exec', () => {
  test('without a program is wrong usage', () => {
    expect(node('dist/cli.cjs', ['exec']).status).toBe(2);
  });
});
