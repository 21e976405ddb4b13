// SPDX-License-Identifier: MIT
//
// A kernel for a debugger: as the front end made it, with checks, before any pass. So every variable and line is still there.
import { addChecks } from '../checks/instrument';
import type { DebuggedKernel, JitOptions } from '../compiled';
import { DebugMarkers } from '../frontend/debug-markers';
import type { Program } from '../frontend/program';
import { DebugItem, release } from './debug-item';

export function debugKernel(program: Program, name: string, options: JitOptions): DebuggedKernel {
  const table = new DebugMarkers();
  const checks = options.checks ?? [];
  const { func, signature, names } = program.translate(name, {
    zeroPrivate: options.zeroed?.private === true,
    checks,
    debug: table,
  });
  const checkTable = addChecks(func, signature, names, checks);
  const lines = new Map<string, { file: string; line: number }>();
  for (const { insts, terminator } of func.blocks)
    for (const { position } of [...insts, terminator])
      if (position?.line)
        lines.set(`${position.line} ${position.file}`, { file: position.file, line: position.line });
  return {
    signature,
    checks: checkTable,
    lines: [...lines.values()],
    release,
    group(env, group) {
      const size = env.localSize.map((n, d) => Math.min(n, env.globalSize[d]! - group[d]! * n));
      const [width, height, depth] = size as [number, number, number];
      const items: DebugItem[] = [];
      let frame = env.privateBase;
      for (let at = 0; at < width * height * depth; at++) {
        const local = [at % width, Math.floor(at / width) % height, Math.floor(at / (width * height))];
        const item = new DebugItem({ func, table }, env, group, local, size, frame);
        frame += item.frameBytes;
        items.push(item);
      }
      return items;
    },
  };
}
