// SPDX-License-Identifier: MIT
// Totals of a CSV by group: lines are GROUP,VALUE, a group is a number below GROUPS, a value has at most two places after the point.
// A work-item at the first byte of a line reads the line; all others have nothing to do.

bool is_digit(uchar c) { return c >= '0' && c <= '9'; }

// For each group: lines, the low and the high half of the sum of hundredths + BIAS, the least and the greatest value + BIAS.
// `wrong` counts lines that are not of this form.
kernel void totals(global const uchar *text, global uint *done, global uint *table, global uint *wrong, uint length) {
  uint i = get_global_id(0);
  if (i == 0) *done = length;
  if (i >= length || text[i] == '\n' || (i > 0 && text[i - 1] != '\n')) return;
  uint group = 0, digits = 0;
  for (; i < length && is_digit(text[i]) && digits < 6; i++, digits++) group = 10 * group + text[i] - '0';
  bool good = digits > 0 && group < GROUPS && i < length && text[i++] == ',';
  bool negative = good && i < length && text[i] == '-';
  if (negative) i++;
  int value = 0;
  uint places = 0;
  for (digits = 0; i < length && is_digit(text[i]) && digits < 6; i++, digits++) value = 10 * value + text[i] - '0';
  good = good && digits > 0;
  if (i < length && text[i] == '.')
    for (i++; i < length && is_digit(text[i]) && places < 2; i++, places++) value = 10 * value + text[i] - '0';
  for (; places < 2; places++) value *= 10;
  if (i < length && text[i] == '\r') i++;
  if (!good || (i < length && text[i] != '\n')) {
    atomic_inc(wrong);
    return;
  }
  uint biased = (negative ? -value : value) + BIAS;
  global uint *row = table + 5 * group;
  atomic_inc(row);
  // A sum of 64 bits by two of 32, as not every device has atomics of 64 bits.
  if (atomic_add(row + 1, biased) > UINT_MAX - biased) atomic_inc(row + 2);
  atomic_min(row + 3, biased);
  atomic_max(row + 4, biased);
}
