// SPDX-License-Identifier: MIT
//
// The public names of this folder.
export {
  type Flow,
  type FlowOptions,
  type FlowSource,
  type FlowStage,
  flow,
  type StageChunk,
  throughFlow,
} from './flow';
export { type JobOptions, schedule } from './jobs';
export { regroup, type Source } from './regroup';
export { type SplitRange, type SplitReport, split } from './split';
export { type Access, part, type SplitArgument, SplitArray } from './split-arguments';
export {
  type DeviceFailure,
  isDeviceFault,
  type Member,
  openTeam,
  Team,
  TeamError,
  TeamKernel,
  type TeamOptions,
} from './team';
