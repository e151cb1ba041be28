// Runs the service's jobs on a SQLite store, fed by the simulator on a manual clock: forecasts, advice,
// recorded signals, settlement and evidence take the same path as in a running service, but without feeds or
// requests.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimulatorState } from '../../../simulator/simulator-state.ts';
import { profileOfLetter } from '../../../src/domain/account-profile.ts';
import { getAccountParameters } from '../../../src/forecast/parameters.ts';
import { createInlineRunner } from '../../../src/jobs/forecasting/forecast-runner.ts';
import { createForecastPublisher } from '../../../src/jobs/forecasting/publish-forecasts.ts';
import { createAdvicePublisher } from '../../../src/jobs/publish-advice.ts';
import { createEdgeEvidence, type EdgeEvidenceBook } from '../../../src/jobs/scoring/edge-evidence.ts';
import { createSignalRecorder } from '../../../src/jobs/settling/record-signals.ts';
import { createSettlementJob } from '../../../src/jobs/settling/settle-events.ts';
import type { Clock } from '../../../src/runtime/clock.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { applyObservation } from '../../../src/state/apply-observation.ts';
import { createBoard } from '../../../src/state/board.ts';
import { type AccountSnapshot, createEmptySnapshot, type Observation } from '../../../src/state/snapshot.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { SignalRecord, Store } from '../../../src/store/ports.ts';
import { createSimulatedFeed } from './simulated-feed.ts';

export interface SimulatedService {
  /** Ingests everything up to now and runs every job once. */
  step(): Promise<void>;
  /** Stores only current prices, from which closing lines are read. */
  recordPrices(): Promise<void>;
  listSettledSignals(): Promise<SignalRecord[]>;
  close(): Promise<void>;
}

export async function openSimulatedService(
  state: SimulatorState,
  clock: Clock,
  fromTs: number,
): Promise<SimulatedService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tallycast-weeks-'));
  const store = await openStore({ dataDir, clock, logger: silentLogger });
  const accountIds = state.accounts.map(({ parameters }) => parameters.accountId);
  const evidence = createEdgeEvidence(accountIds, store, clock);
  const accounts = accountIds.map((accountId) =>
    createAccount({ accountId, state, store, clock, evidence, fromTs }),
  );
  return {
    async step() {
      for (const account of accounts) await account.step();
    },
    async recordPrices() {
      for (const account of accounts) await store.quotes.record(account.feed.listQuotes());
    },
    listSettledSignals: () => store.signals.list({ settledOnly: true }),
    async close() {
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

interface AccountParts {
  accountId: string;
  state: SimulatorState;
  store: Store;
  clock: Clock;
  evidence: EdgeEvidenceBook;
  fromTs: number;
}

function createAccount({ accountId, state, store, clock, evidence, fromTs }: AccountParts) {
  const account = profileOfLetter(accountId);
  const board = createBoard();
  const feed = createSimulatedFeed(state, accountId, fromTs);
  let snapshot: AccountSnapshot = createEmptySnapshot(accountId, clock.now(), []);
  const note = async (observation: Observation) => {
    snapshot = applyObservation(snapshot, observation, clock.now());
    board.publish(snapshot);
  };
  const parts = { board, store, clock, logger: silentLogger };
  const forecasts = createForecastPublisher({
    ...parts,
    accountId,
    parameters: getAccountParameters(account),
    runner: createInlineRunner(),
    identity: { modelVersion: 'weeks', buildCommit: 'weeks' },
    onPublished: (_, publication) => note({ kind: 'forecasts-published', ...publication }),
  });
  const advice = createAdvicePublisher({
    ...parts,
    account,
    getEvidence: () => evidence.get(accountId),
    onAdvised: (_, publication) => note({ kind: 'advice-published', ...publication }),
  });
  const record = createSignalRecorder({ ...parts, accounts: [account] });
  const settlement = createSettlementJob({
    ...parts,
    accountIds: [accountId],
    onSettled: () => evidence.learn(),
  });

  async function takeIn(): Promise<void> {
    const posts = feed.takePosts();
    await store.posts.recordCaptures(posts);
    await note({ kind: 'posts-captured', posts, captureDelay: snapshot.captureDelay });
    const events = feed.listEvents();
    await store.events.upsert(events);
    const realCounts = await countPosts(events);
    await note({ kind: 'events-listed', events, realCounts });
    const observedTs = clock.now();
    const readings = feed.readOracle();
    await store.counts.record(readings.map((reading) => ({ ...reading, feed: 'oracle', observedTs })));
    await note({ kind: 'counts-read', feed: 'oracle', readings, observedTs });
    const quotes = feed.listQuotes();
    await store.quotes.record(quotes);
    await note({ kind: 'quotes-read', quotes });
  }

  async function countPosts(events: ReturnType<typeof feed.listEvents>): Promise<Record<number, number>> {
    const entries = events.map(
      async ({ eventId, window }): Promise<[number, number]> => [
        eventId,
        await store.posts.countCounted(accountId, window.startTs, window.endTs),
      ],
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  return {
    feed,
    async step() {
      await takeIn();
      await settlement.noteResolutions(account, feed.takeResolutions());
      await forecasts.runOnce();
      await advice.runOnce();
      await record.runOnce();
    },
  };
}
