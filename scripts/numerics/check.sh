#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds kernels/lib natively with check.c and runs it; with FUSED=fast multiplications and additions are fused. Arguments are check's: [-n SAMPLES] [NAME...]. Needs gcc and MPFR.
set -e
here=$(cd "$(dirname "$0")" && pwd)
out=${TMPDIR:-/tmp}/anycl-numerics
mkdir -p "$out"
# Declarations of what rows.inc lists.
sed -nE 's/^(F1S|F1|F2|FI)\(([a-z0-9_]+),.*/\1(\2)/p' "$here/rows.inc" > "$out/functions.inc"
objects=""
for file in "$here"/../../kernels/lib/*.cl; do
  object="$out/$(basename "$file").o"
  case $(basename "$file") in image* | pipe* | enqueue* | fma*) continue ;; esac
  gcc -std=c11 -O2 -w ${FUSED:+-mfma} -ffp-contract=${FUSED:-off} -include "$here/shim.h" -x c -c "$file" -o "$object"
  objects="$objects $object"
done
gcc -O2 -w -I"$out" -c "$here/check.c" -o "$out/check.o"
gcc "$out/check.o" $objects -lmpfr -lgmp -lm -o "$out/check"
exec "$out/check" "$@"
