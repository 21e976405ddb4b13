#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds kernels/lib natively with check.c and runs it; with FUSED=fast multiplications and additions are fused. Arguments are check's: [-n SAMPLES] [NAME...]. Needs gcc and MPFR.
set -e
. "$(dirname "$0")/library.sh"
# Declarations of what rows.inc lists.
sed -nE 's/^(F1S|F1|FD|F2|FI)\(([a-z0-9_]+),.*/\1(\2)/p' "$here/rows.inc" > "$out/functions.inc"
gcc -O2 -w -I"$out" -c "$here/check.c" -o "$out/check.o"
gcc "$out/check.o" $objects -lmpfr -lgmp -lm -o "$out/check"
exec "$out/check" "$@"
