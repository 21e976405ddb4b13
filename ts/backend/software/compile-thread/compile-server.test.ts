// SPDX-License-Identifier: MIT
import * as hashes from '../../../base/hash';
import { NodeHost } from '../../../host/node/node-host';
import { jitSettings } from '../build/jit-settings';
import { CompileServer } from './compile-server';

// Sources that run without a build have no cache.
jest.mock('../build/build-id', () => ({ BUILD: 'a build' }));
jest.mock('../../../base/hash', () => {
  const actual = jest.requireActual<typeof hashes>('../../../base/hash');
  return { ...actual, digest: jest.fn(actual.digest) };
});

test('a program is hashed once, however many of its kernels are asked for', () => {
  const host = new NodeHost();
  const server = new CompileServer(host);
  const names = Array.from({ length: 5 }, (_, i) => `k${i}`);
  const text = names.map((name, i) => `kernel void ${name}(global int *p) { *p = ${i}; }`).join('\n');
  const input = { kind: 'source', text, options: '', target: 'spir' } as const;
  const built = server.answer({ kind: 'build', input, keepAs: 1, addressBits: 32 });
  if (built?.kind !== 'built') throw new Error(JSON.stringify(built));
  const digest = jest.mocked(hashes.digest);
  digest.mockClear();
  const program = { id: 1, isNew: false, instructions: built.instructions, addressBits: 32 } as const;
  for (const name of names) {
    const reply = server.answer({
      kind: 'kernel',
      kernel: { program, name, settings: jitSettings(host) },
    });
    expect(reply?.kind).toBe('kernel');
  }
  expect(digest).toHaveBeenCalledTimes(1);
});
