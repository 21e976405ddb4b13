// SPDX-License-Identifier: MIT
//
// Functions of whole work-groups and sub-groups.
import { BuiltIn, Capability, GroupOperation, Op, Scope } from '../../../spirv/grammar.gen';
import { constructVector } from '../../../spirv/vectors';
import { type Builder, type Emitter, fromBool, type Id, opcodeOf, scope, toBool } from './site';

const scopeNamed = (b: Builder, name: string): Id =>
  scope(b, name === 'Workgroup' ? Scope.Workgroup : Scope.Subgroup);
const subGroup = (b: Builder): Id => scope(b, Scope.Subgroup);
const operationNamed = (name: string): GroupOperation => GroupOperation[name as 'Reduce'];

/** The uniform collectives of the core are named without a suffix; the extension's end in KHR. */
const groupOpcode = (name: string): Op =>
  Op[`Group${name}` as 'GroupIAdd'] ?? Op[`Group${name}KHR` as 'GroupIMulKHR'];

/** Reductions and scans: data is scope, operation, opcode. */
const group: Emitter = ({ builder: b, args, type, data }) =>
  b.emit(groupOpcode(data[2]!), type, [scopeNamed(b, data[0]!), operationNamed(data[1]!), args[0]!]);

const groupLogical: Emitter = ({ builder: b, args, type, data }) => {
  const operands = [scopeNamed(b, data[0]!), operationNamed(data[1]!), toBool(b, args[0]!)];
  return fromBool(b, b.emit(groupOpcode(data[2]!), b.bool(), operands), type);
};

/** all, any, all_equal: data is scope and opcode. */
const groupVote: Emitter = ({ builder: b, args, type, data }) => {
  const op = opcodeOf(data[1]!);
  const value = op === Op.GroupNonUniformAllEqual ? args[0]! : toBool(b, args[0]!);
  return fromBool(b, b.emit(op, b.bool(), [scopeNamed(b, data[0]!), value]), type);
};

/** In a work-group the item may have two or three coordinates. */
const groupBroadcast: Emitter = ({ builder: b, args, type, data }) => {
  const [value, ...place] = args as [Id, ...Id[]];
  const local =
    place.length === 1 ? place[0]! : constructVector(b, b.vector(b.typeOf(place[0]!), place.length), place);
  return b.emit(Op.GroupBroadcast, type, [scopeNamed(b, data[0]!), value, local]);
};

const elect: Emitter = ({ builder: b, type }) =>
  fromBool(b, b.emit(Op.GroupNonUniformElect, b.bool(), [subGroup(b)]), type);

/** Before SPIR-V 1.5 the item must be a constant; a shuffle accepts any value. */
const nonUniformBroadcast: Emitter = ({ builder: b, args, type }) => {
  const op = b.isConstant(args[1]!) ? Op.GroupNonUniformBroadcast : Op.GroupNonUniformShuffle;
  return b.emit(op, type, [subGroup(b), args[0]!, args[1]!]);
};

const nonUniformFirst: Emitter = ({ builder: b, args, type }) =>
  b.emit(Op.GroupNonUniformBroadcastFirst, type, [subGroup(b), args[0]!]);

const ballot: Emitter = ({ builder: b, args, type }) =>
  b.emit(Op.GroupNonUniformBallot, type, [subGroup(b), toBool(b, args[0]!)]);

const ballotTest: Emitter = ({ builder: b, args, type, data }) =>
  fromBool(b, b.emit(opcodeOf(data[0]!), b.bool(), [subGroup(b), ...args]), type);

const ballotCount: Emitter = ({ builder: b, args, type, data }) =>
  b.emit(Op.GroupNonUniformBallotBitCount, type, [subGroup(b), operationNamed(data[0]!), args[0]!]);

const ballotFind: Emitter = ({ builder: b, args, type, data }) =>
  b.emit(opcodeOf(data[0]!), type, [subGroup(b), args[0]!]);

const subGroupMask: Emitter = ({ host, builder: b, type, data }) => {
  b.capability(Capability.GroupNonUniformBallot);
  b.needVersion(0x10300, 'sub-group masks');
  return host.builtInValue(BuiltIn[data[0] as 'SubgroupEqMask'], type);
};

/** data is operation and opcode; a cluster's size is the second argument. */
const nonUniform: Emitter = ({ builder: b, args, type, data }) =>
  b.emit(Op[`GroupNonUniform${data[1]}` as 'GroupNonUniformIAdd'], type, [
    subGroup(b),
    operationNamed(data[0]!),
    ...args,
  ]);

const nonUniformLogical: Emitter = ({ builder: b, args, type, data }) => {
  const op = Op[`GroupNonUniform${data[1]}` as 'GroupNonUniformLogicalAnd'];
  const [value, ...cluster] = args as [Id, ...Id[]];
  const operands = [subGroup(b), operationNamed(data[0]!), toBool(b, value), ...cluster];
  return fromBool(b, b.emit(op, b.bool(), operands), type);
};

const shuffle: Emitter = ({ builder: b, args, type, data }) =>
  b.emit(opcodeOf(data[0]!), type, [subGroup(b), ...args]);

const rotate: Emitter = ({ builder: b, args, type }) =>
  b.emit(Op.GroupNonUniformRotateKHR, type, [subGroup(b), ...args]);

export const groupEmitters = {
  group,
  group_logical: groupLogical,
  group_vote: groupVote,
  group_broadcast: groupBroadcast,
  sub_group_elect: elect,
  non_uniform_broadcast: nonUniformBroadcast,
  non_uniform_first: nonUniformFirst,
  ballot,
  ballot_test: ballotTest,
  ballot_count: ballotCount,
  ballot_find: ballotFind,
  sub_group_mask: subGroupMask,
  non_uniform: nonUniform,
  non_uniform_logical: nonUniformLogical,
  sub_group_shuffle: shuffle,
  sub_group_rotate: rotate,
};
