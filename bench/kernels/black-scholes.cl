// SPDX-License-Identifier: MIT
// European options: call and put prices.
float cumulative(float d) {
  const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float c = 0.39894228040143267794f * exp(-0.5f * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
  return d > 0 ? 1.0f - c : c;
}

kernel void black_scholes(global const float *restrict price, global const float *restrict strike,
                          global const float *restrict years, global float *restrict call, global float *restrict put,
                          float rate, float volatility) {
  size_t i = get_global_id(0);
  float s = price[i], x = strike[i], t = years[i];
  float root = sqrt(t);
  float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
  float d2 = d1 - volatility * root;
  float c1 = cumulative(d1), c2 = cumulative(d2);
  float discounted = x * exp(-rate * t);
  call[i] = s * c1 - discounted * c2;
  put[i] = discounted * (1.0f - c2) - s * (1.0f - c1);
}
