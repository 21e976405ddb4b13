// SPDX-License-Identifier: MIT
//
// The declarations that an instruction of a Kernel module requires: a capability, and an extension if the core does not have it.
import { Capability, GroupOperation, Op } from './grammar.gen';

export interface Requirement {
  readonly capability: Capability;
  readonly extension?: string;
  /** From this version on the extension is part of the core: major << 16 | minor << 8. */
  readonly core?: number;
  /** The lowest version that has it, if no extension provides it. */
  readonly version?: number;
}

const deviceEnqueue: Requirement = { capability: Capability.DeviceEnqueue };
const pipes: Requirement = { capability: Capability.Pipes };
const groups: Requirement = { capability: Capability.Groups };
const vote: Requirement = { capability: Capability.GroupNonUniformVote, version: 0x10300 };
const ballot: Requirement = { capability: Capability.GroupNonUniformBallot, version: 0x10300 };
const arithmetic: Requirement = { capability: Capability.GroupNonUniformArithmetic, version: 0x10300 };
const clustered: Requirement = { capability: Capability.GroupNonUniformClustered, version: 0x10300 };
const shuffle: Requirement = { capability: Capability.GroupNonUniformShuffle, version: 0x10300 };
const relative: Requirement = { capability: Capability.GroupNonUniformShuffleRelative, version: 0x10300 };
const uniformArithmetic: Requirement = {
  capability: Capability.GroupUniformArithmeticKHR,
  extension: 'SPV_KHR_uniform_group_instructions',
};
const dot: Requirement = {
  capability: Capability.DotProduct,
  extension: 'SPV_KHR_integer_dot_product',
  core: 0x10600,
};
const bits: Requirement = { capability: Capability.BitInstructions, extension: 'SPV_KHR_bit_instructions' };
const intelShuffle: Requirement = {
  capability: Capability.SubgroupShuffleINTEL,
  extension: 'SPV_INTEL_subgroups',
};
const intelBlocks: Requirement = {
  capability: Capability.SubgroupBufferBlockIOINTEL,
  extension: 'SPV_INTEL_subgroups',
};
const intelImageBlocks: Requirement = {
  capability: Capability.SubgroupImageBlockIOINTEL,
  extension: 'SPV_INTEL_subgroups',
};

const REQUIREMENTS: Partial<Record<Op, Requirement>> = {
  [Op.TypeDeviceEvent]: deviceEnqueue,
  [Op.TypeQueue]: deviceEnqueue,
  [Op.EnqueueMarker]: deviceEnqueue,
  [Op.EnqueueKernel]: deviceEnqueue,
  [Op.GetKernelNDrangeSubGroupCount]: deviceEnqueue,
  [Op.GetKernelNDrangeMaxSubGroupSize]: deviceEnqueue,
  [Op.GetKernelWorkGroupSize]: deviceEnqueue,
  [Op.GetKernelPreferredWorkGroupSizeMultiple]: deviceEnqueue,
  [Op.RetainEvent]: deviceEnqueue,
  [Op.ReleaseEvent]: deviceEnqueue,
  [Op.CreateUserEvent]: deviceEnqueue,
  [Op.IsValidEvent]: deviceEnqueue,
  [Op.SetUserEventStatus]: deviceEnqueue,
  [Op.CaptureEventProfilingInfo]: deviceEnqueue,
  [Op.GetDefaultQueue]: deviceEnqueue,
  [Op.BuildNDRange]: deviceEnqueue,
  [Op.GetKernelLocalSizeForSubgroupCount]: { capability: Capability.SubgroupDispatch, version: 0x10100 },
  [Op.GetKernelMaxNumSubgroups]: { capability: Capability.SubgroupDispatch, version: 0x10100 },
  [Op.TypeReserveId]: pipes,
  [Op.TypePipe]: pipes,
  [Op.ReadPipe]: pipes,
  [Op.WritePipe]: pipes,
  [Op.ReservedReadPipe]: pipes,
  [Op.ReservedWritePipe]: pipes,
  [Op.ReserveReadPipePackets]: pipes,
  [Op.ReserveWritePipePackets]: pipes,
  [Op.CommitReadPipe]: pipes,
  [Op.CommitWritePipe]: pipes,
  [Op.IsValidReserveId]: pipes,
  [Op.GetNumPipePackets]: pipes,
  [Op.GetMaxPipePackets]: pipes,
  [Op.GroupReserveReadPipePackets]: pipes,
  [Op.GroupReserveWritePipePackets]: pipes,
  [Op.GroupCommitReadPipe]: pipes,
  [Op.GroupCommitWritePipe]: pipes,
  [Op.ConstantSampler]: { capability: Capability.LiteralSampler },
  [Op.GroupAll]: groups,
  [Op.GroupAny]: groups,
  [Op.GroupBroadcast]: groups,
  [Op.GroupIAdd]: groups,
  [Op.GroupFAdd]: groups,
  [Op.GroupFMin]: groups,
  [Op.GroupUMin]: groups,
  [Op.GroupSMin]: groups,
  [Op.GroupFMax]: groups,
  [Op.GroupUMax]: groups,
  [Op.GroupSMax]: groups,
  [Op.GroupNonUniformElect]: { capability: Capability.GroupNonUniform, version: 0x10300 },
  [Op.GroupNonUniformAll]: vote,
  [Op.GroupNonUniformAny]: vote,
  [Op.GroupNonUniformAllEqual]: vote,
  [Op.GroupNonUniformBroadcast]: ballot,
  [Op.GroupNonUniformBroadcastFirst]: ballot,
  [Op.GroupNonUniformBallot]: ballot,
  [Op.GroupNonUniformInverseBallot]: ballot,
  [Op.GroupNonUniformBallotBitExtract]: ballot,
  [Op.GroupNonUniformBallotBitCount]: ballot,
  [Op.GroupNonUniformBallotFindLSB]: ballot,
  [Op.GroupNonUniformBallotFindMSB]: ballot,
  [Op.GroupNonUniformShuffle]: shuffle,
  [Op.GroupNonUniformShuffleXor]: shuffle,
  [Op.GroupNonUniformShuffleUp]: relative,
  [Op.GroupNonUniformShuffleDown]: relative,
  [Op.GroupNonUniformIAdd]: arithmetic,
  [Op.GroupNonUniformFAdd]: arithmetic,
  [Op.GroupNonUniformIMul]: arithmetic,
  [Op.GroupNonUniformFMul]: arithmetic,
  [Op.GroupNonUniformSMin]: arithmetic,
  [Op.GroupNonUniformUMin]: arithmetic,
  [Op.GroupNonUniformFMin]: arithmetic,
  [Op.GroupNonUniformSMax]: arithmetic,
  [Op.GroupNonUniformUMax]: arithmetic,
  [Op.GroupNonUniformFMax]: arithmetic,
  [Op.GroupNonUniformBitwiseAnd]: arithmetic,
  [Op.GroupNonUniformBitwiseOr]: arithmetic,
  [Op.GroupNonUniformBitwiseXor]: arithmetic,
  [Op.GroupNonUniformLogicalAnd]: arithmetic,
  [Op.GroupNonUniformLogicalOr]: arithmetic,
  [Op.GroupNonUniformLogicalXor]: arithmetic,
  [Op.GroupNonUniformRotateKHR]: {
    capability: Capability.GroupNonUniformRotateKHR,
    extension: 'SPV_KHR_subgroup_rotate',
  },
  [Op.GroupIMulKHR]: uniformArithmetic,
  [Op.GroupFMulKHR]: uniformArithmetic,
  [Op.GroupBitwiseAndKHR]: uniformArithmetic,
  [Op.GroupBitwiseOrKHR]: uniformArithmetic,
  [Op.GroupBitwiseXorKHR]: uniformArithmetic,
  [Op.GroupLogicalAndKHR]: uniformArithmetic,
  [Op.GroupLogicalOrKHR]: uniformArithmetic,
  [Op.GroupLogicalXorKHR]: uniformArithmetic,
  [Op.SDot]: dot,
  [Op.UDot]: dot,
  [Op.SUDot]: dot,
  [Op.SDotAccSat]: dot,
  [Op.UDotAccSat]: dot,
  [Op.SUDotAccSat]: dot,
  [Op.BitFieldInsert]: bits,
  [Op.BitFieldSExtract]: bits,
  [Op.BitFieldUExtract]: bits,
  [Op.BitReverse]: bits,
  [Op.SubgroupShuffleINTEL]: intelShuffle,
  [Op.SubgroupShuffleDownINTEL]: intelShuffle,
  [Op.SubgroupShuffleUpINTEL]: intelShuffle,
  [Op.SubgroupShuffleXorINTEL]: intelShuffle,
  [Op.SubgroupBlockReadINTEL]: intelBlocks,
  [Op.SubgroupBlockWriteINTEL]: intelBlocks,
  [Op.SubgroupImageBlockReadINTEL]: intelImageBlocks,
  [Op.SubgroupImageBlockWriteINTEL]: intelImageBlocks,
  [Op.ReadClockKHR]: { capability: Capability.ShaderClockKHR, extension: 'SPV_KHR_shader_clock' },
  [Op.AtomicFlagTestAndSet]: { capability: Capability.Kernel },
  [Op.ImageQueryLod]: { capability: Capability.ImageQuery },
  [Op.AssumeTrueKHR]: { capability: Capability.ExpectAssumeKHR, extension: 'SPV_KHR_expect_assume' },
  [Op.ExpectKHR]: { capability: Capability.ExpectAssumeKHR, extension: 'SPV_KHR_expect_assume' },
};

/** The requirements of an instruction besides Kernel and Addresses; undefined if there are none. */
export function requirementOf(op: Op, operands: readonly number[]): Requirement | undefined {
  const requirement = REQUIREMENTS[op];
  if (requirement === arithmetic && operands[1] === GroupOperation.ClusteredReduce) return clustered;
  return requirement;
}
