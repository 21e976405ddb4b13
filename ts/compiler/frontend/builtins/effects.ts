// SPDX-License-Identifier: MIT
//
// The effects of calls of built-in functions, as in the attributes of clang's header: `const` computes from the arguments alone,
// `pure` reads memory.
import type { ResolvedBuiltin } from './builtin';
import { isComputing } from './table';

/** Functions of the families that only compute which have no attribute in the header. */
const WITHOUT_ATTRIBUTE: ReadonlySet<string> = new Set([
  'get_enqueued_local_size',
  'get_global_linear_id',
  'get_local_linear_id',
  'get_image_num_mip_levels',
]);
/** Functions of other families that have one. */
const COMPUTING = /^(?:get_image_|sub_group_(?:ballot_bit_|inverse_ballot)|get_sub_group_\w\w_mask|convert_)/;

export function effectOf({ name, parameters, result }: ResolvedBuiltin): 'const' | 'pure' | undefined {
  if (result.kind === 'void' || WITHOUT_ATTRIBUTE.has(name)) return undefined;
  if (/^(?:read_image|vloada?)/.test(name)) return 'pure';
  if (COMPUTING.test(name)) return 'const';
  if (/sub_group/.test(name) || parameters.some(({ kind }) => kind === 'pointer')) return undefined;
  return isComputing(name) ? 'const' : undefined;
}
