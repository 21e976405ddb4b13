// SPDX-License-Identifier: MIT
import { llvmSpirv, spirvVal, testWith } from '../../tests/helpers/spirv-tools';
import { Builder } from './builder';
import { decode } from './decode';
import { encode } from './encode';
import {
  BuiltIn,
  Capability,
  Decoration,
  LinkageType,
  Op,
  OpenCLStd,
  SourceLanguage,
  StorageClass,
} from './grammar.gen';

/** kernel void scale(global float *x, float a) { size_t i = get_global_id(0); x[i] = fma(x[i], a, 1.0f); } */
function scale(addressBits: 32 | 64): Builder {
  const b = new Builder({ addressBits });
  const file = b.debug.string('scale.cl');
  b.debug.source(SourceLanguage.OpenCL_C, 120000, file);
  const float = b.float(32);
  const pointer = b.pointer(StorageClass.CrossWorkgroup, float);
  const size3 = b.vector(b.sizeType(), 3);
  const gid = b.globalVariable(b.pointer(StorageClass.Input, size3));
  b.debug.name(gid, '__spirv_BuiltInGlobalInvocationId');
  b.decorate(gid, Decoration.BuiltIn, BuiltIn.GlobalInvocationId);
  b.decorate(gid, Decoration.Constant);
  b.linkage(gid, '__spirv_BuiltInGlobalInvocationId', LinkageType.Import);
  const kernel = b.id();
  b.entryPoint(kernel, 'scale', [gid]);
  b.setLine({ file, line: 1, column: 1 });
  const [x, a] = b.beginFunction(kernel, b.void(), [pointer, float]);
  b.label();
  const local = b.localVariable(b.pointer(StorageClass.Function, float));
  const i = b.emit(Op.CompositeExtract, b.sizeType(), [b.emit(Op.Load, size3, [gid]), 0]);
  b.setLine({ file, line: 2, column: 3 });
  const at = b.emit(Op.InBoundsPtrAccessChain, pointer, [x!, i]);
  const value = b.emit(Op.Load, float, [at, 2, 4]);
  b.emitVoid(Op.Store, [local, b.openClStd(OpenCLStd.fma, float, [value, a!, b.constantFloat(float, 1)])]);
  b.emitVoid(Op.Store, [at, b.emit(Op.Load, float, [local]), 2, 4]);
  b.terminate(Op.Return, []);
  b.endFunction();
  b.debug.placeStrings();
  return b;
}

test('types and constants are interned', () => {
  const b = new Builder({ addressBits: 32 });
  const int = b.int(32);
  expect(b.int(32)).toBe(int);
  expect(b.constantInt(int, -1)).toBe(b.constantInt(int, 0xffffffff));
  expect(b.constantInt(int, -1n)).toBe(b.constantInt(int, -1));
  const long = b.int(64);
  expect(b.constantInt(long, -2)).toBe(b.constantInt(long, -2n));
  expect(b.definitionOf(b.constantInt(long, -2))!.operands).toEqual([0xfffffffe, 0xffffffff]);
  expect(b.definitionOf(b.constantInt(long, 7))!.operands).toEqual([7, 0]);
  // Integers have no sign: what is narrower than a word is zero-extended (2.2.1).
  expect(b.definitionOf(b.constantInt(b.int(8), -1))!.operands).toEqual([255]);
  expect(b.definitionOf(b.constantFloat(b.float(16), 1.5))!.operands).toEqual([0x3e00]);
  expect(b.definitionOf(b.constantFloat(b.float(64), 1))!.operands).toEqual([0, 0x3ff00000]);
});

test('capabilities are those used', () => {
  const b = new Builder({ addressBits: 32 });
  const half = b.float(16);
  expect([...b.module.capabilities]).toEqual([
    Capability.Addresses,
    Capability.Kernel,
    Capability.Float16Buffer,
  ]);
  b.pointer(StorageClass.Generic, half);
  expect(b.module.capabilities.has(Capability.GenericPointer)).toBe(true);
  expect(b.module.capabilities.has(Capability.Float16)).toBe(false);
  b.constantFloat(half, 1);
  expect(b.module.capabilities.has(Capability.Float16)).toBe(true);
});

test('decode is the inverse of encode', () => {
  const { module } = scale(64);
  const { globals, functions, ...rest } = decode(encode(module));
  const { globals: g, functions: f, ...expected } = module;
  expect(rest).toEqual(expected);
  expect(globals).toEqual(g);
  expect(functions.map((x) => x.blocks)).toEqual(f.map((x) => x.blocks));
});

test.each([32, 64] as const)('the size of a pointer is %i bits', (bits) => {
  const { module } = scale(bits);
  expect(module.capabilities.has(Capability.Int64)).toBe(bits === 64);
});

testWith('spirv-val')('what is built is valid', () => {
  expect(spirvVal(encode(scale(32).module))).toBe('');
  expect(spirvVal(encode(scale(64).module))).toBe('');
});

testWith('llvm-spirv-15')('llvm-spirv takes it', () => {
  expect(llvmSpirv(encode(scale(64).module))).toBe('');
});
