// SPDX-License-Identifier: MIT
//
// cl_intel_device_side_avc_motion_estimation. Names stand without `intel_sub_group_avc_`, types of the extension without
// it and `_t`. The lowering's data is the instruction without `OpSubgroupAvc` and `INTEL`.
import { MOTION_ESTIMATION_TYPES } from '../../types';
import { custom, type Family, type Row, row, startingWith, under } from '../row';

const EXTENSION_TYPE = new RegExp(`\\b(${MOTION_ESTIMATION_TYPES.join('|')})\\b`, 'g');
const camel = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `op` if it is not the function's name in another case. */
function avc(name: string, signature: string, op = camel(name), lowering = 'motion_estimation'): Row {
  const types = signature.replaceAll(EXTENSION_TYPE, 'intel_sub_group_avc_$1_t');
  return row(`intel_sub_group_avc_${name}`, types, custom(lowering, op));
}

const images = (count: number): string => new Array<string>(count).fill('read_only image2d').join(', ');

/** Functions on payloads and results of every kind: defined for mce, the others convert. */
const PAYLOAD_SETTERS = [
  ['set_inter_base_multi_reference_penalty', 'uchar, '],
  ['set_inter_shape_penalty', 'ulong, '],
  ['set_inter_direction_penalty', 'uchar, '],
  ['set_motion_vector_cost_function', 'ulong, uint2, uchar, '],
  ['set_source_interlaced_field_polarity', 'uchar, '],
  ['set_single_reference_interlaced_field_polarity', 'uchar, '],
  ['set_dual_reference_interlaced_field_polarities', 'uchar, uchar, '],
  ['set_ac_only_haar', ''],
] as const;
const RESULT_GETTERS = [
  ['get_motion_vectors', 'ulong', '', 'GetMotionVectors'],
  ['get_inter_distortions', 'ushort', '', 'GetInterDistortions'],
  ['get_best_inter_distortion', 'ushort', '', 'GetBestInterDistortions'],
  ['get_inter_major_shape', 'uchar', '', 'GetInterMajorShape'],
  ['get_inter_minor_shapes', 'uchar', '', 'GetInterMinorShape'],
  ['get_inter_directions', 'uchar', '', 'GetInterDirections'],
  ['get_inter_motion_vector_count', 'uchar', '', 'GetInterMotionVectorCount'],
  ['get_inter_reference_ids', 'uint', '', 'GetInterReferenceIds'],
  [
    'get_inter_reference_interlaced_field_polarities',
    'uchar',
    'uint, uint, ',
    'GetInterReferenceInterlacedFieldPolarities',
  ],
] as const;

const shared = () =>
  ['mce', 'ime', 'ref', 'sic'].flatMap((kind): Row[] => {
    const lowering = kind === 'mce' ? 'motion_estimation' : 'motion_estimation_shared';
    const data = (op: string) => (kind === 'mce' ? `Mce${op}` : `${camel(kind)} ${op}`);
    return [
      ...PAYLOAD_SETTERS.map(([name, first]) =>
        avc(`${kind}_${name}`, `${kind}_payload(${first}${kind}_payload)`, data(camel(name)), lowering),
      ),
      ...RESULT_GETTERS.filter(([name]) => kind !== 'sic' || name === 'get_inter_distortions').map(
        ([name, result, first, op]) =>
          avc(`${kind}_${name}`, `${result}(${first}${kind}_result)`, data(op), lowering),
      ),
      ...(kind === 'mce'
        ? []
        : ['payload', 'result'].flatMap((part) => [
            avc(`${kind}_convert_to_mce_${part}`, `mce_${part}(${kind}_${part})`),
            avc(`mce_convert_to_${kind}_${part}`, `${kind}_${part}(mce_${part})`),
          ])),
    ];
  });

const DEFAULTS = [
  ['inter_base_multi_reference_penalty', 'uchar(uchar, uchar)'],
  ['inter_shape_penalty', 'ulong(uchar, uchar)'],
  ['inter_direction_penalty', 'uchar(uchar, uchar)'],
  ['intra_luma_shape_penalty', 'uint(uchar, uchar)'],
  ['inter_motion_vector_cost_table', 'uint2(uchar, uchar)'],
  ['intra_luma_mode_penalty', 'uchar(uchar, uchar)'],
  ['high_penalty_cost_table', 'uint2()'],
  ['medium_penalty_cost_table', 'uint2()'],
  ['low_penalty_cost_table', 'uint2()'],
  ['non_dc_luma_intra_penalty', 'uint()'],
  ['intra_chroma_mode_base_penalty', 'uchar()'],
] as const;

/** Integer motion estimation with and without streams in and out, against one or two reference images. */
const streams = () =>
  (
    [
      ['single', 2, 'Single'],
      ['dual', 3, 'Dual'],
    ] as const
  ).flatMap(([references, count, title]): Row[] => {
    const evaluate = `ime_evaluate_with_${references}_reference`;
    const [streamin, streamout] = [
      `ime_${references}_reference_streamin`,
      `ime_result_${references}_reference_streamout`,
    ];
    const inputs = `${images(count)}, sampler_t, ime_payload`;
    const places = references === 'single' ? 'uchar' : 'uchar, uchar';
    const shapes = (name: string, result: string) =>
      avc(
        `ime_get_streamout_major_shape_${name}`,
        `${result}(${streamout}, ${places})`,
        `ImeGetStreamout${title}ReferenceMajorShape${camel(name)}`,
      );
    return [
      avc(evaluate, `ime_result(${inputs})`),
      avc(`${evaluate}_streamin`, `ime_result(${inputs}, ${streamin})`),
      avc(`${evaluate}_streamout`, `${streamout}(${inputs})`),
      avc(`${evaluate}_streaminout`, `${streamout}(${inputs}, ${streamin})`),
      avc(`ime_get_${references}_reference_streamin`, `${streamin}(${streamout})`),
      avc(`ime_strip_${references}_reference_streamout`, `ime_result(${streamout})`),
      shapes('motion_vectors', 'uint'),
      shapes('distortions', 'ushort'),
      shapes('reference_ids', 'uchar'),
    ];
  });

/** Refinement, and skip and intra checks, against reference images. */
const evaluations = () =>
  ['ref', 'sic'].flatMap((kind): Row[] => {
    const multi = `${kind}_evaluate_with_multi_reference`;
    return [
      avc(
        `${kind}_evaluate_with_single_reference`,
        `${kind}_result(${images(2)}, sampler_t, ${kind}_payload)`,
      ),
      avc(`${kind}_evaluate_with_dual_reference`, `${kind}_result(${images(3)}, sampler_t, ${kind}_payload)`),
      avc(multi, `${kind}_result(${images(1)}, uint, sampler_t, ${kind}_payload)`),
      avc(
        multi,
        `${kind}_result(${images(1)}, uint, uchar, sampler_t, ${kind}_payload)`,
        `${camel(multi)}Interlaced`,
      ),
    ];
  });

export const motionEstimation: Family = {
  title: 'cl_intel_device_side_avc_motion_estimation',
  mayHave: startingWith('intel_'),
  rows: () =>
    under(
      'cl_intel_device_side_avc_motion_estimation',
      ...DEFAULTS.map(([name, signature]) => avc(`mce_get_default_${name}`, signature)),
      ...shared(),
      avc('ime_initialize', 'ime_payload(ushort2, uchar, uchar)'),
      avc('ime_set_single_reference', 'ime_payload(short2, uchar, ime_payload)'),
      avc('ime_set_dual_reference', 'ime_payload(short2, short2, uchar, ime_payload)'),
      avc('ime_set_max_motion_vector_count', 'ime_payload(uchar, ime_payload)'),
      avc('ime_set_unidirectional_mix_disable', 'ime_payload(ime_payload)'),
      avc('ime_set_early_search_termination_threshold', 'ime_payload(uchar, ime_payload)'),
      avc('ime_set_weighted_sad', 'ime_payload(uint, ime_payload)'),
      avc('ime_ref_window_size', 'ushort2(uchar, char)'),
      row(
        'intel_sub_group_ime_ref_window_size',
        'ushort2(uchar, char)',
        custom('motion_estimation', 'ImeRefWindowSize'),
      ),
      avc('ime_adjust_ref_offset', 'short2(short2, ushort2, ushort2, ushort2)'),
      ...streams(),
      avc('ime_get_border_reached', 'uchar(uchar, ime_result)'),
      avc('ime_get_truncated_search_indication', 'uchar(ime_result)'),
      avc('ime_get_unidirectional_early_search_termination', 'uchar(ime_result)'),
      avc('ime_get_weighting_pattern_minimum_motion_vector', 'uint(ime_result)'),
      avc('ime_get_weighting_pattern_minimum_distortion', 'ushort(ime_result)'),
      avc('fme_initialize', 'ref_payload(ushort2, ulong, uchar, uchar, uchar, uchar, uchar)'),
      avc('bme_initialize', 'ref_payload(ushort2, ulong, uchar, uchar, uchar, uchar, uchar, uchar)'),
      avc('ref_set_bidirectional_mix_disable', 'ref_payload(ref_payload)'),
      avc('ref_set_bilinear_filter_enable', 'ref_payload(ref_payload)'),
      ...evaluations(),
      avc('sic_initialize', 'sic_payload(ushort2)'),
      avc('sic_configure_skc', 'sic_payload(uint, uint, ulong, uchar, uchar, sic_payload)'),
      avc(
        'sic_configure_ipe',
        'sic_payload(uchar, uchar, uchar, uchar, uchar, uchar, uchar, sic_payload)',
        'SicConfigureIpeLuma',
      ),
      avc(
        'sic_configure_ipe',
        'sic_payload(uchar, uchar, uchar, uchar, uchar, uchar, ushort, ushort, ushort, uchar, sic_payload)',
        'SicConfigureIpeLumaChroma',
      ),
      avc('sic_get_motion_vector_mask', 'uint(uint, uchar)'),
      avc('sic_set_intra_luma_shape_penalty', 'sic_payload(uint, sic_payload)'),
      avc('sic_set_intra_luma_mode_cost_function', 'sic_payload(uchar, uint, uint, sic_payload)'),
      avc('sic_set_intra_chroma_mode_cost_function', 'sic_payload(uchar, sic_payload)'),
      avc('sic_set_skc_bilinear_filter_enable', 'sic_payload(sic_payload)', 'SicSetBilinearFilterEnable'),
      avc('sic_set_skc_forward_transform_enable', 'sic_payload(ulong, sic_payload)'),
      avc('sic_set_block_based_raw_skip_sad', 'sic_payload(uchar, sic_payload)'),
      avc('sic_evaluate_ipe', 'sic_result(read_only image2d, sampler_t, sic_payload)'),
      avc('sic_get_ipe_luma_shape', 'uchar(sic_result)'),
      avc('sic_get_best_ipe_luma_distortion', 'ushort(sic_result)'),
      avc('sic_get_best_ipe_chroma_distortion', 'ushort(sic_result)'),
      avc('sic_get_packed_ipe_luma_modes', 'ulong(sic_result)'),
      avc('sic_get_ipe_chroma_mode', 'uchar(sic_result)'),
      avc('sic_get_packed_skc_luma_count_threshold', 'uint(sic_result)'),
      avc('sic_get_packed_skc_luma_sum_threshold', 'ulong(sic_result)'),
      avc('sic_get_inter_raw_sads', 'ushort(sic_result)'),
    ),
};
