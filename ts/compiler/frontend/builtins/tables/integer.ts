// SPDX-License-Identifier: MIT
import { core, custom, extended, type Family, row, startingWith, std, under } from '../row';

export const integer: Family = {
  title: 'Integer functions',
  computes: true,
  rows: () => [
    row('abs', 'uSn(Sn)', extended('s_abs')),
    row('abs', 'Un(Un)', extended('u_abs')),
    row('abs_diff', 'uSn(Sn, Sn)', extended('s_abs_diff')),
    row('abs_diff', 'Un(Un, Un)', extended('u_abs_diff')),
    row('add_sat hadd rhadd sub_sat mul_hi max min', 'Sn(Sn, Sn)', (name) => extended(`s_${name}`)(name)),
    row('add_sat hadd rhadd sub_sat mul_hi max min', 'Un(Un, Un)', (name) => extended(`u_${name}`)(name)),
    row('max min', 'Sv(Sv, S)', (name) => custom('splat', `s_${name}`)(name)),
    row('max min', 'Uv(Uv, U)', (name) => custom('splat', `u_${name}`)(name)),
    row('clamp mad_hi mad_sat', 'Sn(Sn, Sn, Sn)', (name) => extended(`s_${name}`)(name)),
    row('clamp mad_hi mad_sat', 'Un(Un, Un, Un)', (name) => extended(`u_${name}`)(name)),
    row('clamp', 'Sv(Sv, S, S)', custom('splat', 's_clamp')),
    row('clamp', 'Uv(Uv, U, U)', custom('splat', 'u_clamp')),
    row('clz', 'In(In)', std),
    row('ctz', 'In(In)', std, 'CL2.0'),
    row('popcount', 'In(In)', core('OpBitCount'), 'CL1.2'),
    row('rotate', 'In(In, In)', std),
    row('upsample', 'T in char short int; wTn(Tn, uTn)', extended('s_upsample')),
    row('upsample', 'T in uchar ushort uint; wTn(Tn, Tn)', extended('u_upsample')),
    row('mad24', 'intn(intn, intn, intn)', extended('s_mad24')),
    row('mad24', 'uintn(uintn, uintn, uintn)', extended('u_mad24')),
    row('mul24', 'intn(intn, intn)', extended('s_mul24')),
    row('mul24', 'uintn(uintn, uintn)', extended('u_mul24')),
  ],
};

export const bitOperations: Family = {
  title: 'Extended bit operations',
  computes: true,
  mayHave: startingWith('bit'),
  rows: () =>
    under(
      'cl_khr_extended_bit_ops',
      row('bit_reverse', 'In(In)', core('OpBitReverse')),
      row('bitfield_insert', 'In(In, In, uint, uint)', core('OpBitFieldInsert')),
      row('bitfield_extract_signed', 'sIn(In, uint, uint)', core('OpBitFieldSExtract')),
      row('bitfield_extract_unsigned', 'uIn(In, uint, uint)', core('OpBitFieldUExtract')),
    ),
};

export const dotProducts: Family = {
  title: 'Integer dot product',
  computes: true,
  mayHave: startingWith('dot'),
  rows: () => [
    ...under(
      '__opencl_c_integer_dot_product_input_4x8bit',
      row('dot', 'int(char4, char4)', custom('integer_dot', 'OpSDot')),
      row('dot', 'uint(uchar4, uchar4)', custom('integer_dot', 'OpUDot')),
      row('dot', 'int(char4, uchar4)', custom('integer_dot', 'OpSUDot')),
      row('dot', 'int(uchar4, char4)', custom('integer_dot', 'OpSUDot swap')),
      row('dot_acc_sat', 'int(char4, char4, int)', custom('integer_dot', 'OpSDotAccSat')),
      row('dot_acc_sat', 'uint(uchar4, uchar4, uint)', custom('integer_dot', 'OpUDotAccSat')),
      row('dot_acc_sat', 'int(char4, uchar4, int)', custom('integer_dot', 'OpSUDotAccSat')),
      row('dot_acc_sat', 'int(uchar4, char4, int)', custom('integer_dot', 'OpSUDotAccSat swap')),
    ),
    ...under(
      '__opencl_c_integer_dot_product_input_4x8bit_packed',
      row('dot_4x8packed_ss_int', 'int(uint, uint)', custom('integer_dot', 'OpSDot packed')),
      row('dot_4x8packed_uu_uint', 'uint(uint, uint)', custom('integer_dot', 'OpUDot packed')),
      row('dot_4x8packed_su_int', 'int(uint, uint)', custom('integer_dot', 'OpSUDot packed')),
      row('dot_4x8packed_us_int', 'int(uint, uint)', custom('integer_dot', 'OpSUDot swap packed')),
      row(
        'dot_acc_sat_4x8packed_ss_int',
        'int(uint, uint, int)',
        custom('integer_dot', 'OpSDotAccSat packed'),
      ),
      row(
        'dot_acc_sat_4x8packed_uu_uint',
        'uint(uint, uint, uint)',
        custom('integer_dot', 'OpUDotAccSat packed'),
      ),
      row(
        'dot_acc_sat_4x8packed_su_int',
        'int(uint, uint, int)',
        custom('integer_dot', 'OpSUDotAccSat packed'),
      ),
      row(
        'dot_acc_sat_4x8packed_us_int',
        'int(uint, uint, int)',
        custom('integer_dot', 'OpSUDotAccSat swap packed'),
      ),
    ),
  ],
};
