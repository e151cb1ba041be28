// The changes that stream readers hear of, one message each. Pure.

import { nameFeed } from '../../domain/feed.ts';
import type { CapturedPost } from '../../domain/post.ts';
import type { Change } from '../../state/changes.ts';
import type { SettledCount } from '../../state/snapshot.ts';

export type StreamChange =
  | { kind: 'counters'; eventId: number }
  | { kind: 'post'; post: CapturedPost }
  | { kind: 'forecast'; eventId: number }
  | { kind: 'price'; eventId: number; bucketLabel: string; marketPrice: number | null }
  | { kind: 'feed'; feed: string }
  | { kind: 'settlement'; eventId: number; settlement: SettledCount };

/** Posts oldest first, then deleted posts again, then everything else in the order of the changes. */
export function toStreamChanges(changes: readonly Change[]): StreamChange[] {
  return changes.flatMap((change): StreamChange[] => {
    switch (change.kind) {
      case 'posts':
        return [...change.captured, ...change.deleted].map((post) => ({ kind: 'post', post }));
      case 'listed':
        return change.isNew ? [{ kind: 'counters', eventId: change.eventId }] : [];
      case 'count':
        return [{ kind: 'counters', eventId: change.eventId }];
      case 'forecast':
        return [{ kind: 'forecast', eventId: change.eventId }];
      case 'settled':
        return [{ kind: 'settlement', eventId: change.eventId, settlement: change.settlement }];
      case 'price':
        return [
          { kind: 'price', eventId: change.eventId, bucketLabel: change.bucket, marketPrice: change.price },
        ];
      case 'feed':
        return [{ kind: 'feed', feed: nameFeed(change) }];
      default:
        return [];
    }
  });
}
