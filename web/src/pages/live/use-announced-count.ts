// Announces changes in our count to screen readers; the announcer limits the rate.

import { useEffect, useRef } from 'react';
import type { CountersRecord } from '../../api/records.ts';
import { useLabel } from '../../live/live-context.tsx';
import { announce } from '../../ui/announcer.tsx';
import { describeLag } from '../../words/deltas.ts';

export function useAnnouncedCount(record: CountersRecord, account: string): void {
  const label = useLabel(account);
  const previous = useRef(record.real_counter);
  useEffect(() => {
    if (previous.current === record.real_counter) return;
    previous.current = record.real_counter;
    announce(`${label}: count ${record.real_counter}, ${describeLag('oracle', record.settlement_delta)}.`);
  }, [record, label]);
}
