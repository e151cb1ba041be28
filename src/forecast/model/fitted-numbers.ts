// Written by `lab forecast fit --write`; do not edit.

export const FITTED_NUMBERS = {
  reversion: [
    { hours: 24, beta: [0.013, 0.137, -0.271, -0.179, -0.045] },
    { hours: 72, beta: [-0.221, 0.296, -0.466, -0.196, -0.069] },
    { hours: 168, beta: [-0.26, 0.389, -0.574, -0.248, -0.071] },
  ],
  weights: {
    6: { core: 0.196, reverting: 0.105, memories: 0.625, fixed: 0.018, calm: 0.056 },
    24: { core: 0.346, reverting: 0.24, memories: 0.275, fixed: 0.096, calm: 0.043 },
    72: { core: 0.344, reverting: 0.251, memories: 0.194, fixed: 0.162, calm: 0.049 },
    168: { core: 0.316, reverting: 0.237, memories: 0.192, fixed: 0.201, calm: 0.054 },
  },
  widths: {
    6: { level: 0, own: 0, calm: 0, fall: 0 },
    24: { level: 0, own: 0, calm: 0.6, fall: 0 },
    72: { level: -0.027, own: 0.314, calm: 0.286, fall: 0.159 },
    168: { level: -0.032, own: 0.268, calm: 0.332, fall: 0.198 },
  },
};
