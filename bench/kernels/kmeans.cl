// SPDX-License-Identifier: MIT
// The nearest of k centres for each point; features are one after the other (structure of arrays).
kernel void kmeans(global const float *restrict features, global const float *restrict centres, global int *restrict nearest,
                   int points, int clusters, int dimensions) {
  int id = get_global_id(0);
  float best = FLT_MAX;
  int index = 0;
  for (int c = 0; c < clusters; c++) {
    float distance = 0;
    for (int d = 0; d < dimensions; d++) {
      float difference = features[d * points + id] - centres[c * dimensions + d];
      distance += difference * difference;
    }
    if (distance < best) {
      best = distance;
      index = c;
    }
  }
  nearest[id] = index;
}
