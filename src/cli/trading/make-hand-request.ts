// Resolves a manual order: token and probability come from the service, the best offer from the exchange.

import type { Tallycast } from '../../../packages/client-js/src/index.ts';
import { MICRO, sharesMicroFor, toPips } from '../../domain/micro-units.ts';
import { UsageError } from '../../runtime/errors.ts';
import type { HandRequest } from '../../trading/journal/hand-orders.ts';
import { readBook } from '../../trading/venue/polymarket/wire.ts';
import { readNumberWithin } from '../arguments.ts';
import type { Terminal } from '../command.ts';
import type { TradeValues } from './options.ts';
import { createClient, readPlace } from './place.ts';

const TRADED_VENUE = 'market';
const TIMEOUT_MS = 4_000;

type Wanted = Pick<HandRequest, 'eventId' | 'bucket' | 'outcome'>;

export async function makeHandRequest(
  wanted: Wanted,
  usd: number,
  values: TradeValues,
  terminal: Terminal,
): Promise<HandRequest> {
  const client = createClient(values, terminal);
  const { url } = await readPlace(client, values, false, terminal.clock);
  const { account, endTs, yesTokenId, yesProbability } = await findBucket(client, wanted);
  const isYes = wanted.outcome === 'Yes';
  const tokenId = isYes ? yesTokenId : await findOtherToken(url, yesTokenId);
  const limitPips =
    values.limit === undefined
      ? await readBestOffer(url, tokenId)
      : toPips(readNumberWithin('--limit', String(values.limit), 0.001, 0.999));
  return {
    ...wanted,
    account,
    tokenId,
    limitPips,
    sizeMicro: Math.floor(sharesMicroFor(usd * MICRO, limitPips) / MICRO) * MICRO,
    probability: isYes ? yesProbability : 1 - yesProbability,
    endTs,
  };
}

async function findBucket(client: Tallycast, { eventId, bucket }: Wanted) {
  const { accounts } = await client.config();
  for (const { segment } of accounts) {
    const { data } = await client.counters(segment);
    const event = data.find((record) => record.event_id === eventId);
    if (!event) continue;
    if ((event.venue ?? TRADED_VENUE) !== TRADED_VENUE)
      throw new UsageError(`event ${eventId} is listed on ${event.venue}, where this trader cannot trade`);
    const [ladder] = (await client.ladder(segment, { event_id: eventId })).data;
    const rows = ladder?.rows ?? [];
    const row = rows.find((one) => one.bucket === bucket);
    if (!row)
      throw new UsageError(
        `unknown bucket "${bucket}"; choose one of: ${rows.map((one) => one.bucket).join(', ')}`,
      );
    const found = { account: segment, endTs: event.end_ts, yesTokenId: row.token_id };
    return { ...found, yesProbability: row.belief_prob };
  }
  throw new UsageError(`no active event ${eventId}; run npx tallycast events to list active events`);
}

async function findOtherToken(url: string, tokenId: string): Promise<string> {
  const found = await get(url, `/markets-by-token/${tokenId}`);
  return (found as { secondary_token_id: string }).secondary_token_id;
}

async function readBestOffer(url: string, tokenId: string): Promise<number> {
  const book = readBook(await get(url, `/book?token_id=${tokenId}`));
  if (!book.asks[0]) throw new UsageError('there are no offers; pass --limit to place a resting order');
  return book.asks[0].pricePips;
}

async function get(url: string, path: string): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new UsageError(`the exchange returned ${response.status} for ${path}`);
  return response.json();
}
