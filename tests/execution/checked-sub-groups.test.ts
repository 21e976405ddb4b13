// SPDX-License-Identifier: MIT
//
// Checked runs: barriers and collective operations of sub-groups that only some of their work-items reach. `//!` names what is
// reported at its line, `//?` is the other place.
import { openSync, type Session } from '../../ts';

const FAULTY: Readonly<Record<string, string>> = {
  'a barrier under a condition': `
    t[l] = l;
    if (s < 3) sub_group_barrier(CLK_LOCAL_MEM_FENCE); //!
    o[g] = t[l];
  } //?`,
  'a barrier behind a return': `
    if (s > 4) { o[g] = 0; return; } //?
    sub_group_barrier(CLK_LOCAL_MEM_FENCE); //!
    o[g] = 1;
  }`,
  'two barriers': `
    t[l] = l;
    if (s < 3)
      sub_group_barrier(CLK_LOCAL_MEM_FENCE); //?
    else
      sub_group_barrier(CLK_LOCAL_MEM_FENCE); //!
    o[g] = t[l];
  }`,
  'a loop of different lengths': `
    for (int i = 0; i < s; i++) sub_group_barrier(CLK_LOCAL_MEM_FENCE); //!
    o[g] = 1;
  } //?`,
  'a long loop of one work-item': `
    int n = s == 0 ? 100000 : 0;
    for (int i = 0; i < n; i++) sub_group_barrier(CLK_LOCAL_MEM_FENCE); //!
    o[g] = 1;
  }`,
  'the second of two sub-groups': `
    if (l != 9) sub_group_barrier(CLK_LOCAL_MEM_FENCE); //!
    o[g] = 1;
  } //?`,
  'a barrier of the group': `
    if (s < 3) sub_group_barrier(CLK_LOCAL_MEM_FENCE); //?
    barrier(CLK_LOCAL_MEM_FENCE); //!
    o[g] = 1;
  }`,
  'a sum under a condition': `
    int sum = 0;
    if (s & 1) sum = sub_group_reduce_add(l); //!
    o[g] = sum;
  } //?`,
  'a sum in a switch': `
    int v = 0;
    switch (s & 3) {
    case 0: v = 7; break;
    case 1: v = sub_group_scan_inclusive_add(l); break; //?
    default: v = sub_group_scan_exclusive_max(l); //!
    }
    o[g] = v;
  }`,
  'a vote in a loop that work-items leave': `
    int v = l;
    while (v > 2) {
      v--;
      if (sub_group_all(v == 77)) break; //!
    }
    o[g] = v;
  } //?`,
  'a broadcast in a function': `
    o[g] = s < 5 ? first(l) : 0;
  } //?`,
  'a condition from memory': `
    if (o[g] < 4) sub_group_barrier(CLK_LOCAL_MEM_FENCE); //!
    o[g] = 1;
  } //?`,
};
const HELPERS = 'int first(int v) { return sub_group_broadcast(v, 0); } // of the broadcast';

const CORRECT: Readonly<Record<string, string>> = {
  'sub-groups that do other things': `
    t[l] = l;
    if (get_sub_group_id() == 0) sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    else { sub_group_barrier(CLK_LOCAL_MEM_FENCE); t[l] = sub_group_reduce_add(l); }
    o[g] = t[l];
  }`,
  'conditions that are the same in a sub-group': `
    int n = o[g] * 0 + 3;
    for (int i = 0; i < n; i++) { t[l] = i; sub_group_barrier(CLK_LOCAL_MEM_FENCE); }
    o[g] = t[l - s];
  }`,
  'a vote that all leave by': `
    int v = l, rounds = 0;
    while (sub_group_any(v > 2)) { v -= v > 2; rounds += sub_group_reduce_max(v) > 1; }
    o[g] = rounds;
  }`,
  'between barriers of the group': `
    for (int i = 0; i < 3; i++) {
      t[l] = sub_group_scan_inclusive_add(i);
      barrier(CLK_LOCAL_MEM_FENCE);
      o[g] = work_group_reduce_add(t[l]);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }`,
  'different work before the same barrier': `
    if (s & 1) t[l] = 1;
    else if (s > 4) { for (int i = 0; i < s; i++) t[l] = i; }
    else { t[l] = 3; goto out; }
    t[l]++;
    out:
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    o[g] = t[l];
  }`,
  'operations of those that are there': `
    int v = 0;
    if (s & 1) v = sub_group_non_uniform_reduce_add(l) + sub_group_shuffle(l, 1);
    if (s > 2) { v += sub_group_elect(); v += sub_group_ballot(s > 3).x; v += sub_group_broadcast_first(l); }
    if (s > 5) { v += sub_group_non_uniform_all(l > 0); v += sub_group_non_uniform_broadcast(l, 6); }
    if (s > 6) v += sub_group_non_uniform_all_equal(l) + sub_group_clustered_reduce_add(l, 2);
    o[g] = v;
  }`,
};

const kernelOf = (body: string) => `${HELPERS}
kernel void k(global int *o) {
  local int t[64];
  int g = get_global_id(0), l = get_local_id(0), s = get_sub_group_local_id();
  t[l] = 0;
${body}
`;

let session: Session;
let barriersOnly: Session;
beforeAll(() => {
  session = openSync({ device: 'software', check: 'all' });
  barriersOnly = openSync({ device: 'software', check: ['barriers'] });
});
afterAll(() => {
  session.close();
  barriersOnly.close();
});

function faultsOf(body: string, size: number, global: number, options = '', cl = session) {
  const kernel = cl.buildSync(kernelOf(body), `-cl-std=CL3.0 ${options}`).createKernel('k');
  kernel.setArgs(cl.buffer(Int32Array.from({ length: global }, (_, i) => i)));
  const event = cl.queue.enqueueNDRange(kernel, { global: [global], local: [size] });
  event.waitSync();
  return event.faults;
}

const lineOf = (text: string, mark: string) => {
  const at = text.split('\n').findIndex((line) => line.includes(mark));
  return at < 0 ? undefined : at + 1;
};

test.each(Object.entries(FAULTY))('%s is reported', (_, body) => {
  for (const cl of [session, barriersOnly]) {
    const [fault, ...others] = faultsOf(body, 16, 48, '', cl).filter(
      (one) => one.kind === 'divergent-barrier',
    );
    const source = kernelOf(body);
    const line = lineOf(source, '//!') ?? lineOf(source, '// of the broadcast');
    expect([fault?.place?.line, fault?.other?.place?.line, others]).toEqual([
      line,
      lineOf(source, '//?'),
      [],
    ]);
    expect(fault?.message).toMatch(/^divergent barrier: /);
  }
});

test('a report says what the two have reached', () => {
  const [fault] = faultsOf(FAULTY['a sum under a condition']!, 16, 16);
  expect(fault!.message).toBe(
    'divergent barrier: a work-item takes part in an operation of its sub-group, another one of its sub-group ends',
  );
  expect([fault!.item?.local, fault!.other?.item?.local]).toEqual([
    [1, 0, 0],
    [0, 0, 0],
  ]);
  const [two] = faultsOf(FAULTY['two barriers']!, 16, 16);
  expect(two!.message).toBe(
    'divergent barrier: a work-item waits at a barrier, another one of its sub-group waits at a barrier elsewhere',
  );
});

describe.each([
  [16, 48],
  [16, 44],
  [12, 36],
  [1, 3],
])('in groups of %i', (size, global) => {
  test.each(Object.entries(CORRECT))('%s is correct', (_, body) => {
    for (const options of ['', '-cl-opt-disable'])
      expect(faultsOf(body, size, global, options).map(({ text }) => text)).toEqual([]);
  });
});
