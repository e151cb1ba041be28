// Wires the simulator's parts together: accounts, their oracle, the market and the faults.

import type { Clock } from '../src/runtime/clock.ts';
import { hashLabel } from '../src/runtime/random.ts';
import { ACCOUNT_A, ACCOUNT_B, type SimulatorAccountParameters } from './account-parameters.ts';
import { hashNumbers } from './chance.ts';
import { createCryptoEvents } from './crypto/crypto-events.ts';
import type { FaultOrder } from './faults/fault-registry.ts';
import { createFaultSwitch, type FaultSwitch } from './faults/fault-switch.ts';
import type { KalshiMember } from './kalshi/signing.ts';
import { createKalshiVenue, type KalshiVenue } from './kalshi/venue.ts';
import { type CountEvents, createCountEvents } from './market/count-events.ts';
import { type EventBook, type ListedEvent, type ListedMarket, readMarketId } from './market/listed-event.ts';
import { createOracleBook, type OracleBook } from './oracle/oracle-book.ts';
import { canonicalConditionId, readConditionId, readTokenId } from './platform-ids.ts';
import { createPostLedger, type PostLedger } from './posts/post-ledger.ts';

/** Default credential of the simulated X API. */
export const SIMULATOR_TOKEN = 'simulator';

export interface SimulatorOptions {
  seed: number;
  /** Start of history, on a full hour. */
  anchorTs: number;
  clock: Clock;
  /** The only credential X accepts; defaults to SIMULATOR_TOKEN. */
  bearerToken?: string;
  /** Members of the second venue, by signing key. */
  kalshiMembers?: readonly KalshiMember[];
  accounts?: readonly SimulatorAccountParameters[];
  faults?: readonly FaultOrder[];
}

export interface SimulatorAccount {
  parameters: SimulatorAccountParameters;
  ledger: PostLedger;
  oracle: OracleBook;
}

export interface MarketRef {
  book: EventBook;
  event: ListedEvent;
  market: ListedMarket;
  side: 0 | 1;
}

export interface SimulatorState {
  readonly options: SimulatorOptions;
  readonly seedKey: number;
  readonly clock: Clock;
  readonly accounts: readonly SimulatorAccount[];
  readonly countEvents: CountEvents;
  readonly cryptoEvents: EventBook;
  readonly kalshi: KalshiVenue;
  /** Initial members of the second venue; more may join. */
  readonly kalshiMembers: KalshiMember[];
  readonly faults: FaultSwitch;
  /** Simulated time, including clock faults; never runs backwards. Draws everything up to that time. */
  now(): number;
  findAccount(matches: (parameters: SimulatorAccountParameters) => boolean): SimulatorAccount | undefined;
  findToken(tokenId: string, nowTs: number): MarketRef | null;
  findCondition(conditionId: string, nowTs: number): MarketRef | null;
  findMarket(marketId: number, nowTs: number): MarketRef | null;
  bookOf(event: ListedEvent): EventBook;
}

export function createSimulatorState(options: SimulatorOptions): SimulatorState {
  const seedKey = hashNumbers(options.seed, hashLabel('world'));
  const faults = createFaultSwitch(hashNumbers(seedKey, 0xfa));
  let latestTs = options.anchorTs;

  function now(): number {
    const plainTs = options.clock.now();
    latestTs = Math.max(latestTs, plainTs + (faults.valueAt('clock-skew', plainTs) ?? 0));
    for (const account of accounts) account.ledger.advanceTo(latestTs);
    return latestTs;
  }

  const accounts = (options.accounts ?? [ACCOUNT_A, ACCOUNT_B]).map((parameters): SimulatorAccount => {
    const ledger = createPostLedger({
      parameters,
      seedKey,
      anchorTs: options.anchorTs,
      faults,
    });
    const oracle = createOracleBook(ledger, seedKey, options.anchorTs, faults, () => latestTs);
    return { parameters, ledger, oracle };
  });

  const countEvents = createCountEvents({ seedKey, anchorTs: options.anchorTs, accounts });
  const cryptoEvents = createCryptoEvents(seedKey);

  function findAccount(
    matches: (parameters: SimulatorAccountParameters) => boolean,
  ): SimulatorAccount | undefined {
    return accounts.find((account) => matches(account.parameters));
  }

  function findMarket(marketId: number, nowTs: number): MarketRef | null {
    const { eventId, index } = readMarketId(marketId);
    for (const book of [countEvents, cryptoEvents]) {
      const event = book.find(eventId, nowTs);
      const market = event && book.markets(event)[index];
      if (event && market) return { book, event, market, side: 0 };
    }
    return null;
  }

  for (const order of options.faults ?? []) faults.add(order, options.clock.now());
  const ledgers = accounts.map(({ ledger }) => ledger);
  return {
    options,
    seedKey,
    clock: options.clock,
    accounts,
    countEvents,
    cryptoEvents,
    kalshi: createKalshiVenue({ seedKey, anchorTs: options.anchorTs, ledgers }),
    kalshiMembers: [...(options.kalshiMembers ?? [])],
    faults,
    now,
    findAccount,
    findMarket,
    findToken(tokenId, nowTs) {
      const read = readTokenId(tokenId);
      const found = read && findMarket(read.marketId, nowTs);
      return found && found.market.tokenIds[read.side] === tokenId ? { ...found, side: read.side } : null;
    },
    findCondition(conditionId, nowTs) {
      const marketId = readConditionId(conditionId);
      const found = marketId === null ? null : findMarket(marketId, nowTs);
      return found && canonicalConditionId(found.market.conditionId) === canonicalConditionId(conditionId)
        ? found
        : null;
    },
    bookOf: (event) => (event.accountId === null ? cryptoEvents : countEvents),
  };
}
