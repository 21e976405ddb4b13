#!/bin/bash
# SPDX-License-Identifier: MIT
# Packs what a machine with nothing but a driver needs to run anycl, its examples, its benchmarks and the tests that
# concern devices: Node.js itself, the bundles, the addon and the C program, into build/device/anycl.tar.xz. There:
#   tar xf anycl.tar.xz && cd anycl && ./node dist/cli.cjs info
#   ./node --test dist/*.test.cjs
#   ./node bench/native/enqueue.mjs --prebuilt          against C on the driver
#   ./node bench/native/enqueue.mjs --prebuilt --null   over a driver that does nothing
set -euo pipefail
cd "$(dirname "$0")/../.."
pack=build/device/anycl
rm -rf build/device
mkdir -p "$pack"/{build/Release,build/bench,node_modules}
node scripts/build.mjs --fast
node scripts/native/build-native.mjs
node bench/native/enqueue.mjs --build --null
cp -rL dist kernels examples bench package.json CMakeLists.txt native "$pack"/
mkdir -p "$pack"/tests && cp -rL tests/run "$pack"/tests/
node tests/on-device/bundle.mjs "$pack"/dist
cp build/Release/anycl.node "$pack"/build/Release/
cp build/bench/enqueue build/bench/libnull.so "$pack"/build/bench/
cp "$(node -p process.execPath)" "$pack"/node
strip "$pack"/node 2>/dev/null || true
tar -C build/device -cJf build/device/anycl.tar.xz anycl
ls -l build/device/anycl.tar.xz
