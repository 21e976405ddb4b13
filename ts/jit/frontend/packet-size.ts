// SPDX-License-Identifier: MIT
//
// The packet size of a pipe parameter. Its type does not say it: the instructions that use the pipe do.
import { Op } from '../../spirv/grammar.gen';
import type { Id, Instruction } from '../../spirv/module';
import type { ModuleIndex } from './module-index';

/** Where the pipe is among the operands. The size is the last but one. */
const PIPE_OPERAND: Partial<Record<Op, number>> = {
  [Op.ReadPipe]: 0,
  [Op.WritePipe]: 0,
  [Op.ReservedReadPipe]: 0,
  [Op.ReservedWritePipe]: 0,
  [Op.ReserveReadPipePackets]: 0,
  [Op.ReserveWritePipePackets]: 0,
  [Op.CommitReadPipe]: 0,
  [Op.CommitWritePipe]: 0,
  [Op.GetNumPipePackets]: 0,
  [Op.GetMaxPipePackets]: 0,
  [Op.GroupReserveReadPipePackets]: 1,
  [Op.GroupReserveWritePipePackets]: 1,
  [Op.GroupCommitReadPipe]: 1,
  [Op.GroupCommitWritePipe]: 1,
};

/** No property if nothing uses the pipe, or the module does not say the size. */
export function packetSizeOf(index: ModuleIndex, parameter: Id): { readonly packetSize?: number } {
  const seen = new Set<Id>([parameter]);
  // The functions that get the pipe have parameters of their own for it.
  for (const pipe of seen) {
    for (const { blocks } of index.functions.values())
      for (const { instructions } of blocks)
        for (const i of instructions) {
          const at = PIPE_OPERAND[i.op];
          if (at !== undefined && i.operands[at] === pipe) {
            const size = index.constants.tryInteger(i.operands.at(-2)! as Id);
            if (size !== undefined) return { packetSize: Number(size) };
          }
          if (i.op === Op.FunctionCall) for (const own of parametersGiven(index, i, pipe)) seen.add(own);
        }
  }
  return {};
}

function parametersGiven(index: ModuleIndex, call: Instruction, pipe: Id): Id[] {
  const parameters = index.functions.get(call.operands[0]! as Id)?.parameters ?? [];
  return parameters.filter((_, at) => call.operands[at + 1] === pipe).map(({ result }) => result);
}
