// The doctor's knowledge of one kind of answer: its origin and expected shapes.

import type { PostSourceKind } from '../../source.ts';

export interface ShapeFeed {
  name: string;
  /** Expected only if an account lists this source; absent for feeds of every account. */
  kind?: PostSourceKind;
  /** End of the address's path. */
  path: RegExp;
  /** Shapes that the service reads. */
  shapes: readonly string[];
  /** One name per element; a name outside `shapes` is new to this version. */
  classify(answer: unknown): string[];
}
