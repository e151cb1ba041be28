// What the doctor knows about one kind of response: its origin and its expected shapes.

import type { PostSourceKind } from '../../source.ts';

export interface ShapeFeed {
  name: string;
  /** Expected only if an account lists this source; absent for feeds that every account has. */
  kind?: PostSourceKind;
  /** Matches the end of the URL's path. */
  path: RegExp;
  /** Shapes that the service can read. */
  shapes: readonly string[];
  /** Returns one shape name per element; a name not in `shapes` is new to this version. */
  classify(answer: unknown): string[];
}
