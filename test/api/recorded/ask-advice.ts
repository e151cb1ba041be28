// Requests advice for the scene from a new service, which has only the shipped prior.

import { startHarness } from '../harness.ts';
import { NOW_TS, sceneSnapshot } from './scene.ts';

/** One row per bucket: the contract's action and stake, then the verdict, order and reasons. */
export async function askAdvice(): Promise<string[]> {
  const harness = await startHarness({ empty: true });
  try {
    for (const accountId of ['a', 'b']) {
      const { evidence: _, ...snapshot } = sceneSnapshot(accountId);
      harness.board.replace(snapshot);
    }
    harness.clock.advance(NOW_TS - harness.clock.now());
    const rows: string[] = [];
    for (const segment of ['account_a', 'account_b']) {
      const { json } = await harness.call(`/signals/${segment}`, { key: harness.keys.PRO });
      for (const { event_id, signals } of json.data)
        for (const { bucket, action, suggested_bet, advice } of signals) {
          const { verdict, shares, limit_price, stake, reasons } = advice;
          const row = {
            event_id,
            bucket,
            action,
            suggested_bet,
            verdict,
            shares,
            limit_price,
            stake,
            reasons,
          };
          rows.push(JSON.stringify(row));
        }
    }
    return rows;
  } finally {
    await harness.close();
  }
}
