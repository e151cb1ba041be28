// Replays a settled event from the store: recomputes its recorded signals from their inputs, and their
// results from the settlement.

import type { MarketEvent } from '../../domain/market-event.ts';
import type { SignalRecord, Store } from '../../store/ports.ts';
import { createAdviser } from '../../trade/advice/adviser.ts';
import { type Grounds, recallAccount } from './signal-grounds.ts';
import { settleBet, toSignalRecords } from './signal-record.ts';

export interface SignalReplay {
  recorded: SignalRecord[];
  replayed: SignalRecord[];
  /** Times of recorded signals without stored inputs. */
  withoutGrounds: number[];
}

type ReplayStore = Pick<Store, 'signals' | 'events' | 'settlements'>;

export async function replaySignals(store: ReplayStore, event: MarketEvent): Promise<SignalReplay> {
  const recorded = await store.signals.list({ eventId: event.eventId });
  const [settlement] = await store.settlements.latest([event.eventId]);
  const replayed: SignalRecord[] = [];
  const withoutGrounds: number[] = [];
  for (const [asofTs, signals] of Map.groupBy(recorded, (signal) => signal.asofTs)) {
    const content = await store.signals.findGrounds(event.accountId, asofTs);
    if (content === null) {
      withoutGrounds.push(asofTs);
      continue;
    }
    const grounds = JSON.parse(content) as Grounds;
    if (!grounds.evidence) {
      withoutGrounds.push(asofTs);
      continue;
    }
    const stood = await adviseAgain(store, event, grounds, asofTs);
    for (const horizonH of new Set(signals.map((signal) => signal.horizonH))) {
      replayed.push(...toSignalRecords(event.accountId, stood, horizonH, asofTs));
    }
  }
  const settled = replayed.map((signal) =>
    settlement
      ? { ...signal, ...settleBet(signal, settlement.winningLabel), settledTs: settlement.settledTs }
      : signal,
  );
  return { recorded, replayed: settled, withoutGrounds };
}

async function adviseAgain(store: ReplayStore, event: MarketEvent, grounds: Grounds, asofTs: number) {
  const stored = await Promise.all(grounds.events.map(({ eventId }) => store.events.find(eventId)));
  const account = recallAccount(
    grounds,
    stored.flatMap((one) => one ?? []),
    asofTs,
  );
  const advice = createAdviser(grounds.rules).advise(account, grounds.bankrollUsd, asofTs);
  const element = advice.find(({ eventId }) => eventId === event.eventId);
  if (!element) throw new Error(`event ${event.eventId} is not in the inputs at ${asofTs}`);
  return element;
}

/** Signals recorded but not reproduced, and vice versa, except closing-line value (from later prices). */
export function findDifferences({ recorded, replayed, withoutGrounds }: SignalReplay): string[] {
  const lost = new Set(withoutGrounds);
  const texts = (signals: readonly SignalRecord[]) =>
    new Set(signals.filter(({ asofTs }) => !lost.has(asofTs)).map(writeSignal));
  const [before, again] = [texts(recorded), texts(replayed)];
  return [
    ...[...before].filter((text) => !again.has(text)).map((text) => `recorded: ${text}`),
    ...[...again].filter((text) => !before.has(text)).map((text) => `replayed: ${text}`),
  ];
}

function writeSignal({ closingLineValue: _, ...signal }: SignalRecord): string {
  return JSON.stringify(signal, Object.keys(signal).sort());
}
