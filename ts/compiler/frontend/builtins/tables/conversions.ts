// SPDX-License-Identifier: MIT
import { custom, type Row, row } from '../row';

const CONVERT =
  /^convert_(u?(?:char|short|int|long)|half|float|double)(2|3|4|8|16)?(_sat)?(?:_(rte|rtz|rtp|rtn))?$/;

/** convert_TYPE[_sat][_rtX]: there are 560 names, so the row is made from the name. */
export function conversionRows(name: string): readonly Row[] {
  const match = CONVERT.exec(name);
  if (match === null) return [];
  const [, element = '', width = '', saturate, rounding = ''] = match;
  const isFloat = element === 'half' || element === 'float' || element === 'double';
  if (isFloat && saturate !== undefined) return [];
  const data = [saturate === undefined ? '' : 'sat', rounding].filter((part) => part !== '').join(' ');
  return [row(name, `${element}${width}(A${width})`, custom('convert', data))];
}

const AS =
  /^as_((?:u?(?:char|short|int|long)|half|float|double)(?:2|3|4|8|16)?|size_t|ptrdiff_t|u?intptr_t)$/;

/** The result type of `as_TYPE`, in the notation of signatures. */
export const reinterpretedType = (name: string): string | undefined => AS.exec(name)?.[1];
