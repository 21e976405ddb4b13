// SPDX-License-Identifier: MIT
// Warnings about printf formats: -Wformat and its groups with clang's defaults.
//--- -cl-std=CL2.0
void fmt(int n, uint u, long l, ulong ul, float f, double d, char c, uchar uc, short s, ushort us, half *h, float4 v, int4 iv, char4 cv, long4 lv, double4 dv, short4 sv, global int *p, constant char *cs, global char *gs, size_t z, bool b, ptrdiff_t pd) {
  printf("%d", n);
  printf("%d", u);
  printf("%u", n);
  printf("%x", n);
  printf("%d", c);
  printf("%d", uc);
  printf("%d", s);
  printf("%d", b);
  printf("%d", l); // warning: format specifies type 'int' but the argument has type 'long'
  printf("%d", f); // warning: format specifies type 'int' but the argument has type 'float'
  printf("%d", p); // warning: format specifies type 'int' but the argument has type '__global int *'
  printf("%d", v); // warning: format specifies type 'int' but the argument has type 'float4'
  printf("%hhd", n); // warning: format specifies type 'char' but the argument has type 'int'
  printf("%hhd", c);
  printf("%hhd", uc);
  printf("%hhu", c);
  printf("%hhd", 300); // warning: format specifies type 'char' but the argument has type 'int'
  printf("%hd", n); // warning: format specifies type 'short' but the argument has type 'int'
  printf("%hd", s);
  printf("%hd", us);
  printf("%hd", c);
  printf("%hx", u); // warning: format specifies type 'ushort' but the argument has type 'uint'
  printf("%ld", n); // warning: format specifies type 'long' but the argument has type 'int'
  printf("%ld", l);
  printf("%ld", ul);
  printf("%lu", l);
  printf("%lx", u); // warning: format specifies type 'ulong' but the argument has type 'uint'
  printf("%ld", d); // warning: format specifies type 'long' but the argument has type 'double'
  printf("%lld", l); // warning: format specifies type 'long long' but the argument has type 'long'
  printf("%llu", ul); // warning: format specifies type 'unsigned long long' but the argument has type 'ulong'
  printf("%zu", z);
  printf("%zd", z);
  printf("%zd", l);
  printf("%zx", n); // warning: format specifies type 'size_t' but the argument has type 'int'
  printf("%td", pd);
  printf("%tx", l);
  printf("%jd", l); // warning: format specifies type 'intmax_t' but the argument has type 'long'
  printf("%f", f);
  printf("%f", d);
  printf("%f", n); // warning: format specifies type 'double' but the argument has type 'int'
  printf("%f", l); // warning: format specifies type 'double' but the argument has type 'long'
  printf("%f", p); // warning: format specifies type 'double' but the argument has type '__global int *'
  printf("%lf", d); // warning: length modifier 'l' results in undefined behavior or no effect with 'f' conversion specifier
  printf("%lf", f); // warning: length modifier 'l' results in undefined behavior or no effect with 'f' conversion specifier
  printf("%Lf", d); // warning: format specifies type 'long double' but the argument has type 'double'
  printf("%hf", f); // warning: length modifier 'h' results in undefined behavior or no effect with 'f' conversion specifier
  printf("%e %g %a %E %G %A %F", f, f, f, f, f, f, f);
  printf("%s", "a");
  printf("%s", cs);
  printf("%s", gs);
  printf("%s", n); // warning: format specifies type 'char *' but the argument has type 'int'
  printf("%s", f); // warning: format specifies type 'char *' but the argument has type 'float'
  printf("%s", p); // warning: format specifies type 'char *' but the argument has type '__global int *'
  printf("%c", n);
  printf("%c", c);
  printf("%c", f); // warning: format specifies type 'int' but the argument has type 'float'
  printf("%c", l); // warning: format specifies type 'int' but the argument has type 'long'
  printf("%c", p); // warning: format specifies type 'int' but the argument has type '__global int *'
  printf("%lc", n);
  printf("%ls", cs); // warning: format specifies type 'wchar_t *' but the argument has type '__constant char *'
  printf("%p", p);
  printf("%p", n); // warning: format specifies type '__generic void *' but the argument has type 'int'
  printf("%p", f); // warning: format specifies type '__generic void *' but the argument has type 'float'
  printf("%p", cs);
  printf("%p", 0); // warning: format specifies type '__generic void *' but the argument has type 'int'
  printf("%n", p); // warning: invalid conversion specifier 'n'
  printf("%v4d", iv);
  printf("%v4hld", iv);
  printf("%v4hd", sv);
  printf("%v4hhd", cv);
  printf("%v4ld", lv);
  printf("%v4d", cv); // warning: format specifies type 'int4' but the argument has type 'char4'
  printf("%v4d", lv); // warning: format specifies type 'int4' but the argument has type 'long4'
  printf("%v4f", v); // warning: format specifies type 'double4' but the argument has type 'float4'
  printf("%v4hlf", v);
  printf("%v4lf", dv);
  printf("%v4f", dv);
  printf("%v4d", v); // warning: format specifies type 'int4' but the argument has type 'float4'
  printf("%v2f", v); // warning: format specifies type 'double2' but the argument has type 'float4'
  printf("%v4f", iv); // warning: format specifies type 'double4' but the argument has type 'int4'
  printf("%v4f", f); // warning: format specifies type 'double4' but the argument has type 'float'
  printf("%f", v); // warning: format specifies type 'double' but the argument has type 'float4'
  printf("%v5f", v); // warning: format specifies type 'double5' but the argument has type 'float4'
  printf("%v4s", v);
  printf("%v4c", cv); // warning: format specifies type 'int4' but the argument has type 'char4'
  printf("%v4p", v);
  printf("%v4x", iv); // warning: format specifies type 'uint4' but the argument has type 'int4'
  printf("%v4u", iv); // warning: format specifies type 'uint4' but the argument has type 'int4'
  printf("%#v4x", iv); // warning: format specifies type 'uint4' but the argument has type 'int4'
  printf("%v4#x", iv); // warning: invalid conversion specifier '#'
  printf("%04v4hlx", iv); // warning: format specifies type 'uint4' but the argument has type 'int4'
}
//--- -cl-std=CL2.0
void fmt2(int n, uint u, long l, float f, double d, global int *p, constant char *cs, char *ps) {
  printf("%+s", "a"); // warning: flag '+' results in undefined behavior with 's' conversion specifier
  printf("% s", "a"); // warning: flag ' ' results in undefined behavior with 's' conversion specifier
  printf("%0s", "a"); // warning: flag '0' results in undefined behavior with 's' conversion specifier
  printf("%#s", "a"); // warning: flag '#' results in undefined behavior with 's' conversion specifier
  printf("%#d", n); // warning: flag '#' results in undefined behavior with 'd' conversion specifier
  printf("%+u", u); // warning: flag '+' results in undefined behavior with 'u' conversion specifier
  printf("%+x", u); // warning: flag '+' results in undefined behavior with 'x' conversion specifier
  printf("%0c", n); // warning: flag '0' results in undefined behavior with 'c' conversion specifier
  printf("%.3c", n); // warning: precision used with 'c' conversion specifier, resulting in undefined behavior
  printf("%.3p", p); // warning: precision used with 'p' conversion specifier, resulting in undefined behavior
  printf("%0p", p); // warning: flag '0' results in undefined behavior with 'p' conversion specifier
  printf("%+d", n);
  printf("%-0d", n); // warning: flag '0' is ignored when flag '-' is present
  printf("%+ d", n); // warning: flag ' ' is ignored when flag '+' is present
  printf("% +d", n); // warning: flag ' ' is ignored when flag '+' is present
  printf("%0-d", n); // warning: flag '0' is ignored when flag '-' is present
  printf("%'d", n);
  printf("%++d", n);
  printf("%--d", n);
  printf("%*d", n, n);
  printf("%*d", f, n); // warning: field width should have type 'int', but argument has type 'double'
  printf("%*d", l, n); // warning: field width should have type 'int', but argument has type 'long'
  printf("%.*d", u, n);
  printf("%.*f", n, f);
  printf("%.*f", f, f); // warning: field precision should have type 'int', but argument has type 'double'
  printf("%*d", n); // warning: more '%' conversions than data arguments
  printf("%1$d", n);
  printf("%2$d %1$d", n, n);
  printf("%1$*2$d", n, n);
  printf("%1$d %d", n, n); // warning: cannot mix positional and non-positional arguments in format string
  printf("%0$d", n); // warning: position arguments in format strings start counting at 1 (not 0)
  printf("%.d", n);
  printf("%.-1d", n); // warning: invalid conversion specifier '-'
  printf("%5.3d", n);
  printf("%hs", "a"); // warning: length modifier 'h' results in undefined behavior or no effect with 's' conversion specifier
  printf("%hhs", "a"); // warning: length modifier 'hh' results in undefined behavior or no effect with 's' conversion specifier
  printf("%hp", p); // warning: length modifier 'h' results in undefined behavior or no effect with 'p' conversion specifier
  printf("%lp", p); // warning: length modifier 'l' results in undefined behavior or no effect with 'p' conversion specifier
  printf("%llf", d); // warning: length modifier 'll' results in undefined behavior or no effect with 'f' conversion specifier
  printf("%hhf", f); // warning: length modifier 'hh' results in undefined behavior or no effect with 'f' conversion specifier
  printf("%zf", f); // warning: length modifier 'z' results in undefined behavior or no effect with 'f' conversion specifier
  printf("%Ld", l); // warning: format specifies type 'long long' but the argument has type 'long'
  printf("%qd", l); // warning: format specifies type 'long long' but the argument has type 'long'
  printf("%hc", n); // warning: length modifier 'h' results in undefined behavior or no effect with 'c' conversion specifier
  printf("%D", n); // warning: invalid conversion specifier 'D'
  printf("%U", n); // warning: invalid conversion specifier 'U'
  printf("%S", "a"); // warning: format specifies type 'wchar_t *' but the argument has type '__constant char *'
  printf("%C", n);
  printf("%m");
  printf("%b", n); // warning: invalid conversion specifier 'b'
  printf("%k", n); // warning: invalid conversion specifier 'k'
  printf("%@", n); // warning: invalid conversion specifier '@'
  printf("%h", n); // warning: incomplete format specifier
  printf("%5", n); // warning: incomplete format specifier
  printf("%"); // warning: incomplete format specifier
  printf("%l"); // warning: incomplete format specifier
  printf("abc%"); // warning: incomplete format specifier
  printf("%%");
  printf("%5%");
  printf("%d%d", n); // warning: more '%' conversions than data arguments
  printf("%d", n, n); // warning: data argument not used by format string
  printf("%d", n, n, n); // warning: data argument not used by format string
  printf("", n); // warning: format string is empty
  printf("");
  printf("a\0b"); // warning: format string contains '\0' within the string body
  printf("a\0b%d", n); // warning: format string contains '\0' within the string body
  printf(cs); // warning: format string is not a string literal (potentially insecure)
  printf(cs, n);
  printf(ps); // error: no matching function for call to 'printf'
  printf(n ? "%d" : "%f", n); // warning: format specifies type 'double' but the argument has type 'int'
  printf(n ? "%d" : "%u", f); // warning: format specifies type 'int' but the argument has type 'float' // warning: format specifies type 'uint' but the argument has type 'float'
  printf(("%d"), f); // warning: format specifies type 'int' but the argument has type 'float'
  printf("%d" " %f", n, n); // warning: format specifies type 'double' but the argument has type 'int'
  printf(&"%d"[0], f); // warning: format specifies type 'int' but the argument has type 'float'
  printf("%d" + 1, f); // warning: adding 'int' to a string does not append to the string // warning: data argument not used by format string
  constant char fc[] = "%d"; printf(fc, f); // error: non-kernel function variable cannot be declared in constant address space
  printf(0);
  printf((constant char *)"%d", f); // warning: format specifies type 'int' but the argument has type 'float'
  printf("%s", (constant char *)0);
  printf("%s", ps);
  printf("%d", (char)1);
  printf("%c", 300);
  printf("%hhd", 300); // warning: format specifies type 'char' but the argument has type 'int'
  printf("%hd", 70000); // warning: format specifies type 'short' but the argument has type 'int'
  printf("%f", 1); // warning: format specifies type 'double' but the argument has type 'int'
  printf("%d", 1.0); // warning: format specifies type 'int' but the argument has type 'double'
  printf("%d", 1L); // warning: format specifies type 'int' but the argument has type 'long'
  printf("%ld", 1); // warning: format specifies type 'long' but the argument has type 'int'
  printf("%u", -1);
  printf("%d", 4294967295u);
  printf("%d", 'a');
  printf("%d", n == 1);
  printf("%d", true);
  printf("%f", (half)1); // error: casting to type 'half' is not allowed
  printf("%d", sizeof(int)); // warning: format specifies type 'int' but the argument has type 'ulong'
  printf("%lu", sizeof(int));
  printf("%zu", sizeof(int));
  printf("%d", get_global_id(0)); // warning: format specifies type 'int' but the argument has type 'ulong'
  printf("%lu", get_global_id(0));
  printf("%zu", get_global_id(0));
  enum E { A }; printf("%d", A); enum E e = A; printf("%d", e); printf("%ld", e); printf("%f", e); // warning: format specifies type 'long' but the argument has type 'uint' // warning: format specifies type 'double' but the argument has type 'uint'
  struct S { int a; } s; printf("%d", s); // warning: format specifies type 'int' but the argument has type 'struct S'
  printf("%d", (void)0); // error: argument type 'void' is incomplete
  printf("%d", &n); printf("%p", &n); printf("%x", &n); // warning: format specifies type 'int' but the argument has type 'int *' // warning: format specifies type 'uint' but the argument has type 'int *'
}
