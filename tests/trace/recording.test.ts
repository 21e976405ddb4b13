// SPDX-License-Identifier: MIT
//
// Traces of whole programs (ANYCL_TRACE), on the software device and on PoCL.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FlowEvent, TraceEvent } from '../../ts/trace/events';
import { modelOf, type ProcessModel } from '../../ts/trace/parse';
import { node, temporaryFolder } from '../helpers/command';
import { describeNeeding } from '../helpers/needs';
import { imported } from './import';

const PLATFORM = 'Portable Computing Language';
const { platforms } = JSON.parse(node('dist/cli.cjs', ['info', '--json']).stdout) as {
  platforms: { NAME: string }[];
};

function traced(device: string, ending: string, name = 'trace.json') {
  const folder = temporaryFolder();
  const outcome = node('tests/trace/program.mjs', [device, ending], {
    env: { ANYCL_TRACE: join(folder, name), ANYCL_THREADS: '2' },
  });
  const files = readdirSync(folder);
  return { ...outcome, files, text: readFileSync(join(folder, files[0]!), 'utf8') };
}

const eventsOf = (text: string): TraceEvent[] =>
  (JSON.parse(text) as { traceEvents: TraceEvent[] }).traceEvents;
const spans = ({ tracks }: ProcessModel) => tracks.flatMap((track) => track.spans);
const namesOf = (process: ProcessModel) => spans(process).map(({ name }) => name);

describe.each(['software', PLATFORM])('on %s', (device) => {
  const there = device === 'software' || platforms.some(({ NAME }) => NAME === PLATFORM);

  describeNeeding(device, there)('the trace', () => {
    const { status, stdout, files, text } = there ? traced(device, 'end') : traced('software', 'end');
    const events = eventsOf(text);
    const { processes } = modelOf(events);
    const [host, own] = processes as [ProcessModel, ProcessModel];

    test('does not change what the program computes', () => {
      expect([status, stdout, files]).toEqual([0, '12 96\n', ['trace.json']]);
    });

    test('has each command on its queue’s track, with its size', () => {
      const queues = own.tracks.filter(({ name }) => name.startsWith('queue'));
      const all = queues.flatMap((track) => track.spans);
      expect(all.filter(({ name }) => name === 'twice')).toHaveLength(5);
      expect(all.find(({ name }) => name === 'twice')!.args).toMatchObject({
        global: [65536],
        local: [64],
        bytes: 262144,
      });
      expect(all.find(({ name }) => name === 'read')!.args).toMatchObject({ bytes: 262144 });
      expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['map', 'unmap']));
      expect(all.every(({ args }) => args.estimated === undefined && args.unfinished === undefined)).toBe(
        true,
      );
      const [first, second] = all.filter(({ name }) => name === 'twice');
      expect(second!.args.after).toEqual([first!.args.id]);
    });

    test('has arrows from each call to its run, which follows it', () => {
      const flows = events.filter((event): event is FlowEvent => event.ph === 's' || event.ph === 'f');
      const starts = flows.filter(({ ph }) => ph === 's');
      for (const { id, ts } of starts) {
        const end = flows.find((flow) => flow.ph === 'f' && flow.id === id);
        expect(end!.ts).toBeGreaterThanOrEqual(ts);
      }
      expect(starts).toHaveLength(flows.length / 2);
    });

    test('is what Perfetto imports: nothing overlaps, and arrows lead from calls to their commands', () => {
      const { arrows, errors } = imported(events);
      expect(errors).toEqual([]);
      expect(arrows).toHaveLength(events.filter(({ ph }) => ph === 's').length);
      for (const { id, from, to } of arrows) {
        expect([from.args?.id, to.args?.id]).toEqual([id, id]);
        expect(from.name).toBe(`enqueue ${to.name}`);
      }
    });

    test('has builds, waits and calls of the host', () => {
      expect(namesOf(host)).toEqual(
        expect.arrayContaining([
          'build',
          'enqueue twice',
          'await read',
          expect.stringMatching(/^wait for queue/),
          'await map',
        ]),
      );
    });

    test('has spans that nest or follow each other on every track, as viewers require', () => {
      for (const { spans: list } of processes.flatMap(({ tracks }) => tracks)) {
        const open: number[] = [];
        for (const { start, end } of [...list].sort((a, b) => a.start - b.start || b.end - a.end)) {
          while (open.length > 0 && open.at(-1)! <= start + 0.002) open.pop();
          expect(end).toBeLessThanOrEqual((open.at(-1) ?? Number.POSITIVE_INFINITY) + 0.002);
          open.push(end);
        }
      }
    });
  });
});

test('threads of the software device show which groups they ran', () => {
  const { text } = traced('software', 'exit');
  const own = modelOf(eventsOf(text)).processes[1]!;
  const chunks = spans(own).filter(({ cat }) => cat === 'groups');
  expect(own.threads).toBe(2);
  expect(chunks.every(({ name }) => name === 'twice')).toBe(true);
  expect(chunks.length).toBeGreaterThanOrEqual(5);
  expect(namesOf(modelOf(eventsOf(text)).processes[0]!)).toEqual(
    expect.arrayContaining(['OpenCL C to SPIR-V', 'JIT: optimize twice', 'WebAssembly to machine code']),
  );
});

describe('a program that ends', () => {
  test.each([
    ['by process.exit', 'exit', 7],
    ['by a signal', 'signal', null],
  ])('%s leaves a whole trace', (_, ending, code) => {
    const { status, files, text } = traced('software', ending);
    expect(files).toEqual(['trace.json']);
    expect(status).toBe(code);
    expect(eventsOf(text).some(({ name }) => name === 'twice')).toBe(true);
  });

  test('by SIGKILL leaves what was written so far, as JSON', () => {
    const { files, text } = traced('software', 'kill');
    expect(files).toEqual([expect.stringMatching(/^trace\.json\.\d+\.part$/)]);
    expect(Array.isArray(eventsOf(text))).toBe(true);
  });
});

test('a page instead of JSON, and a file for each process', () => {
  const { files, text } = traced('software', 'end', 'trace-%p.html');
  expect(files).toEqual([expect.stringMatching(/^trace-\d+\.html$/)]);
  expect(text).toContain('<title>program.mjs: trace</title>');
});

test('a file that cannot be written is an error that names it', () => {
  const { status, stderr } = node('tests/trace/program.mjs', ['software', 'end'], {
    env: { ANYCL_TRACE: join(temporaryFolder(), 'no', 'folder.json') },
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/CL_INVALID_VALUE.*ANYCL_TRACE.*folder\.json' cannot be written: ENOENT/);
});

describe('the command line', () => {
  const args = ['kernels/examples/saxpy.cl', '--kernel', 'saxpy', '--global', '64', '--arg', 'float=2'];
  const buffers = ['--arg', 'float[64]=range', '--arg', 'float[64]=zero'];
  const env = { ANYCL_DEVICE: 'software' };

  test('run --trace, trace and --profile tell of the same commands', () => {
    const file = join(temporaryFolder(), 'run.json');
    const run = node(
      'dist/cli.cjs',
      ['run', ...args, ...buffers, '--trace', file, '--profile', '--json', '--repeat', '3'],
      { env },
    );
    const { profile } = JSON.parse(run.stdout) as {
      profile: { commands: { name: string; count: number }[] };
    };
    expect(profile.commands.find(({ name }) => name === 'saxpy')).toMatchObject({ count: 3 });
    const page = join(temporaryFolder(), 'page.html');
    const shown = node('dist/cli.cjs', ['trace', file, '--json', '-o', page]);
    const { commands } = JSON.parse(shown.stdout) as { commands: { name: string; count: number }[] };
    expect(commands.find(({ name }) => name === 'saxpy')).toMatchObject({ count: 3 });
    expect(readFileSync(page, 'utf8')).toContain('<canvas ');
  });

  test('trace refuses what is not a trace', () => {
    const { status, stderr } = node('dist/cli.cjs', ['trace', 'package.json']);
    expect([status, stderr]).toEqual([
      1,
      "anycl: 'package.json' is not a trace: there is no list `traceEvents`\n",
    ]);
  });
});
