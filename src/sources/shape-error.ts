// A response that cannot be read, because the platform or something in between has changed. Unlike a refusal,
// it means this service has lost a capability.

import { SourceError } from '../runtime/errors.ts';

export class ShapeError extends SourceError {
  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { isRetryable: true, ...options });
    this.name = 'ShapeError';
  }
}
