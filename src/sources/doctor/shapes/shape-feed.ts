// What the doctor knows of one kind of answer: where it comes from, and which shapes are expected in it.

import type { PostSourceKind } from '../../source.ts';

export interface ShapeFeed {
  name: string;
  /** Expected only where an account lists this source; absent for feeds that every account has. */
  kind?: PostSourceKind;
  /** End of the address's path. */
  path: RegExp;
  /** Shapes that the service reads. */
  shapes: readonly string[];
  /** One name per element; a name outside `shapes` is new to this version. */
  classify(answer: unknown): string[];
}
