// SPDX-License-Identifier: MIT
//
// `assert` (C99, 7.2): predefined, and in <assert.h>. Runs that are not checked evaluate no assertion; those that are
// (docs/checks.md) define __ANYCL_CHECKED__.

/** The macro that says that assertions are evaluated. */
const CHECKED_MACRO = '__ANYCL_CHECKED__';

/** Of an assertion that is not evaluated: it is still checked as an expression. */
const IGNORED = '(condition) (0 ? (void)!(condition) : (void)0)';
const CHECKED = '(condition) __anycl_assert((condition) ? 1 : 0, #condition)';

/** What follows the name in the definition. */
export function assertText(isDefined: (macro: string) => boolean): string {
  if (isDefined('NDEBUG')) return '(condition) ((void)0)';
  return isDefined(CHECKED_MACRO) ? CHECKED : IGNORED;
}

/** It may be included again, after a change of NDEBUG. */
export const ASSERT_HEADER = `#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#elif defined ${CHECKED_MACRO}
#define assert${CHECKED}
#else
#define assert${IGNORED}
#endif
`;
