// Turns what happens on the board into deliveries. Runs in the one process that ingests, so that every
// notice is sent once, however many replicas answer requests.

import { randomUUID } from 'node:crypto';
import type { Account } from '../../domain/account.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { BoardReader } from '../../state/board.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { WebhookEndpoint, WebhookStore } from '../../store/ports.ts';
import { type Adviser, createAdvisers } from '../../trade/advice/adviser.ts';
import { listNotices, listSignalNotices, type StandingBuy, type WebhookNotice } from './topics.ts';

export interface DispatcherOptions {
  accounts: readonly Account[];
  board: BoardReader;
  webhooks: WebhookStore;
  defaultBankrollUsd: number;
  /** The service's time. */
  clock: Clock;
  /** Deliveries are timed by it. */
  wallClock: Clock;
  logger: Logger;
  /** Called when something was queued. */
  onQueued: () => void;
}

export interface Dispatcher {
  start(): void;
  stop(): Promise<void>;
}

/** The list of endpoints is read this often: a new one hears of things that happen after that, one of a revoked key of none. */
const ENDPOINTS_EVERY_MS = 1_000;

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { board, webhooks, clock, wallClock, logger } = options;
  const accounts = new Map(options.accounts.map((account) => [account.accountId, account]));
  const standingBuys = new Map<string, readonly StandingBuy[]>();
  const adviserOf = createAdvisers();
  let endpoints: readonly WebhookEndpoint[] = [];
  let queue: Promise<void> = Promise.resolve();
  let stopListening = () => {};

  function report(error: unknown): void {
    logger.error({ error: errorMessage(error) }, 'alert queueing failed');
  }

  const refreshing = createRepeat({
    clock: wallClock,
    pauseMs: ENDPOINTS_EVERY_MS,
    async run() {
      const standing = await webhooks.listStanding(wallClock.now());
      endpoints = standing.filter(({ topics }) => topics.length > 0);
    },
    onError: report,
  });

  function onSnapshot(next: AccountSnapshot, previous: AccountSnapshot | undefined): void {
    const account = accounts.get(next.accountId);
    if (!account || !previous || endpoints.length === 0) return;
    const notices = [...listNotices(previous, next), ...signalNotices(account, next, previous)];
    if (notices.length === 0) return;
    queue = queue.then(() => enqueue(account.segment, notices)).catch(report);
  }

  function signalNotices(
    account: Account,
    next: AccountSnapshot,
    previous: AccountSnapshot,
  ): WebhookNotice[] {
    const hasNews = next.events.some((state, index) => state.forecast !== previous.events[index]?.forecast);
    if (!hasNews) return [];
    const before = standingBuys.get(next.accountId);
    const after = listBuys(adviserOf(account), next, options.defaultBankrollUsd, clock.now());
    standingBuys.set(next.accountId, after);
    return before ? listSignalNotices(before, after) : [];
  }

  async function enqueue(segment: string, notices: readonly WebhookNotice[]): Promise<void> {
    const createdTs = wallClock.now();
    const deliveries = endpoints.flatMap((endpoint) =>
      notices
        .filter((notice) => endpoint.topics.includes(notice.topic))
        .map((notice) => ({
          deliveryId: `msg_${randomUUID()}`,
          webhookId: endpoint.webhookId,
          topic: notice.topic,
          body: JSON.stringify({
            type: notice.topic,
            timestamp: clock.now(),
            account: segment,
            data: notice.data,
          }),
          attempts: 0,
          nextAttemptTs: createdTs,
          status: 'pending' as const,
          lastResponse: null,
          createdTs,
          updatedTs: createdTs,
        })),
    );
    if (deliveries.length === 0) return;
    await webhooks.enqueue(deliveries);
    options.onQueued();
  }

  return {
    start() {
      void refreshing.start();
      stopListening = board.listen(onSnapshot);
    },
    async stop() {
      stopListening();
      await refreshing.stop();
      await queue;
    },
  };
}

function listBuys(
  adviser: Adviser,
  snapshot: AccountSnapshot,
  bankrollUsd: number,
  nowTs: number,
): StandingBuy[] {
  return adviser.advise(snapshot, bankrollUsd, nowTs).flatMap(({ eventId, signals }) =>
    signals
      .filter((signal) => signal.action === 'BUY')
      .map(({ bucketLabel, modelProbability, marketPrice, edge }) => ({
        eventId,
        bucketLabel,
        modelProbability,
        marketPrice,
        edge,
      })),
  );
}
