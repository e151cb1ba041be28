// The exchange inside the simulator: its HTTP API, user channel and public data.

import { MICRO } from '../../src/domain/units.ts';
import { sleep, systemClock } from '../../src/runtime/clock.ts';
import type { BookLevel as CrowdLevel } from '../market/quotes.ts';
import type { MarketRef, SimulatorState } from '../simulator-state.ts';
import { readTokenBook, type TokenBook } from '../trading/token-book.ts';
import { createCredentials } from './auth/credentials.ts';
import type { ExchangeContext } from './context.ts';
import { createExchange, type Exchange } from './exchange.ts';
import type { BookLevel } from './matching/order-book.ts';
import { flipPips } from './settling/transfers.ts';
import { createSimulatedMarkets } from './simulated-markets.ts';
import { createTape, type Tape } from './tape.ts';
import type { ExchangeMarket, MarketDirectory, TapePrint } from './types.ts';
import { createExchangeWallets, type ExchangeWallets } from './wallets/exchange-wallets.ts';
import { createPolygonRpc } from './wallets/polygon-rpc.ts';
import { createRelayerApi } from './wallets/relayer-api.ts';
import { createExchangeApi, type ExchangeHandler } from './wire/exchange-api.ts';
import { createUserChannel, type UserChannel } from './wire/user-socket.ts';

export interface ExchangeSettings {
  /** Money of an account that is set up ready to trade. */
  startingUsd: number;
  /** The asset in which a buyer pays the taker fee. */
  feePaidIn: 'shares' | 'usd';
}

export const DEFAULT_EXCHANGE: ExchangeSettings = { startingUsd: 1000, feePaidIn: 'shares' };

export interface SimulatedExchange {
  handle: ExchangeHandler;
  openUserChannel: UserChannel['open'];
  /** The public book: the crowd's quotes and users' orders. */
  readBook(ref: MarketRef, nowTs: number): TokenBook & { isTouched: boolean };
  market(tokenId: string, nowTs: number): ExchangeMarket | null;
  printsBetween(ref: MarketRef, fromTs: number, toTs: number): TapePrint[];
  advance(nowTs: number): void;
  readonly core: Exchange;
  readonly wallets: ExchangeWallets;
  readonly markets: MarketDirectory;
  /** The chain's JSON-RPC, and the relayer. */
  readonly polygon: ReturnType<typeof createPolygonRpc>;
  readonly relayer: ReturnType<typeof createRelayerApi>;
}

export function openSimulatedExchange(state: SimulatorState, settings: ExchangeSettings): SimulatedExchange {
  const markets = createSimulatedMarkets(state);
  const instants = () => [state.now(), systemClock.now()];
  const credentials = createCredentials({ seedKey: state.seedKey, nowTs: instants });
  const channel = createUserChannel({ credentials, faults: state.faults, now: state.now });
  const tape: Tape = createTape(markets);
  const core = createExchange({
    seedKey: state.seedKey,
    markets,
    feePaidIn: settings.feePaidIn,
    willFail: (ts) => state.faults.hits('exchange-trade-fails', ts),
    onEvent: channel.publish,
    onPrint: tape.add,
  });
  const wallets = createExchangeWallets(core, settings.startingUsd, state.now);
  const context: ExchangeContext = {
    exchange: core,
    credentials,
    markets,
    faults: state.faults,
    wallets,
    now: state.now,
    instants,
    pause: (ms) => sleep(state.clock, ms),
  };
  return {
    handle: createExchangeApi(context),
    openUserChannel: channel.open,
    readBook(ref, nowTs) {
      const shown = readTokenBook(state, ref, nowTs);
      const levels = shown.price.closedTs === null ? core.levels(ref.market.conditionId, nowTs) : null;
      if (!levels) return { ...shown, isTouched: false };
      const [bids, asks] = levels.map((side) => side.map((level) => toShown(level, ref.side)));
      const book = ref.side === 0 ? { bids: bids!, asks: asks! } : { bids: asks!, asks: bids! };
      return { ...shown, book, isTouched: true };
    },
    market: markets.byToken,
    printsBetween: (ref, fromTs, toTs) =>
      tape.between(ref.market.conditionId, fromTs, toTs, core.isTouched(ref.market.conditionId, toTs)),
    advance(nowTs) {
      // The crowd's quotes depend on posts up to now, so draw those first.
      state.now();
      core.advance(nowTs);
    },
    core,
    wallets,
    markets,
    polygon: createPolygonRpc(context),
    relayer: createRelayerApi(context),
  };
}

function toShown({ pricePips, sizeMicro }: BookLevel, side: 0 | 1): CrowdLevel {
  const pips = side === 0 ? pricePips : flipPips(pricePips);
  return { price: pips / 10_000, shares: sizeMicro / MICRO };
}
