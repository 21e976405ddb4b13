// SPDX-License-Identifier: MIT
//
// -Wspir-compat: bits of samplers that have no meaning (SPIR 1.2, 2.1.3).
import type { Location } from '../../../diagnostics/diagnostic';
import type { Reporter } from '../../../diagnostics/reporter';
import type { Expr } from '../../ast/checked';
import type { LanguageOptions } from '../../language';
import { evaluateInteger } from '../constants/evaluate';

const GREATEST_ADDRESSING_MODE = 4n;

export function warnSampler(
  reporter: Reporter,
  language: LanguageOptions,
  value: Expr,
  { begin }: { readonly begin: Location },
): void {
  const bits = evaluateInteger(value, { language, readVariables: true });
  if (bits === undefined) return;
  const addressing = (bits >> 1n) & 7n;
  const filter = (bits >> 4n) & 3n;
  if (filter !== 1n && filter !== 2n) reporter.report('sampler-bits', begin, { mode: 'Filter' });
  if (addressing > GREATEST_ADDRESSING_MODE) reporter.report('sampler-bits', begin, { mode: 'Addressing' });
}
