#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds kernels/lib natively with exhaustive.c and runs it, as check.sh does with check.c. Needs gcc and MPFR; with STATIC=1 the program
# $TMPDIR/anycl-numerics/exhaustive runs on machines that have neither. Arguments are exhaustive's.
set -e
. "$(dirname "$0")/library.sh"
gcc -O2 -w ${STATIC:+-static} -I"$here" "$here/exhaustive.c" $objects -o "$out/exhaustive" -lmpfr -lgmp -lm -pthread
[ -n "$BUILD_ONLY" ] || exec "$out/exhaustive" "$@"
