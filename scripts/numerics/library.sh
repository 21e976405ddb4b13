# SPDX-License-Identifier: MIT
# Compiles kernels/lib natively; with FUSED=fast multiplications and additions are fused. Sourced by check.sh and exhaustive.sh: gives
# them the folders $here and $out, and the compiled files as $objects. Needs gcc.
here=$(cd "$(dirname "$0")" && pwd)
out=${TMPDIR:-/tmp}/anycl-numerics
mkdir -p "$out"
objects=""
for file in "$here"/../../kernels/lib/*.cl; do
  object="$out/$(basename "$file").o"
  case $(basename "$file") in image* | pipe* | enqueue* | fma*) continue ;; esac
  gcc -std=c11 -O2 -w ${FUSED:+-mfma} -ffp-contract=${FUSED:-off} -include "$here/shim.h" -x c -c "$file" -o "$object"
  objects="$objects $object"
done
