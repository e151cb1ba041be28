// Written by `lab forecast fit --write`; do not edit.

export const FITTED_NUMBERS = {
  reversion: [
    { hours: 24, beta: [0.013, 0.137, -0.271, -0.179, -0.045] },
    { hours: 72, beta: [-0.221, 0.296, -0.466, -0.196, -0.069] },
    { hours: 168, beta: [-0.26, 0.389, -0.574, -0.248, -0.071] },
  ],
  weights: {
    6: { core: 0.195, reverting: 0.106, memories: 0.621, fixed: 0.02, calm: 0.058 },
    24: { core: 0.341, reverting: 0.246, memories: 0.273, fixed: 0.088, calm: 0.052 },
    72: { core: 0.314, reverting: 0.252, memories: 0.198, fixed: 0.167, calm: 0.069 },
    168: { core: 0.296, reverting: 0.242, memories: 0.189, fixed: 0.188, calm: 0.085 },
  },
  widths: {
    6: { level: 0, own: 0, calm: 0, fall: 0 },
    24: { level: 0, own: 0, calm: 0.6, fall: 0 },
    72: { level: -0.022, own: 0.285, calm: 0.315, fall: 0.145 },
    168: { level: -0.031, own: 0.236, calm: 0.364, fall: 0.183 },
  },
};
