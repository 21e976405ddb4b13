// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiledModule } from '../../../tests/helpers/compiled-module';
import { runInterpreted } from '../../../tests/helpers/interpreted-kernel';
import { PIPE, pipeSize } from '../../base/kernel-abi';
import { Program } from './program';

function compiled(name: string, text: string) {
  return compiledModule({
    name,
    text,
    options: '-cl-std=CL3.0',
    headers: new Map(),
    target: 'spir',
  });
}

const SOURCE = `
  kernel void put(write_only pipe int q, global int *o) {
    int i = get_global_id(0), x = i * 10;
    o[i] = write_pipe(q, &x);
  }
  kernel void get(read_only pipe int q, global int *o) {
    int x = -7, r = read_pipe(q, &x);
    o[get_global_id(0)] = r ? r : x;
  }
  kernel void pairs(write_only pipe int q, global int *o) {
    int i = get_global_id(0), a = i, b = i + 100;
    reserve_id_t id = reserve_write_pipe(q, 2);
    o[i] = is_valid_reserve_id(id);
    if (!is_valid_reserve_id(id)) return;
    write_pipe(q, id, 1, &b);
    write_pipe(q, id, 0, &a);
    commit_write_pipe(q, id);
  }
  kernel void putMany(write_only pipe int q, global int *o) {
    reserve_id_t id = reserve_write_pipe(q, 2500);
    if (!is_valid_reserve_id(id)) return;
    for (int i = 0; i < 2500; i++) write_pipe(q, id, i, &i);
    commit_write_pipe(q, id);
    o[0] = 1;
  }
  kernel void getMany(read_only pipe int q, global int *o) {
    reserve_id_t id = reserve_read_pipe(q, 2500);
    if (!is_valid_reserve_id(id)) return;
    int sum = 0, x;
    for (int i = 0; i < 2500; i++) { read_pipe(q, id, i, &x); sum += x; }
    commit_read_pipe(q, id);
    o[0] = sum;
  }`;

/** Runs kernels on one pipe. */
function onPipe(slots: number): (name: string, items: number) => number[] {
  const library = compiled('pipe.cl', readFileSync(join(__dirname, '../../../kernels/lib/pipe.cl'), 'utf8'));
  const program = new Program(compiled('a.cl', SOURCE), {
    moduleOf: (name) => (name.startsWith('__anycl_pipe_') ? library : undefined),
  });
  let pipe = new Uint8Array(pipeSize(4, slots));
  new DataView(pipe.buffer).setUint32(PIPE.packetSize, 4, true);
  new DataView(pipe.buffer).setUint32(PIPE.maxPackets, slots, true);
  return (name, items) => {
    const { func, signature } = program.translate(name);
    expect(signature.arguments[0]).toMatchObject({ kind: 'pipe', size: 4 });
    const { buffers } = runInterpreted(func, signature, program.binary, {
      global: [items],
      args: [{ buffer: pipe }, { buffer: new Int32Array(items) }],
    });
    pipe = buffers[0]!.slice();
    return [...new Int32Array(buffers[1]!.buffer)];
  };
}

test('packets come out as they went in, and no more than there is room for', () => {
  const run = onPipe(4);
  expect(run('get', 1)).toEqual([-1]);
  expect(run('put', 3)).toEqual([0, 0, 0]);
  expect(run('get', 2)).toEqual([0, 10]);
  expect(run('put', 4)).toEqual([0, 0, 0, -1]);
  expect(run('get', 5)).toEqual([20, 0, 10, 20, -1]);
  expect(run('pairs', 3)).toEqual([1, 1, 0]);
  expect(run('get', 4)).toEqual([0, 100, 1, 101]);
});

test('a reservation takes as many packets as the pipe has room for', () => {
  const run = onPipe(2800);
  for (let round = 0; round < 2; round++) {
    expect(run('putMany', 1)).toEqual([1]);
    expect(run('putMany', 1)).toEqual([0]);
    expect(run('getMany', 1)).toEqual([(2500 * 2499) / 2]);
  }
});
