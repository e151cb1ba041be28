// Answers what-if requests on a separate thread, started on first use, so that live forecasts never wait. A
// forecast depends only on the posts, so any process that has them can answer.

import type { Account, AccountId } from '../../domain/account.ts';
import { isActiveAt } from '../../domain/market-event.ts';
import { getAccountParameters } from '../../forecast/parameters.ts';
import type { Scenario } from '../../forecast/scenario.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { BoardReader } from '../../state/board.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { PostStore } from '../../store/ports.ts';
import type { WhatIfAnswer, WhatIfQuestion } from './answer-what-if.ts';
import { createWhatIfRunner, type ForecastRunner } from './forecast-runner.ts';
import { toTask } from './forecast-task.ts';
import { createPostFollower, type PostFollower } from './post-follower.ts';

export interface WhatIf {
  /** null while the account's posts are being loaded. */
  ask(
    accountId: AccountId,
    question: { eventId: number; scenario: Scenario; bankrollUsd: number; nowTs: number },
  ): Promise<WhatIfAnswer | null>;
  close(): Promise<void>;
}

export interface WhatIfOptions {
  accounts: readonly Account[];
  board: BoardReader;
  posts: PostStore;
  clock: Clock;
  createRunner?: (() => ForecastRunner) | undefined;
}

interface Followed {
  account: Account;
  follower: PostFollower;
  turn: Promise<unknown>;
  /** The snapshot last sent to the thread. */
  reported: AccountSnapshot | null;
}

export function createWhatIf({ accounts, board, posts, clock, createRunner }: WhatIfOptions): WhatIf {
  const runner = (createRunner ?? createWhatIfRunner)();
  const followers = new Map(
    accounts.map((account) => {
      const parameters = getAccountParameters(account);
      const { accountId } = account;
      const follower = createPostFollower({ accountId, parameters, board, posts, runner, clock });
      const followed: Followed = { account, follower, turn: Promise.resolve(), reported: null };
      return [accountId, followed];
    }),
  );

  return {
    async ask(accountId, question) {
      const followed = followers.get(accountId)!;
      // Runs one at a time, because the model must not receive a post twice.
      const caughtUp = followed.turn.then(() => followed.follower.catchUp());
      followed.turn = caughtUp.catch(() => null);
      const snapshot = (await caughtUp)?.snapshot;
      if (!snapshot) return null;
      const isKnown = followed.reported === snapshot;
      followed.reported = snapshot;
      return forgetting(followed, () =>
        runner.whatIf(accountId, toQuestion(followed.account, snapshot, isKnown, question)),
      );
    },
    close: () => runner.close(),
  };
}

/** A thread that died has lost its posts and snapshot, so they are loaded again. */
async function forgetting<T>(followed: Followed, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    followed.follower.forget();
    followed.reported = null;
    throw error;
  }
}

function toQuestion(
  { accountId, allowsSell }: Account,
  snapshot: AccountSnapshot,
  isKnown: boolean,
  question: { eventId: number; scenario: Scenario; bankrollUsd: number; nowTs: number },
): WhatIfQuestion {
  const { events } = snapshot;
  const open = events.filter(({ event, forecast }) => forecast && isActiveAt(event.window, question.nowTs));
  const asked = open.find(({ event }) => event.eventId === question.eventId);
  const asofTs = asked?.forecast?.asofTs ?? question.nowTs;
  return {
    ...question,
    account: { accountId, allowsSell },
    snapshot: isKnown ? null : pickPriced(snapshot),
    tasks: open.map((state) => toTask(state, snapshot, asofTs, false, state.forecast?.contract)),
    asofTs,
  };
}

function pickPriced(snapshot: AccountSnapshot): WhatIfQuestion['snapshot'] {
  const { events, quotes, feeds, jointFinals, isPastMissing, evidence, standing, takenTs } = snapshot;
  return {
    ...{ events, quotes, feeds, jointFinals, takenTs },
    ...(isPastMissing !== undefined && { isPastMissing }),
    ...(evidence && { evidence }),
    ...(standing && { standing }),
  };
}
