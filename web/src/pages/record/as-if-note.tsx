// States above every figure how much of the record was recomputed.

import type { HistoryRecord } from '../../api/records.ts';
import { useFetched } from '../../live/use-fetched.ts';
import { describeAsIf } from './as-if.ts';

const WHOLE_DAYS = 365;

export function AsIfNote({ account, horizon }: { account: string | undefined; horizon: number }) {
  const { data } = useFetched<HistoryRecord>({
    path: '/performance/history',
    query: { horizon, days: WHOLE_DAYS, account },
  });
  const words = describeAsIf(data?.data ?? []);
  return words ? <p className="as-if">{words}</p> : null;
}
