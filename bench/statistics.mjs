// SPDX-License-Identifier: MIT

/** The middle of a list of numbers; of an even number of them, the upper one. */
export const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

/** For ratios: that of twice and of half as fast is 1. */
export const geometricMean = (list) => Math.exp(list.reduce((sum, x) => sum + Math.log(x), 0) / list.length);
