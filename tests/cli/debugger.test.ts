// SPDX-License-Identifier: MIT
//
// The debugger: in the terminal, and as a debug adapter that a client speaks to over standard input and output.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, temporaryFolder } from '../helpers/command';

const folder = temporaryFolder();
const file = join(folder, 'steps.cl');
writeFileSync(
  file,
  `typedef struct { float x; int2 at; } point;
float twice(float v) {
  float result = v * 2;
  return result;
}
kernel void steps(global float *out, global const uint *in, int n) {
  local float shared[4];
  int id = get_local_id(0);
  float4 v = (float4)(1, 2, 3, in[id]);
  point p;
  p.x = v.y; p.at = (int2)(id, n);
  shared[id] = twice(v.w);
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = shared[3 - id];
  for (int i = 0; i < n; i++) {
    sum += i;
    sum += p.x;
  }
  out[id] = sum;
  if (id == 3)
    out[id + 1] = id;
}
`,
);
const cli = join(root, 'dist/cli.cjs');
const ARGS = ['float[4]=zero', 'uint[4]=fill=7', 'int=2'];

describe('anycl run --step', () => {
  const session = (commands: readonly string[]) => {
    const args = ARGS.flatMap((arg) => ['--arg', arg]);
    const { stdout, status } = spawnSync(
      process.execPath,
      [cli, 'run', file, '--step', '--global', '4', '--local', '4', ...args, '--print', '0'],
      { input: `${commands.join('\n')}\n`, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
    );
    return { stdout, status };
  };

  test('shows the members of structs that pointers lead to, and nothing of work-items that have not begun', () => {
    const own = join(folder, 'pointers.cl');
    writeFileSync(
      own,
      `typedef struct { float x; uchar c[4]; } unnamed;
typedef struct Node { int key; struct Node *next; } Node;
int keyOf(const Node *at) {
  return at->key;
}
kernel void walk(global const unnamed *all, global int *out) {
  Node mine = {get_global_id(0) + 5, 0};
  Node first = {0, &mine};
  out[get_global_id(0)] = keyOf(first.next);
}
`,
    );
    const commands = [
      'b 4',
      'c',
      'p at->key',
      'p *at',
      'o',
      'p all[1].c[2]',
      'p first.next->key',
      'i 1',
      'p mine',
      'v',
      'q',
    ];
    const args = ['--arg', 'uchar[32]=range', '--arg', 'int[4]=zero'];
    const { stdout } = spawnSync(
      process.execPath,
      [cli, 'run', own, '--step', '--global', '4', '--local', '4', ...args],
      { input: `${commands.join('\n')}\n`, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
    );
    expect(stdout).toContain('at->key = 5\n');
    expect(stdout).toMatch(/\*at = \{key = 5, next = \w+\}/);
    expect(stdout).toContain('all[1].c[2] = 14\n');
    expect(stdout).toContain('first.next->key = 5\n');
    expect(stdout).toContain("there is no variable 'mine' here\n");
  });

  test('breaks, steps, shows variables and goes on to the end', () => {
    const { stdout, status } = session([
      'b 12 if get_global_id(0) == 2',
      'c',
      'v',
      'p v.w + 1',
      's',
      'where',
      'o',
      'n',
      'n',
      'p shared',
      'item',
      'd',
      'c',
      'c',
    ]);
    const expected = [
      'breakpoint at steps.cl:12 if get_global_id(0) == 2',
      'work-item (2, 0, 0) in steps at steps.cl:12',
      '  float4 v = {1, 2, 3, 7}',
      '{x = 2, at = {2, 2}}',
      'v.w + 1 = 8',
      'work-item (2, 0, 0) in twice at steps.cl:3',
      '  twice at steps.cl:3\n  steps at steps.cl:12\n',
      // The other work-items reach the barrier first.
      'work-item (2, 0, 0) in steps at steps.cl:14',
      'shared = {14, 14, 14, 14}',
      '> (2, 0, 0)  line 14',
      '  (3, 0, 0)  line 14',
      "error: the kernel writes 4 bytes outside of argument 'out': element 4 of 4 [out-of-bounds]",
    ];
    let from = 0;
    for (const text of expected) {
      const at = stdout.indexOf(text, from);
      expect([text, at >= 0 ? '' : stdout]).toEqual([text, '']);
      from = at;
    }
    expect(stdout).toMatch(/the kernel has ended\n\S+ \S+ \S+ \S+\n$/);
    expect(status).toBe(1);
  });

  test('says what is wrong with a command, and goes on', () => {
    const { stdout, status } = session(['p nothing', 'fly', 'b 99', 'p v.q', 'q']);
    expect(stdout).toContain("there is no variable 'nothing' here\n");
    expect(stdout).toContain("there is no command 'fly'; see help\n");
    expect(stdout).toContain('there is no code at line 99 or after it\n');
    expect(status).toBe(0);
  });
});

interface Message {
  readonly type: string;
  readonly event?: string;
  readonly request_seq?: number;
  readonly success?: boolean;
  readonly message?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of all messages of the protocol.
  readonly body?: any;
}

interface Variable {
  readonly name: string;
  readonly variablesReference: number;
}

/** A client of the protocol. */
class Client {
  private seq = 0;
  private bytes = Buffer.alloc(0);
  private readonly messages: Message[] = [];
  private waiting: (() => void) | undefined;

  constructor(readonly child: ChildProcess) {
    child.stdout!.on('data', (bytes: Buffer) => {
      this.bytes = Buffer.concat([this.bytes, bytes]);
      for (let match = this.header(); match && this.bytes.length >= match.end; match = this.header()) {
        this.messages.push(JSON.parse(this.bytes.toString('utf8', match.start, match.end)) as Message);
        this.bytes = this.bytes.subarray(match.end);
      }
      this.waiting?.();
    });
  }

  private header(): { start: number; end: number } | undefined {
    const match = /^Content-Length: (\d+)\r\n\r\n/.exec(this.bytes.toString('latin1', 0, 100));
    return match ? { start: match[0].length, end: match[0].length + Number(match[1]) } : undefined;
  }

  private async find(is: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const at = this.messages.findIndex(is);
      if (at >= 0) return this.messages.splice(at, 1)[0]!;
      await new Promise<void>((resolve) => {
        this.waiting = resolve;
      });
    }
  }

  async request(command: string, given: object = {}): Promise<Message['body']> {
    const seq = ++this.seq;
    const text = JSON.stringify({ seq, type: 'request', command, arguments: given });
    this.child.stdin!.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    const response = await this.find((message) => message.request_seq === seq);
    if (!response.success) throw new Error(response.message);
    return response.body;
  }

  async event(name: string): Promise<Message['body']> {
    return (await this.find(({ event }) => event === name)).body;
  }
}

describe('anycl debug-adapter', () => {
  let client: Client;

  beforeEach(() => {
    client = new Client(
      spawn(process.execPath, [cli, 'debug-adapter'], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
  });
  afterEach(() => {
    client.child.kill();
  });

  const launch = async (
    more: { readonly program?: string; readonly [name: string]: unknown } = {},
    lines: readonly object[] = [],
  ) => {
    await client.request('initialize', { adapterID: 'anycl' });
    await client.request('launch', {
      program: file,
      global: [4],
      local: [4],
      args: ARGS,
      print: [0],
      ...more,
    });
    await client.event('initialized');
    const { breakpoints } = await client.request('setBreakpoints', {
      source: { path: more.program ?? file },
      breakpoints: lines,
    });
    await client.request('configurationDone');
    return breakpoints as readonly { readonly verified: boolean; readonly line?: number }[];
  };
  const top = async (threadId: number) => {
    const { stackFrames } = await client.request('stackTrace', { threadId });
    return stackFrames as readonly { readonly id: number; readonly name: string; readonly line: number }[];
  };
  const variables = async (frameId: number) => {
    const { scopes } = await client.request('scopes', { frameId });
    const list = await client.request('variables', { variablesReference: scopes[0].variablesReference });
    return Object.fromEntries((list.variables as readonly Variable[]).map((each) => [each.name, each]));
  };

  test('a session from start to end', async () => {
    const set = await launch({}, [{ line: 12, condition: 'id == 1' }, { line: 99 }]);
    expect(set.map(({ verified, line }) => [verified, line])).toEqual([
      [true, 12],
      [false, undefined],
    ]);

    expect(await client.event('stopped')).toMatchObject({ reason: 'breakpoint', threadId: 2 });
    const { threads } = await client.request('threads');
    expect(threads.map(({ name }: { name: string }) => name)).toEqual([
      'work-item (0, 0, 0), waiting',
      'work-item (1, 0, 0)',
      'work-item (2, 0, 0)',
      'work-item (3, 0, 0)',
    ]);
    const [frame] = await top(2);
    expect(frame).toMatchObject({ name: 'steps', line: 12, source: { path: file } });
    const shown = await variables(frame!.id);
    expect(shown).toMatchObject({
      id: { value: '1', type: 'int' },
      v: { value: '{1, 2, 3, 7}', type: 'float4' },
      n: { value: '2' },
      in: { type: 'uint *' },
    });
    const elements = await client.request('variables', { variablesReference: shown.in!.variablesReference });
    expect(elements.variables).toHaveLength(4);
    expect(elements.variables[3]).toMatchObject({ name: '[3]', value: '7', type: 'uint' });
    const evaluate = (expression: string) => client.request('evaluate', { expression, frameId: frame!.id });
    expect(await evaluate('p.at.y * 10 + in[2]')).toMatchObject({ result: '27' });
    expect(await evaluate('p')).toMatchObject({ result: '{x = 2, at = {1, 2}}' });
    await expect(evaluate('q')).rejects.toThrow("there is no variable 'q' here");

    const change = (name: string, value: string, variablesReference = shown.in!.variablesReference) =>
      client.request('setVariable', { variablesReference, name, value });
    expect(await change('[3]', 'in[2] * 2 + id')).toMatchObject({ value: '15', type: 'uint' });
    expect(await evaluate('in[3]')).toMatchObject({ result: '15' });
    await change('[3]', '7.9');
    expect(await evaluate('in[3]')).toMatchObject({ result: '7' });
    await expect(change('[4]', '1')).rejects.toThrow("there is no variable '[4]' here");
    await expect(change('[3]', 'p')).rejects.toThrow("'p' is not a number");
    await expect(change('[0]', '1', shown.v!.variablesReference)).rejects.toThrow('it is not in memory');

    await client.request('stepIn', { threadId: 2 });
    expect(await client.event('stopped')).toMatchObject({ reason: 'step', threadId: 2 });
    expect((await top(2)).map(({ name, line }) => [name, line])).toEqual([
      ['twice', 3],
      ['steps', 12],
    ]);
    await client.request('stepOut', { threadId: 2 });
    await client.event('stopped');
    // Over the barrier: the other work-items come to it first.
    let line = 0;
    for (let steps = 0; steps < 4 && line !== 14; steps++) {
      await client.request('next', { threadId: 2 });
      await client.event('stopped');
      line = (await top(2))[0]!.line;
    }
    expect(line).toBe(14);
    const { id } = (await top(2))[0]!;
    expect(await variables(id)).toMatchObject({ shared: { value: '{14, 14, 14, 14}', type: 'float[4]' } });

    await client.request('setBreakpoints', { source: { path: file }, breakpoints: [] });
    await client.request('continue', { threadId: 2 });
    expect(await client.event('stopped')).toMatchObject({
      reason: 'exception',
      description: 'out-of-bounds',
      text: "the kernel writes 4 bytes outside of argument 'out': element 4 of 4",
    });
    await client.request('continue', { threadId: 2 });
    await client.event('terminated');
    await client.request('disconnect');
  });

  test('stops on entry in the chosen work-item; a wrong launch ends the session', async () => {
    await launch({ stopOnEntry: true, stopOnFaults: false, workItem: [3, 0, 0] });
    expect(await client.event('stopped')).toMatchObject({ reason: 'entry', threadId: 4 });
    await client.request('continue', { threadId: 4 });
    await client.event('terminated');
    await expect(client.request('launch', { program: file, global: 4, args: [] })).rejects.toThrow(
      "kernel 'steps' takes 3 arguments",
    );
  });

  test('evaluates expressions as C does, and says what has no value', async () => {
    const own = join(folder, 'expressions.cl');
    writeFileSync(
      own,
      `kernel void expressions(global float *out, global const long *big, local int *t) {
  int i = get_global_id(0);
  int4 v = (int4)(7, 8, 9, 10);
  float f = 7;
  t[i] = i;
  out[i] = f + v.x + big[i] + t[i];
}
`,
    );
    const args = ['float[4]=zero', 'long[4]=fill=9007199254740993', 'local:int[4]'];
    await launch({ program: own, args, workItem: [3] }, [{ line: 6 }]);
    const { threadId } = await client.event('stopped');
    const frameId = (await top(threadId))[0]!.id;
    const results: Record<string, string> = {
      'f / 2': '3.5',
      'i / 2': '1',
      '(float)i / 2': '1.5',
      '(uchar)(v.w * 100)': '232',
      'i > 5 ? out[i + 100] : v.z': '9',
      'i == 0 || t[3] == 3': '1',
      'i > 5 && out[99] > 0': '0',
      '1 << v.x >> 2': '32',
      'big[0] + 2': '9007199254740995',
      '~i': '-4',
      '-f': '-7',
      'v.yx': '{8, 7}',
      'v.hi': '{9, 10}',
      'v.s31': '{10, 8}',
      'get_num_groups(0) * get_local_size(0)': '4',
    };
    const evaluate = (expression: string) => client.request('evaluate', { expression, frameId });
    for (const [expression, result] of Object.entries(results))
      expect([expression, (await evaluate(expression)).result]).toEqual([expression, result]);
    await expect(evaluate('out[4]')).rejects.toThrow('it has no element 4');
    await expect(evaluate('out[-1]')).rejects.toThrow('it has no element -1');
    await expect(evaluate('v.xq')).rejects.toThrow("it has no member 'xq'");
    await expect(evaluate('i / (i - 3)')).rejects.toThrow('it divides by zero');
    await expect(evaluate('f & 1')).rejects.toThrow('has no bits');
    await expect(evaluate('twice(1, 2)')).rejects.toThrow("the debugger does not call 'twice'");
    const shown = await variables(frameId);
    const elements = await client.request('variables', { variablesReference: shown.t!.variablesReference });
    expect(elements.variables).toHaveLength(4);
  });

  test.each([false, true])('what was set has contents (%s)', async (isSet) => {
    const own = join(folder, 'set.cl');
    writeFileSync(
      own,
      `kernel void contents(global int *out) {
  local int shared[2];
  int own[4];
  int i = get_global_id(0);
  own[i] = shared[i] = i;
  out[i] = own[i + 2];
  out[i] += shared[1];
}
`,
    );
    await launch({ program: own, args: ['int[2]=zero'], global: [2], local: [1] }, [{ line: 6 }]);
    const { threadId } = await client.event('stopped');
    const shown = await variables((await top(threadId))[0]!.id);
    const change = (variable: string, name: string) =>
      client.request('setVariable', {
        variablesReference: shown[variable]!.variablesReference,
        name,
        value: '5',
      });
    if (isSet) {
      await change('own', '[2]');
      await change('shared', '[1]');
    }
    await client.request('continue', { threadId });
    // Or the breakpoint in the second group.
    const stopped = isSet ? { reason: 'breakpoint' } : { reason: 'exception', description: 'uninitialized' };
    expect(await client.event('stopped')).toMatchObject(stopped);
  });

  test('counts hits and prints messages', async () => {
    const hits = [{ line: 16, hitCondition: '% 3' }];
    const logs = [{ line: 17, logMessage: '{id}: {sum}, {p.at}' }];
    await launch({ stopOnFaults: false }, [...hits, ...logs]);
    // Each of four work-items comes here twice.
    const stopped: [number, string][] = [];
    for (let stops = 0; stops < 2; stops++) {
      const { threadId } = await client.event('stopped');
      stopped.push([threadId, (await top(threadId))[0]!.line === 16 ? 'at 16' : 'elsewhere']);
      await client.request('continue', { threadId });
    }
    expect(stopped).toEqual([
      [2, 'at 16'],
      [3, 'at 16'],
    ]);
    const printed: string[] = [];
    while (printed.length < 8) {
      const { category, output } = await client.event('output');
      if (category === 'console') printed.push(output);
    }
    expect(printed[1]).toBe('0: 17, {0, 2}\n');
    await client.event('terminated');
    await client.request('disconnect');
  });

  test('a step prints the message of the line that it reaches, and counts it', async () => {
    const lines = [{ line: 16 }, { line: 17, logMessage: '{id}: {sum}', hitCondition: '1' }];
    await launch({ stopOnFaults: false, workItem: [0, 0, 0] }, lines);
    const { threadId } = await client.event('stopped');
    await client.request('next', { threadId });
    expect(await client.event('output')).toMatchObject({ category: 'console', output: '0: 14\n' });
    expect(await client.event('stopped')).toMatchObject({ reason: 'step', threadId });
    expect((await top(threadId))[0]).toMatchObject({ line: 17 });
    await client.request('disconnect');
  });

  test('steps a work-item that has not begun', async () => {
    await launch({}, [{ line: 9 }]);
    await client.event('stopped');
    await client.request('setBreakpoints', { source: { path: file }, breakpoints: [] });
    await client.request('next', { threadId: 3 });
    expect(await client.event('stopped')).toMatchObject({ reason: 'step', threadId: 3 });
    expect((await top(3))[0]).toMatchObject({ name: 'steps', line: 8 });
  });

  test('says which count is wrong', async () => {
    await launch({}, [{ line: 16, hitCondition: 'often' }]);
    expect(await client.event('stopped')).toMatchObject({ reason: 'breakpoint' });
    expect(await client.event('output')).toMatchObject({
      output: "the breakpoint's condition: 'often' is not a count; write 10, > 10 or % 10\n",
    });
  });

  test('ends when the client disconnects, while the kernel runs and its side is open', async () => {
    const endless = join(folder, 'runs.cl');
    writeFileSync(endless, 'kernel void runs(global volatile int *a) {\n  while (a[0] == 0) a[1]++;\n}\n');
    await launch({ program: endless, global: 1, local: 1, args: ['int[2]=zero'] });
    const ended = new Promise((resolve) => client.child.on('exit', resolve));
    await client.request('disconnect');
    expect(await ended).toBe(0);
  });

  test('pauses and ends a kernel that does not end', async () => {
    const endless = join(folder, 'endless.cl');
    writeFileSync(
      endless,
      'kernel void endless(global volatile int *a) {\n  while (a[0] == 0)\n    a[1]++;\n}\n',
    );
    await launch({ program: endless, global: 1, local: 1, args: ['int[2]=zero'] });
    await client.request('pause', { threadId: 1 });
    expect(await client.event('stopped')).toMatchObject({ reason: 'pause', threadId: 1 });
    const ended = new Promise((resolve) => client.child.on('exit', resolve));
    client.child.stdin!.write('Content-Length: 5\r\n\r\n{"a":');
    await client.request('disconnect');
    expect(await ended).toBe(0);
  });
});
