// SPDX-License-Identifier: MIT
import { invariant } from '../../../base/invariant';
import type { Builder } from '../../../spirv/builder';
import { Capability, Op } from '../../../spirv/grammar.gen';
import type { Id } from '../../../spirv/module';
import type { Emitter } from './site';

function declareExtension(b: Builder): void {
  b.capability(Capability.SubgroupAvcMotionEstimationINTEL);
  b.extension('SPV_INTEL_device_side_avc_motion_estimation');
}

const opOf = (name: string): Op => {
  const op = Op[`SubgroupAvc${name}INTEL` as keyof typeof Op];
  invariant(op !== undefined, `no instruction OpSubgroupAvc${name}INTEL`);
  return op;
};

/** OpTypeAvc…INTEL of `intel_sub_group_avc_…_t`. */
export function motionEstimationType(b: Builder, name: string): Id {
  const words = name.replace(/^intel_sub_group_avc_(.*)_t$/, '$1').split('_');
  const camel = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  const op = Op[`TypeAvc${camel}INTEL` as keyof typeof Op];
  invariant(op !== undefined, `unexpected opaque type ${name}`);
  declareExtension(b);
  return b.type(op, []);
}

/** One instruction; images are combined with the sampler, which is not a separate operand. */
const estimate: Emitter = ({ builder: b, builtin, args, type, data }) => {
  declareExtension(b);
  const samplerAt = builtin.parameters.findIndex((p) => p.kind === 'opaque' && p.name === 'sampler_t');
  const operands = args.flatMap((arg, i) => {
    if (i === samplerAt) return [];
    if (builtin.parameters[i]!.kind !== 'image') return [arg];
    const joined = b.type(Op.TypeVmeImageINTEL, [b.typeOf(arg)]);
    return [b.emit(Op.VmeImageINTEL, joined, [arg, args[samplerAt]!])];
  });
  return b.emit(opOf(data[0]!), type, operands);
};

/** A function of mce on another kind of payload or result: data is the kind and the function. */
const shared: Emitter = ({ builder: b, args, type, data }) => {
  declareExtension(b);
  const [kind, name] = data as [string, string];
  const part = name.startsWith('Set') ? 'Payload' : 'Result';
  const object = args.at(-1)!;
  const mce = motionEstimationType(b, `intel_sub_group_avc_mce_${part.toLowerCase()}_t`);
  const converted = b.emit(opOf(`${kind}ConvertToMce${part}`), mce, [object]);
  const operands = [...args.slice(0, -1), converted];
  if (part === 'Result') return b.emit(opOf(`Mce${name}`), type, operands);
  return b.emit(opOf(`MceConvertTo${kind}Payload`), type, [b.emit(opOf(`Mce${name}`), mce, operands)]);
};

export const motionEstimationEmitters = { motion_estimation: estimate, motion_estimation_shared: shared };
