// SPDX-License-Identifier: MIT
import { render } from '../../diagnostics/render';
import { Reporter } from '../../diagnostics/reporter';
import { SourceMap } from '../../diagnostics/source-map';
import { EXTENSIONS, FEATURES } from '../features';
import type { LanguageOptions } from '../language';
import { preprocess } from './preprocessor';

const LANGUAGE: LanguageOptions = {
  version: 300,
  addressBits: 64,
  features: new Set<string>([...EXTENSIONS, ...FEATURES]),
  fastRelaxedMath: false,
  madEnable: false,
  denormsAreZero: false,
  correctlyRoundedDivideSqrt: false,
  noSignedZeros: false,
  finiteMathOnly: false,
  unsafeMathOptimizations: false,
  singlePrecisionConstant: false,
  optDisable: false,
  kernelArgInfo: false,
  uniformWorkGroupSize: false,
  debugInfo: false,
  checked: false,
};

interface Setting {
  readonly headers?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly folders?: readonly string[];
  readonly language?: Partial<LanguageOptions>;
  readonly commandLine?: string;
}

function run(text: string, setting: Setting = {}) {
  const reporter = new Reporter(new SourceMap());
  const tokens = preprocess(
    {
      name: 'a.cl',
      text,
      headers: new Map(Object.entries(setting.headers ?? {})),
      readFile: (path) => {
        const file = setting.files?.[path];
        return file === undefined ? undefined : new TextEncoder().encode(file);
      },
      includeDirectories: setting.folders ?? [],
      commandLine: setting.commandLine ?? '',
    },
    { ...LANGUAGE, ...setting.language },
    reporter,
  );
  return { tokens, reporter, log: render(reporter.diagnostics) };
}

/** The tokens' texts, separated by spaces; the log must be empty. */
function expand(text: string, setting: Setting = {}): string {
  const { tokens, log } = run(text, setting);
  expect(log).toBe('');
  return tokens
    .slice(0, -1)
    .map((token) => (token.kind === 'pragma' ? `#${token.text}` : token.text))
    .join(' ');
}

const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim();
/** A text that is lexed but not expanded further. */
const plain = (text: string) => expand(text);

const log = (text: string, setting: Setting = {}) => run(text, setting).log;

describe('the examples of the standard (C99, 6.10.3)', () => {
  test('6.10.3.3: # and ## on one macro', () => {
    expect(
      expand(
        '#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n#define join(c, d) in_between(c hash_hash d)\njoin(x, y)',
      ),
    ).toBe('"x ## y"');
  });

  test('6.10.3.5 example 3: rescanning', () => {
    const text = `#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };`;
    expect(expand(text)).toBe(
      plain(`f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);
f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);
int i[] = { 1, 23, 4, 5, };
char c[2][6] = { "hello", "" };`),
    );
  });

  test('6.10.3.5 example 4: strings', () => {
    const text = String.raw`#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4') // this goes away
== 0) str(: @\n), s);
xstr(INCFILE(2).h)
glue(HIGH, LOW);
xglue(HIGH, LOW)`;
    const { tokens } = run(text);
    expect(
      tokens
        .slice(0, -1)
        .map((token) => token.text)
        .join(' '),
    ).toBe(
      squeeze(String.raw`printf ( "x" "1" "= %d, x" "2" "= %s" , x1 , x2 ) ;
fputs ( "strncmp(\"abc\\0d\", \"abc\", '\\4') == 0" ": @\n" , s ) ;
"vers2.h" "hello" ; "hello" ", world"`),
    );
  });

  test('6.10.3.5 example 5: placemarkers', () => {
    expect(
      expand(
        '#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };',
      ),
    ).toBe(plain('int j[] = { 123, 45, 67, 89, 10, 11, 12, };'));
  });

  test('6.10.3.5 example 7: variadic macros', () => {
    expect(
      expand(`#define debug(...) fprintf(stderr, __VA_ARGS__)
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))
debug("Flag"); debug("X = %d\\n", x);
showlist(The first, second, and third items.);
report(x>y, "x is %d but y is %d", x, y);`),
    ).toBe(
      plain(`fprintf(stderr, "Flag"); fprintf(stderr, "X = %d\\n", x);
puts("The first, second, and third items.");
((x>y)?puts("x>y"): printf("x is %d but y is %d", x, y));`),
    );
  });

  test('6.10.3p2: redefinition', () => {
    expect(
      log(
        '#define A (1-1)\n#define A /* white space */ (1-1) /* other */\n#define F(a) ( a )\n#define F( a )( a )\n',
      ),
    ).toBe('');
    expect(log('#define A (0)\n#define A (1 - 1)\n')).toMatch(
      /a\.cl:2:9: warning: 'A' macro redefined \[-Wmacro-redefined\]\n[\s\S]*a\.cl:1:9: note: previous definition/,
    );
    expect(log('#define F(b) ( a )\n#define F(b) ( b )\n')).toMatch(/macro redefined/);
  });
});

describe('macros', () => {
  test.each([
    ['#define f(x) x f\nf(1)(2)(3)', '1 f ( 2 ) ( 3 )'],
    ['#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)', '2 * 9 * g'],
    ['#define EMPTY\n#define LP (\n#define f(x) [x]\nf EMPTY (1) f LP 1)', 'f ( 1 ) f ( 1 )'],
    ['#define A B\n#define B A\nA B', 'A B'],
    ['#define f(x, y...) g(x, ## y)\nf(1) f(1,) f(1,2,3)', 'g ( 1 ) g ( 1 , ) g ( 1 , 2 , 3 )'],
    [
      '#define e(f, ...) printf(f, ##__VA_ARGS__)\ne("a") e("b", N) \n#define N 1\ne("b", N)',
      'printf ( "a" ) printf ( "b" , N ) printf ( "b" , 1 )',
    ],
    // An argument that is empty is an argument: C99's `##` lets the comma stay.
    ['#define f(...) a , ## __VA_ARGS__ b\nf() f(1)', 'a , b a , 1 b'],
    // The argument of `##` is not expanded, also after a comma.
    ['#define f(x, ...) __VA_ARGS__ , ## __VA_ARGS__\nf(1, f(2, 3))', '3 , 3 , f ( 2 , 3 )'],
    // A digraph differs from the token that it represents in its spelling (6.4.6).
    ['#define s(x) #x\n#define t(x) s(x)\n%:define B [ <: ]\nt(<: [ %> :> B) <:', '"<: [ %> :> [ <: ]" ['],
    // Space before what expands to nothing is before the next token, but not where that is the first of a replacement.
    ['#define H\n#define s(x) #x\n#define t(x) s(x)\nt(a H(b)) t(a H+H H b) t(a H)', '"a (b)" "a + b" "a"'],
    [
      '#define s(x) #x\n#define t(x) s(x)\n#define f(x, y) [x y]x y\n#define g(x, y) a x##y\n#define e()\nt(f(,)b) t(e()f(,b)) t(g(,)b) t(x f(,) e() e()y)',
      '"[ ] b" "[ b] b" "a b" "x [ ] y"',
    ],
    [
      '#define s(...) #__VA_ARGS__\n#define t(...) s(__VA_ARGS__)\n#define f(x, ...) x , ## __VA_ARGS__\nt(f(1,2)) t(f(1, 2))',
      '"1 ,2" "1 , 2"',
    ],
    // The comma may come from an argument.
    ['#define f(...) __VA_ARGS__##__VA_ARGS__\nf(1,) f(a)', '1 , 1 , aa'],
    [
      '#define f(a, ...) f(0 __VA_OPT__(,) __VA_ARGS__)\n#define E\nf(a, b, c) f() f(a, E)',
      'f ( 0 , b , c ) f ( 0 ) f ( 0 )',
    ],
    // The rest is not expanded for a `__VA_OPT__` without content.
    ['#define p(x) (x)##f\n#define f(...) [__VA_OPT__()]\nf(p(1)) f(__COUNTER__) __COUNTER__', '[ ] [ ] 0'],
    [
      '#define s(n, ...) S n __VA_OPT__(= { (__VA_ARGS__) })\ns(a); s(b, 1, 2);',
      'S a ; S b = { ( 1 , 2 ) } ;',
    ],
    [
      '#define s(x, ...) #__VA_OPT__(x##x x##x)\n#define p(x, ...) __VA_OPT__(a x ## x) ## b\ns(, 0) s(a) p(, 1) p(c, 1) p(c)',
      '"" "" a b a ccb b',
    ],
    ['#define cat(a, b) a ## b\n#define xcat(a, b) cat(a, b)\ncat(__LI, NE__) xcat(a, __LINE__)', '3 a3'],
    ['#define s(x) #x\ns( a  /* c */ b\n c ) s("\\n" \'"\')', '"a b c" "\\"\\\\n\\" \'\\"\'"'],
    ['#define f(x) x\nf((1,2)) f((a),)', undefined],
    ['#define f() 1\nf() f( ) f', '1 1 f'],
    ['#define f(x) <x>\nf() f\n(\n2\n)', '< > < 2 >'],
    ['#define OBJ(x) x\n#define OBJ2 (x)\nOBJ2', '( x )'],
    ['#define a(x) b(x\n#define b(x) c(x)\na(1))', 'c ( 1 )'],
    ['__COUNTER__ __COUNTER__', '0 1'],
    ['_Pragma("unroll 4") x', '#unroll 4 x'],
    ['#define U(n) _Pragma(#n) y\nU(unroll 2)', '#unroll 2 y'],
    [
      '#define N 8\n#pragma unroll N\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable',
      '#unroll 8 #OPENCL EXTENSION cl_khr_fp64 : enable',
    ],
    ['#define f(x) x\nf(\n#ifdef N\n1\n#else\n2\n#endif\n)', '2'],
    [
      '#define EMPTY\n#define DEFER(x) x EMPTY\n#define A() 123\n#define EXPAND(x) x\nDEFER(A)() EXPAND(DEFER(A)())',
      'A ( ) 123',
    ],
  ])('%s', (text, expected) => {
    if (expected === undefined) expect(log(text)).toMatch(/too many arguments/);
    else expect(expand(text)).toBe(expected);
  });

  test('predefined macros depend on the version, the target and the options', () => {
    expect(expand('__OPENCL_C_VERSION__ CL_VERSION_3_0 __SPIR64__ __SPIR32__ __opencl_c_images')).toBe(
      '300 300 1 __SPIR32__ 1',
    );
    expect(
      expand('__opencl_c_images cl_khr_fp64 __FAST_RELAXED_MATH__', {
        language: { version: 120, fastRelaxedMath: true },
      }),
    ).toBe('__opencl_c_images 1 1');
    expect(
      expand('__OPENCL_VERSION__ __OPENCL_C_VERSION__', { language: { version: 120 } }),
      // The first is the device's.
    ).toBe('310 120');
    expect(expand('M_PI_F FLT_MAX CHAR_MAX INT_MIN')).toBe(
      '3.14159265358979323846264338327950288f 0x1.fffffep127f 127 ( - 2147483647 - 1 )',
    );
    expect(expand('#ifdef M_PI\n1\n#endif\n#undef M_PI\n#define M_PI 3\nM_PI')).toBe('1 3');
    expect(expand('ATOMIC_VAR_INIT(x)')).toBe('( x )');
    expect(expand('__FILE__ __LINE__')).toBe('"a.cl" 1');
  });

  test('what clang predefines in every language is there, by the target and the options', () => {
    expect(expand('__clang__ __GNUC__ __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ __ATOMIC_SEQ_CST')).toBe(
      '1 4 1234 == 1234 5',
    );
    expect(
      expand('__INT_MAX__ __UINT16_MAX__ __INT_FAST64_MAX__ __UINT_LEAST32_TYPE__ __INT64_C_SUFFIX__'),
    ).toBe('2147483647 65535 9223372036854775807L unsigned int L');
    expect(expand('__FLT_MAX__ __DBL_MIN_EXP__ __FLT16_DIG__')).toBe('3.40282347e+38F ( - 1021 ) 3');
    expect(expand('__POINTER_WIDTH__ __SIZEOF_SIZE_T__ __LP64__ __SPIR32 __UINTPTR_MAX__')).toBe(
      '64 8 1 __SPIR32 18446744073709551615UL',
    );
    expect(
      expand('__POINTER_WIDTH__ __SIZEOF_SIZE_T__ __LP64__ __SPIR32 __UINTPTR_MAX__', {
        language: { addressBits: 32 },
      }),
    ).toBe('32 4 __LP64__ 1 4294967295U');
    expect(expand('__OPTIMIZE__ __FAST_MATH__ __FINITE_MATH_ONLY__')).toBe('1 __FAST_MATH__ 0');
    expect(expand('__INT24_MAX__ __SIZEOF_SIZE_T_MAX__ __POINTER_MAX__')).toBe(
      '__INT24_MAX__ __SIZEOF_SIZE_T_MAX__ __POINTER_MAX__',
    );
  });

  test('-D comes first', () => {
    expect(expand('N F(2)', { commandLine: '#define N 4\n#define F(x) x*x\n' })).toBe('4 2 * 2');
  });
});

describe('conditions', () => {
  const holds = (condition: string) => expand(`#if ${condition}\nyes\n#else\nno\n#endif`) === 'yes';
  test.each([
    ['1', true],
    ['-1 < 0u', false],
    ['(2 || 1/0) && !0', true],
    ['0 && 1/0', false],
    ["'a' == 97 && '\\377' < 0", true],
    ['1 ? 2 : 1/0', true],
    ['0 ? 1 : 0 ? 1 : 1', true],
    ['0x7fffffffffffffff + 1 < 0', true],
    ['0xffffffffffffffff == -1', true],
    ['(-1 >> 1) == -1 && (~0u >> 63) == 1', true],
    ['1 << 3 == 8', true],
    ['7 % 4 * 2 - 6', false],
    ['defined X || defined(Y)', false],
    ['defined __LINE__ && __LINE__ == 1', true],
    ['undefined_name', false],
    ['!defined(__has_include) || !__has_include("nope.h")', true],
  ])('%s is %s', (condition, expected) => {
    expect(holds(condition)).toBe(expected);
  });

  test('groups', () => {
    const text = '#if A == 1\none\n#elif A == 2\ntwo\n#elif A\nmany\n#else\nnone\n#endif';
    const choose = (value: string) => expand(text, { commandLine: `#define A ${value}\n` });
    expect(choose('1')).toBe('one');
    expect(choose('2')).toBe('two');
    expect(choose('3')).toBe('many');
    expect(choose('0')).toBe('none');
  });

  test('skipped groups are only looked at for directives', () => {
    expect(
      expand(
        "#if 0\n don't \n /* \n #endif */ ' #else\n#if 1\n#else\n#endif\n#error no\n #bad\n@\n#else\nyes\n#endif",
      ),
    ).toBe('yes');
  });

  test.each([
    ['#if 1 +\n#endif', /a\.cl:1:8: error: expected value in expression/],
    ['#if (1\n#endif', /expected '\)' in preprocessor expression/],
    ['#if 1 2\n#endif', /token is not a valid binary operator/],
    ['#if 1/0\n#endif', /division by zero in preprocessor expression/],
    ['#if F(1)\n#endif', /function-like macro 'F' is not defined/],
    ['#if 1.0\n#endif', /floating point literal in preprocessor expression/],
    ['#if\n#endif', /expected value in expression/],
    ['#if 1', /a\.cl:1:2: error: unterminated conditional directive/],
    ['#endif', /#endif without #if/],
    ['#else', /#else without #if/],
    ['#if 1\n#else\n#else\n#endif', /a\.cl:3:2: error: #else after #else/],
    ['#ifdef\n#endif', /macro name missing/],
    ['#ifdef 3\n#endif', /macro name must be an identifier/],
    ['#if 0\n#endif x', /extra tokens at end of #endif directive \[-Wextra-tokens\]/],
  ])('%s is refused', (text, message) => {
    expect(log(text)).toMatch(message);
  });
});

describe('files', () => {
  test('headers by name come first, then the folder of the file, then -I', () => {
    const setting: Setting = {
      headers: { 'in/memory.h': 'memory' },
      files: { 'inc/a.h': '#include "b.h"\na', 'inc/b.h': 'b', 'other/c.h': '__FILE__' },
      folders: ['inc', 'other'],
    };
    expect(expand('#include "in/memory.h"\n#include <a.h>\n#define C "c.h"\n#include C\n', setting)).toBe(
      'memory b a "other/c.h"',
    );
  });

  test('#pragma once and include guards', () => {
    expect(expand('#include "h"\n#include "h"\nx', { headers: { h: '#pragma once\nh' } })).toBe('h x');
    expect(
      expand('#include "h"\n#include "h"\nx', { headers: { h: '#ifndef H\n#define H\nh\n#endif' } }),
    ).toBe('h x');
  });

  test('a missing file ends the compilation', () => {
    const { log: text, reporter } = run('#include "no.h"\n@ @');
    expect(text).toBe(
      'a.cl:1:10: fatal error: \'no.h\' file not found\n#include "no.h"\n         ^\n1 error generated.\n',
    );
    expect(reporter.stopped).toBe(true);
  });

  test('#line', () => {
    expect(expand('#line 100\n__LINE__\n#line 7 "x.y"\n__FILE__ __LINE__')).toBe('100 "x.y" 7');
    expect(log('#line 100 "b.cl"\n@')).toMatch(/^b\.cl:100:1: error/);
  });

  test('an include cycle and a tree of includes end', () => {
    expect(log('#include "h"', { headers: { h: '#include "h"' } })).toMatch(
      /fatal error: #include nested too deeply/,
    );
    const tree: Record<string, string> = { h0: 'x' };
    for (let i = 1; i <= 40; i++) tree[`h${i}`] = `#include "h${i - 1}"\n#include "h${i - 1}"\n`;
    expect(log('#include "h40"', { headers: tree })).toMatch(/fatal error: more than/);
  });
});

describe('messages', () => {
  test.each([
    ['#error so what', /a\.cl:1:2: error: so what\n#error so what\n {1}\^/],
    ['#warning so what', /warning: so what \[-W#warnings\]/],
    ['#foo', /error: invalid preprocessing directive/],
    ['#define', /macro name missing/],
    ['#define defined', /'defined' cannot be used as a macro name/],
    ['#define f(', /missing '\)' in macro parameter list|expected identifier/],
    ['#define f(a,a) 1', /duplicate macro parameter name 'a'/],
    ['#define f(a) #b', /'#' is not followed by a macro parameter/],
    ['#define f(...) __VA_OPT__(x __VA_OPT__(y))', /__VA_OPT__ cannot be nested/],
    [
      '#define f(x) __VA_OPT__(x)',
      /warning: __VA_OPT__ can only appear in the expansion of a variadic macro/,
    ],
    ['#define f(...) __VA_OPT__ x', /missing '\(' following __VA_OPT__/],
    ['#define f(...) __VA_OPT__(x', /unterminated __VA_OPT__/],
    ['#define f ## x', /'##' cannot appear at start/],
    ['#define f x ##', /'##' cannot appear at end/],
    ['#define f(a) a ## +\nf(b)', /pasting formed 'b\+', an invalid preprocessing token/],
    [
      '#define f(a) a\nf(1',
      /a\.cl:2:1: error: unterminated function-like macro invocation[\s\S]*note: macro 'f' defined here/,
    ],
    ['#define f(a,b) a\nf(1)', /too few arguments provided to function-like macro invocation/],
    ['#undef __LINE__', /undefining builtin macro/],
    ['int a = "x;\n', /missing terminating '"' character/],
    ['/* x', /unterminated \/\* comment/],
    ['int ` a;', /unexpected character <U\+0060>/],
    ['_Pragma(1)', /_Pragma takes a parenthesized string literal/],
    ['#include', /expected "FILENAME" or <FILENAME>/],
    ['#line x', /#line directive requires a positive integer argument/],
  ])('%s', (text, message) => {
    expect(log(text)).toMatch(message);
    expect(log(text)).toMatch(/\d (error|warning)s? generated\.\n$/);
  });

  test('errors in included files and macros are placed', () => {
    const { tokens, reporter } = run('#include "h"\nF(1)\n', { headers: { h: '#define F(x) zz\n' } });
    reporter.report('undeclared-identifier', tokens[0]!.location, { name: 'zz' });
    expect(render(reporter.diagnostics)).toBe(
      [
        "a.cl:2:1: error: use of undeclared identifier 'zz'",
        'F(1)',
        '^',
        'In file included from a.cl:1:',
        "h:1:14: note: expanded from macro 'F'",
        '#define F(x) zz',
        '             ^',
        '1 error generated.',
        '',
      ].join('\n'),
    );
  });
});

describe('bounded in time and memory', () => {
  const bounded = (text: string, message: RegExp) => {
    const begin = performance.now();
    expect(log(text)).toMatch(message);
    expect(performance.now() - begin).toBeLessThan(20000);
  };
  test('a macro bomb', () => {
    let text = '#define A0 x x x x x x x x x x\n';
    for (let i = 1; i < 40; i++) text += `#define A${i} A${i - 1} A${i - 1}\n`;
    bounded(`${text}A39\n`, /fatal error: macro expansion makes too many tokens/);
  });
  test('a bomb of arguments', () => {
    bounded(`#define D(x) x x\n${'D('.repeat(60)}1${')'.repeat(60)}`, /too many tokens/);
  });
  test('100,000 nested calls', () => {
    bounded(`#define f(x) x\n${'f('.repeat(100000)}1${')'.repeat(100000)}`, /too many tokens/);
    bounded(`#define f(x) x\n${'f('.repeat(900)}1${')'.repeat(900)}`, /nested too deeply/);
  });
  test('100,000 open calls', () => {
    bounded(`#define f(x) x\n${'f('.repeat(100000)}`, /unterminated function-like/);
  });
  test('100,000 nested parentheses and operators in a condition', () => {
    bounded(`#if ${'('.repeat(100000)}1\n#endif`, /nested too deeply/);
    bounded(`#if ${'!'.repeat(100000)}1\n#endif`, /nested too deeply/);
  });
  test('100,000 nested conditionals', () => {
    bounded('#if 1\n'.repeat(100000), /unterminated conditional/);
    bounded('#if 0\n'.repeat(100000), /unterminated conditional/);
  });
  test('junk', () => {
    let junk = '';
    let seed = 1;
    for (let i = 0; i < 300000; i++) {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      junk += String.fromCharCode((seed >> 16) & 0xff);
    }
    bounded(junk, /errors? generated/);
    bounded('\0'.repeat(1000000), /null character ignored/);
    bounded(new TextDecoder().decode(new Uint8Array(100000).fill(0xff)), /not valid UTF-8/);
    bounded('"'.repeat(100001), /missing terminating/);
  });
});

describe('trigraphs', () => {
  const quiet = (text: string): string => expand(`#pragma clang diagnostic ignored "-Wtrigraphs"\n${text}`);

  test('all nine', () => {
    expect(quiet("??=define X ??( ??) ??< ??> ??! ??' ??-\nX")).toBe('[ ] { } | ^ ~');
    expect(quiet('??=define S(x) ??=x\nS(a)')).toBe('"a"');
  });

  test('the first two question marks of more are themselves', () => {
    expect(quiet('"???=" "????(" "??" "??x" "??;"')).toBe('"?#" "??[" "??" "??x" "??;"');
  });

  test('a backslash splices lines and escapes characters', () => {
    expect(quiet('a??/\nb "??/n" // c ??/\nd\ne??/ \t\r\nf')).toBe('ab "\\n" ef');
  });

  test('what a splice joins is none', () => {
    expect(quiet('"?\\\n?=" "??\\\n="')).toBe('"??=" "??="');
  });

  test('locations are those of the text as it was given', () => {
    const { log } = run('??=define X 1 ??/\n + 2\nint a ??( 3 ??) = "??!" $ @;\n#error here\n');
    expect(log).toMatchInlineSnapshot(`
"a.cl:1:1: warning: trigraph converted to '#' character [-Wtrigraphs]
??=define X 1 ??/
^
a.cl:3:7: warning: trigraph converted to '[' character [-Wtrigraphs]
int a ??( 3 ??) = "??!" $ @;
      ^
a.cl:3:13: warning: trigraph converted to ']' character [-Wtrigraphs]
int a ??( 3 ??) = "??!" $ @;
            ^
a.cl:3:20: warning: trigraph converted to '|' character [-Wtrigraphs]
int a ??( 3 ??) = "??!" $ @;
                   ^
a.cl:3:27: error: unexpected character <U+0040>
int a ??( 3 ??) = "??!" $ @;
                          ^
a.cl:4:2: error: here
#error here
 ^
4 warnings and 2 errors generated.
"
`);
  });

  test('no message for those in comments and in groups that are skipped', () => {
    expect(expand('/* ??= */ // ??(\n#if 0\n??=\n#endif\na')).toBe('a');
  });
});
