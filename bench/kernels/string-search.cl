// SPDX-License-Identifier: MIT
// Counts where a short pattern occurs in a text; each work-item looks at a stretch of it.
kernel void string_search(global const uchar *restrict text, constant uchar *pattern, int length, int pattern_length,
                          int stretch, global int *restrict counts) {
  int id = get_global_id(0);
  int end = min((id + 1) * stretch, length - pattern_length + 1);
  int count = 0;
  for (int i = id * stretch; i < end; i++) {
    int k = 0;
    while (k < pattern_length && text[i + k] == pattern[k]) k++;
    count += k == pattern_length;
  }
  counts[id] = count;
}
