#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds kernels/lib natively with exhaustive.c and runs it, as check.sh does with check.c. Needs gcc and MPFR; with STATIC=1 the program
# $TMPDIR/anycl-numerics/exhaustive runs on machines that have neither. Arguments are exhaustive's.
set -e
here=$(cd "$(dirname "$0")" && pwd)
out=${TMPDIR:-/tmp}/anycl-numerics
mkdir -p "$out"
objects=""
for file in "$here"/../../kernels/lib/*.cl; do
  object="$out/$(basename "$file").e.o"
  case $(basename "$file") in image* | pipe* | enqueue* | fma*) continue ;; esac
  gcc -std=c11 -O2 -w ${FUSED:+-mfma} -ffp-contract=${FUSED:-off} -include "$here/shim.h" -x c -c "$file" -o "$object"
  objects="$objects $object"
done
gcc -O2 -w ${STATIC:+-static} -I"$here" "$here/exhaustive.c" $objects -o "$out/exhaustive" -lmpfr -lgmp -lm -pthread
[ -n "$BUILD_ONLY" ] || exec "$out/exhaustive" "$@"
