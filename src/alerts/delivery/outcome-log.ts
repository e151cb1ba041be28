// Records delivery results in batches: results that arrive during a write go into the next write, so a
// thousand results a second cost only a few writes.

import type { WebhookDelivery } from '../../store/ports.ts';

/** Resolves when the result is durable; a batch fails as a whole. */
export type NoteOutcome = (outcome: WebhookDelivery) => Promise<void>;

export function createOutcomeLog(
  write: (outcomes: readonly WebhookDelivery[]) => Promise<void>,
): NoteOutcome {
  let waiting: WebhookDelivery[] = [];
  let next: Promise<void> | null = null;
  let inHand: Promise<void> = Promise.resolve();

  function writeWaiting(): Promise<void> {
    const outcomes = waiting;
    waiting = [];
    next = null;
    return write(outcomes);
  }

  return (outcome) => {
    waiting.push(outcome);
    if (next === null) {
      next = inHand.then(writeWaiting);
      inHand = next.catch(() => {});
    }
    return next;
  };
}
