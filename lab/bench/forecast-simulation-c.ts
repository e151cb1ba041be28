// The core simulation in C, as the bench compiles it: 1,024 paths of seven days, thinned to 160 loads and mixed
// into one mass function. Prints the median time of a run in milliseconds.

export const SIMULATION_IN_C = `
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define PATHS 1024
#define BLOCKS 7
#define GROUPS 160
static double start[PATHS * 3], steps[PATHS * BLOCKS * 4], loads[PATHS];
static unsigned long long seed = 88172645463325252ULL;
static double uniform(void) {
  seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17;
  return ((seed >> 11) + 0.5) / 9007199254740992.0;
}
static double normal(void) { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()); }
static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
static void simulate(void) {
  double f1 = exp(-1 / 1.8), f2 = exp(-1 / 40.0);
  double q1 = 0.28 * sqrt(1 - f1 * f1), q2 = 0.5 * sqrt(1 - f2 * f2);
  double l11 = sqrt(0.03), l21 = -0.01 / l11, l31 = 0, l22 = sqrt(0.05 - l21 * l21);
  double l32 = (-0.005 - l31 * l21) / l22, l33 = sqrt(0.01 - l31 * l31 - l32 * l32);
  for (int p = 0; p < PATHS; p++) {
    double a = start[p * 3], b = start[p * 3 + 1];
    double x1 = 0.1 + l11 * a, x2 = -0.2 + l21 * a + l22 * b;
    double level = 0.5 + l31 * a + l32 * b + l33 * start[p * 3 + 2], load = 0;
    double *z = steps + p * BLOCKS * 4;
    for (int d = 0; d < BLOCKS; d++, z += 4) {
      double apart = x1 + x2;
      double moving = exp(-0.25 * (apart < -1.5 ? -1.5 : apart > 1.5 ? 1.5 : apart));
      x1 = f1 * x1 + moving * q1 * z[0];
      x2 = f2 * x2 + moving * q2 * z[1];
      level += 0.015 * z[3];
      load += 24 * exp(x1 + x2 + level + moving * 0.3 * z[2]);
    }
    loads[p] = load;
  }
}
static double *mix(int *length) {
  qsort(loads, PATHS, sizeof(double), ascending);
  double centres[GROUPS], size = 80;
  for (int g = 0; g < GROUPS; g++) {
    int from = g * PATHS / GROUPS, to = (g + 1) * PATHS / GROUPS;
    centres[g] = 0;
    for (int i = from; i < to; i++) centres[g] += loads[i] / (to - from);
  }
  double top = centres[GROUPS - 1];
  *length = (int)(top + 8 * sqrt(top + top * top / size) + 22 * (1 + top / size) + 9);
  double *pmf = calloc(*length, sizeof(double));
  for (int g = 0; g < GROUPS; g++) {
    double mean = centres[g], q = mean / (mean + size);
    int mode = (int)(mean * (size - 1) / size);
    double peak = exp(lgamma(mode + size) - lgamma(size) - lgamma(mode + 1.0) - size * log1p(mean / size) + mode * log(q)) / GROUPS;
    double term = peak, least = peak * 1e-14;
    pmf[mode] += peak;
    for (int x = mode + 1; x < *length && term > least; x++) pmf[x] += (term *= q * (x - 1 + size) / x);
    term = peak;
    for (int x = mode; x > 0 && term > least; x--) pmf[x - 1] += (term *= x / (q * (x - 1 + size)));
  }
  return pmf;
}
int main(void) {
  double times[60], check = 0;
  for (int i = 0; i < PATHS * 3; i++) start[i] = normal();
  for (int i = 0; i < PATHS * BLOCKS * 4; i++) steps[i] = normal();
  for (int r = 0; r < 60; r++) {
    struct timespec a, b;
    int length;
    clock_gettime(CLOCK_MONOTONIC, &a);
    simulate();
    double *pmf = mix(&length);
    clock_gettime(CLOCK_MONOTONIC, &b);
    times[r] = (b.tv_sec - a.tv_sec) * 1e3 + (b.tv_nsec - a.tv_nsec) / 1e6;
    check += pmf[length / 4];
    free(pmf);
  }
  qsort(times, 60, sizeof(double), ascending);
  if (check < 0) return 1;
  printf("%.6f\\n", times[30]);
  return 0;
}
`;
