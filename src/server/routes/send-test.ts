// Sends a test alert for a rule or channel. Receivers may belong to third parties, so the number of tests per
// hour is limited.

import { composeTest } from '../../alerts/rules/test-alert.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { RouteContext } from '../context.ts';
import { type Answer, okUncached } from '../http/answer.ts';
import { ApiError } from '../http/error-responses.ts';

/** Maximum per key. */
const MOST_TESTS_PER_HOUR = 60;

type Test = Omit<Parameters<typeof composeTest>[0], 'publicUrl' | 'wallTs'>;

export async function sendTest(
  { store, reach, wallClock, withDeadline }: RouteContext,
  test: Test,
): Promise<Answer> {
  const wallTs = wallClock.now();
  const { alert, deliveries } = composeTest({ ...test, publicUrl: reach.publicUrl, wallTs });
  const most = { count: MOST_TESTS_PER_HOUR, sinceTs: wallTs - HOUR_MS };
  if (!(await withDeadline(store.alerts.add(alert, deliveries, most))))
    throw new ApiError(429, `A key may send at most ${MOST_TESTS_PER_HOUR} test alerts per hour`, {
      'Retry-After': '60',
    });
  return okUncached({ timestamp: test.nowTs, data: { notice_id: alert.alertId } });
}
