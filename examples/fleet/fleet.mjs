// SPDX-License-Identifier: MIT
// node fleet.mjs FILE.json…: the machines' files as one JSON, with what a program can rely on everywhere.
import { readFileSync } from 'node:fs';

/** Properties of which the least value is what all have. */
const LIMITS = [
  'GLOBAL_MEM_SIZE',
  'MAX_MEM_ALLOC_SIZE',
  'LOCAL_MEM_SIZE',
  'MAX_WORK_GROUP_SIZE',
  'MAX_COMPUTE_UNITS',
];
const ORDER = ['gpu', 'accelerator', 'cpu', 'custom', 'software'];

/** The device that a machine would use: of the best type. */
const bestOf = ({ devices }) => [...devices].sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type))[0];

/** @param machines what capabilities.mjs has written on each */
export function fleetOf(machines) {
  const best = machines.map(bestOf);
  const common = (lists) =>
    lists.length === 0 ? [] : lists.reduce((a, b) => a.filter((each) => b.includes(each)));
  const types = Object.fromEntries(
    ORDER.map((type) => [
      type,
      machines.flatMap(({ devices }) => devices).filter((each) => each.type === type).length,
    ]),
  );
  return {
    machines: machines.length,
    devices: types,
    withoutGpu: machines
      .filter(({ devices }) => !devices.some(({ type }) => type === 'gpu'))
      .map(({ machine }) => machine.name),
    everywhere: {
      extensions: common(best.map(({ extensions }) => extensions)),
      limits: Object.fromEntries(
        LIMITS.map((key) => [key, Math.min(...best.map(({ properties }) => Number(properties[key])))]),
      ),
    },
    list: machines,
  };
}

/** @throws Error that names the file which is no such report */
export function readMachine(path) {
  let machine;
  try {
    machine = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path}: ${error.message}`);
  }
  if (machine?.format !== 1 || !Array.isArray(machine.devices) || machine.devices.length === 0)
    throw new Error(`${path}: not written by capabilities.mjs`);
  return machine;
}

if (process.argv[1]?.endsWith('fleet.mjs')) {
  try {
    const files = process.argv.slice(2);
    if (files.length === 0) throw new Error('node fleet.mjs FILE.json…');
    console.log(JSON.stringify(fleetOf(files.map(readMachine)), undefined, 1));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
