// Writes down what came of attempts: those that come in while a write is being made go together in the next one, so
// that a thousand answers within a second cost a few writes and the disk is not asked a thousand times.

import type { WebhookDelivery } from '../../store/ports.ts';

/** Resolves when it is durable; all that were written together fail together. */
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
