// An answer that came and cannot be read: the platform has changed, or something in between has. Unlike a refusal it
// means that this service lost a capability, whatever else still answers.

import { SourceError } from '../runtime/errors.ts';

export class ShapeError extends SourceError {
  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { isRetryable: true, ...options });
    this.name = 'ShapeError';
  }
}
