// Evidence as it was at past times: learned from the events that had ended by then.

import type { CountWindow } from '../../domain/market-event.ts';
import type { EdgeEvidence } from '../../domain/standing-advice.ts';
import { type LadderSample, learnEvidence } from './learn-evidence.ts';

export type PastSample = LadderSample & { window: CountWindow };

/** Learning again after every event changes little and takes most of the time. */
const EVENTS_PER_LESSON = 10;

/** The returned function must be called with ascending times. */
export function learnForward(
  samples: readonly PastSample[],
  prior: EdgeEvidence,
): (ts: number) => EdgeEvidence {
  const byEnd = [...Map.groupBy(samples, ({ eventId }) => eventId).values()].sort(
    (left, right) => left[0]!.window.endTs - right[0]!.window.endTs,
  );
  let learned = { events: 0, evidence: prior };
  return (ts) => {
    const over = byEnd.filter(([first]) => first!.window.endTs <= ts);
    if (over.length - learned.events >= EVENTS_PER_LESSON)
      learned = { events: over.length, evidence: learnEvidence(over.flat(), prior) };
    return learned.evidence;
  };
}
