// Fetches what a stream does not send: buckets of new events, and feed ages while nothing changes.

import { getAccess } from '../api/access.ts';
import type { CountersRecord, Envelope, PredictionRecord } from '../api/records.ts';
import { fetchJson } from '../api/request.ts';
import { takeCounters } from './account-poll.ts';
import type { ViewStore } from './view-store.ts';

const LEARN_PAUSE_MS = 120_000;
const LEAST_ALLOWANCE = 20;

export interface AccountRefresh {
  learnBuckets(): Promise<void>;
  refreshAges(): Promise<void>;
}

export function createAccountRefresh(account: string, { get, change }: ViewStore): AccountRefresh {
  let nextLearnTs = 0;
  return {
    /** An event that opens after the snapshot arrives without buckets; fetches them at a limited rate. */
    async learnBuckets() {
      const { prediction, meta } = get().state;
      const known = new Set(prediction.map((record) => record.event_id));
      const isWhole = meta.every((record) => known.has(record.event_id));
      if (isWhole || Date.now() < nextLearnTs) return;
      nextLearnTs = Date.now() + LEARN_PAUSE_MS;
      try {
        const answer = await fetchJson<Envelope<PredictionRecord[]>>(`/prediction/${account}`);
        change({ state: { ...get().state, prediction: answer.data } });
      } catch {
        // Retried at the next counter change.
      }
    },
    async refreshAges() {
      if (get().line.kind !== 'live') return;
      const left = getAccess().allowances.counters;
      if (document.hidden || (left && left.remaining < LEAST_ALLOWANCE)) return;
      try {
        const answer = await fetchJson<Envelope<CountersRecord[]>>(`/meta/${account}`);
        change({ state: takeCounters(get().state, answer) });
      } catch {
        // The stream is authoritative; a failed refresh only lets the displayed age grow.
      }
    },
  };
}
