#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds kernels/lib natively with half-pairs.c and runs it, as exhaustive.sh does with exhaustive.c: FUSED=fast and STATIC=1 as there.
set -e
. "$(dirname "$0")/library.sh"
gcc -O2 -w ${STATIC:+-static} -I"$here" "$here/half-pairs.c" $objects -o "$out/half-pairs" -lmpfr -lgmp -lm -pthread
[ -n "$BUILD_ONLY" ] || exec "$out/half-pairs" "$@"
