// What a faster source is worth: trades at prices that contradict the count, by delay after the deciding post.

import { loadConfig } from '../config/config.ts';
import type { BucketRange, CountWindow } from '../domain/market-event.ts';
import { parseOracleCounts } from '../forecast/backtest/oracle-file.ts';
import { measureEvent } from '../jobs/trials/look-back.ts';
import { UsageError } from '../runtime/errors.ts';
import type { Store } from '../store/ports.ts';
import { createReader, PriceLineError } from '../trade/backtest/price-file.ts';
import { findBucket } from '../trade/sizing/outcome-cells.ts';
import {
  addWorths,
  listCountedTs,
  measureSpeedWorth,
  SPEED_DELAYS_S,
  type SpeedTrade,
  type SpeedWorth,
} from '../trade/speed-worth.ts';
import { parseBacktestOptions, readBacktestOptions } from './backtest-options.ts';
import type { Terminal } from './command.ts';
import { type FileAccess, readParsed, readPosts } from './files.ts';
import { withStore } from './open-configured-store.ts';
import { formatTable } from './text-table.ts';

export async function runFactsBacktest(
  args: readonly string[],
  io: FileAccess,
  terminal: Terminal,
): Promise<void> {
  const rows = args.includes('--trades') ? readFiles(args, io) : await readStore(args, terminal);
  if (rows.length === 0)
    throw new UsageError('No settled event with trades. Let the service read the venue first.');
  io.print('USD traded at prices that contradict the count, by seconds after the deciding post\n');
  io.print(
    formatTable(
      ['account', 'events', 'decided', 'overruled', ...SPEED_DELAYS_S.map((delayS) => `${delayS} s`)],
      rows.map(([account, { events, decided, overruled, usd }]) => [
        account,
        ...[events, decided, overruled],
        ...usd.map((value) => value.toFixed(2)),
      ]),
    ),
  );
}

type AccountRow = [account: string, worth: SpeedWorth];

function readFiles(args: readonly string[], io: FileAccess): AccountRow[] {
  const { accountId, postsFile, columns, oracleFile } = parseBacktestOptions(args);
  const posts = readPosts(io, postsFile, columns);
  const oracle = oracleFile ? readParsed(io, oracleFile, parseOracleCounts) : [];
  const finals = new Map(oracle.map(({ window, count }) => [`${window.startTs} ${window.endTs}`, count]));
  const events = readParsed(io, readBacktestOptions(args).trades!, parseTrades);
  const worths = events.map((event) => {
    const { startTs, endTs } = event.window;
    const countedTs = listCountedTs(posts, event.window);
    const final = finals.get(`${startTs} ${endTs}`) ?? countedTs.length;
    const winner = findBucket(event.buckets, final);
    return measureSpeedWorth({ ...event, countedTs, winner: winner < 0 ? null : winner });
  });
  return [[accountId, addWorths(worths)]];
}

async function readStore(args: readonly string[], terminal: Terminal): Promise<AccountRow[]> {
  const config = loadConfig(
    args.filter((arg) => arg !== '--facts'),
    terminal.env,
    'store',
  );
  if (config.rest.length > 0) throw new UsageError(`unexpected argument "${config.rest[0]}"`);
  return withStore(config, async (store) => {
    const byAccount = new Map<string, SpeedWorth[]>();
    for (const { eventId, isWhole } of await store.past.listTraded()) {
      const measured = isWhole ? await measureStored(store, eventId) : null;
      if (measured) byAccount.set(measured[0], [...(byAccount.get(measured[0]) ?? []), measured[1]]);
    }
    return [...byAccount].map(([account, worths]): AccountRow => [account, addWorths(worths)]);
  });
}

async function measureStored(store: Store, eventId: number): Promise<AccountRow | null> {
  const event = await store.events.find(eventId);
  const [settlement] = await store.settlements.latest([eventId]);
  if (!event || !settlement || event.terms) return null;
  const posts = await store.posts.listTimes(event.accountId, event.window.startTs);
  const worth = await measureEvent(store, event, settlement, posts);
  return worth && [event.accountId, worth];
}

// Parses a file of past trades: ts, start_ts, end_ts, lo, hi, side (yes or no), price, shares; one line per trade.
// `price` is that of the traded side.

const TRADE_COLUMNS = ['ts', 'start_ts', 'end_ts', 'lo', 'hi', 'side', 'price', 'shares'];

interface PastTrading {
  window: CountWindow;
  /** Buckets with a trade, ascending. */
  buckets: BucketRange[];
  trades: SpeedTrade[];
}

interface TradeLine extends Omit<SpeedTrade, 'bucket'> {
  window: CountWindow;
  range: BucketRange;
}

function parseTrades(text: string): PastTrading[] {
  const [header = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const columns = header.split(',').map((name) => name.trim().toLowerCase());
  const missing = TRADE_COLUMNS.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw new PriceLineError(1, `missing column ${missing.join(', ')}`, 'trades');
  const parsed = lines.flatMap((line, i) => (line.trim() === '' ? [] : [parseLine(columns, line, i + 2)]));
  const events = Map.groupBy(parsed, ({ window }) => `${window.startTs} ${window.endTs}`);
  return [...events.values()].map(toTrading);
}

function parseLine(columns: readonly string[], line: string, lineNumber: number): TradeLine {
  const read = createReader(columns, line, lineNumber, 'trades');
  const side = read.text('side').toLowerCase();
  if (side !== 'yes' && side !== 'no')
    throw new PriceLineError(lineNumber, 'side is not yes or no', 'trades');
  const shares = read.optional('shares') ?? 0;
  if (!(shares > 0)) throw new PriceLineError(lineNumber, 'shares is not a positive number', 'trades');
  return {
    ts: read.integer('ts'),
    window: { startTs: read.integer('start_ts'), endTs: read.integer('end_ts') },
    range: { lo: read.integer('lo'), hi: read.optional('hi') },
    side,
    price: read.price('price'),
    shares,
  };
}

function toTrading(lines: readonly TradeLine[]): PastTrading {
  const ranges = new Map(lines.map(({ range }) => [range.lo, range]));
  const buckets = [...ranges.values()].sort((a, b) => a.lo - b.lo);
  const trades = lines
    .map(({ range, ts, side, price, shares }) => ({
      ...{ ts, side, price, shares },
      bucket: buckets.findIndex(({ lo }) => lo === range.lo),
    }))
    .sort((a, b) => a.ts - b.ts);
  return { window: lines[0]!.window, buckets, trades };
}
