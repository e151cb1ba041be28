// Allowances large enough for hostile requests to get past the limiter.

import { DEFAULT_LIMITS } from '../../src/access/limiter.ts';

export const NO_LIMITS = { ...DEFAULT_LIMITS, freePerHour: 10_000_000, waitlistPerHour: 10_000_000 };
