// Places a manual paper order: resolves it through the service and queues it in the running trader's journal.

import { setTimeout as pause } from 'node:timers/promises';
import type { Tallycast } from '../../../packages/client-js/src/index.ts';
import { MICRO, PIPS, sharesMicroFor, toPips, usdMicroFor } from '../../domain/units.ts';
import { UsageError } from '../../runtime/errors.ts';
import type { HandRequest } from '../../trading/journal/hand-orders.ts';
import type { Journal } from '../../trading/journal/journal.ts';
import { readBook } from '../../trading/venue/polymarket/wire.ts';
import { readNumberWithin, readPositive, readWhole, required } from '../arguments.ts';
import { FAILED, note, print, type Terminal } from '../command.ts';
import { askOnce } from './await-service.ts';
import { openTradingJournal } from './manage.ts';
import type { TradeValues } from './options.ts';
import { createClient, readAdviceUrl, readPlace } from './place.ts';

const DEFAULT_USD = '5';
const POLL_MS = 200;
/** The trader runs a cycle every second. */
const ANSWER_MS = 20_000;
/** The paper latency plus two trader cycles. */
const FILL_MS = 6_000;

export async function buyByHand(
  [event, bucket]: readonly string[],
  values: TradeValues,
  terminal: Terminal,
): Promise<number | undefined> {
  if (values.live === true)
    throw new UsageError('buy only places paper orders; live orders always follow the advice');
  const eventId = readWhole('EVENT', required(event, 'EVENT'));
  const wanted = { eventId, bucket: required(bucket, 'BUCKET'), outcome: readSide(values.side) };
  const usd = readPositive('--usd', String(values.usd ?? DEFAULT_USD));
  const journal = openTradingJournal(values);
  try {
    const request = await askOnce(readAdviceUrl(values, terminal), () =>
      makeHandRequest(wanted, usd, values, terminal),
    );
    return await follow(request, journal, values, terminal);
  } finally {
    journal.close();
  }
}

function readSide(given: TradeValues['side'] = 'yes'): 'Yes' | 'No' {
  if (given !== 'yes' && given !== 'no') throw new UsageError(`--side: "${given}" is not yes or no`);
  return given === 'yes' ? 'Yes' : 'No';
}

async function follow(request: HandRequest, journal: Journal, values: TradeValues, terminal: Terminal) {
  const id = journal.handOrders.add(request, terminal.clock.now());
  await poll(ANSWER_MS, () => journal.handOrders.find(id)?.state !== 'waiting');
  journal.handOrders.answer(id, { state: 'withdrawn', detail: '' });
  const { state, detail } = journal.handOrders.find(id)!;
  if (state === 'withdrawn') {
    note(terminal, 'No trader is running. Start one with npx tallycast trade, then repeat this command.');
    return FAILED;
  }
  if (state === 'refused') {
    note(terminal, `not placed: ${detail}`);
    return FAILED;
  }
  await poll(FILL_MS, () => readOrder(values, detail).openMicro === 0);
  print(terminal, describeOrder(request, readOrder(values, detail)));
  return undefined;
}

/** Waits until the condition is true or the time is up. */
async function poll(patienceMs: number, isTrue: () => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs && !isTrue(); waitedMs += POLL_MS) await pause(POLL_MS);
}

interface OrderState {
  sizeMicro: number;
  openMicro: number;
  paidMicro: number;
}

/** Reopens the journal, because an open journal does not see another process's changes. */
function readOrder(values: TradeValues, orderId: string): OrderState {
  const journal = openTradingJournal(values);
  const fills = journal.fills().filter((fill) => fill.orderId === orderId);
  const sizeMicro = journal.findIntent(orderId)?.sizeMicro ?? 0;
  journal.close();
  const filledMicro = fills.reduce((sum, fill) => sum + fill.sizeMicro, 0);
  const paidMicro = fills.reduce((sum, fill) => sum + usdMicroFor(fill.sizeMicro, fill.pricePips), 0);
  return { sizeMicro, openMicro: sizeMicro - filledMicro, paidMicro };
}

function describeOrder(request: HandRequest, { sizeMicro, openMicro, paidMicro }: OrderState): string {
  const { outcome, bucket, limitPips } = request;
  const shares = (micro: number) => String(micro / MICRO);
  const order = `paper order: buy ${shares(sizeMicro)} ${outcome} of ${bucket} at ${limitPips / PIPS} or less`;
  const filledMicro = sizeMicro - openMicro;
  const filled =
    filledMicro === 0
      ? 'nothing filled yet'
      : `filled ${shares(filledMicro)} for ${(paidMicro / MICRO).toFixed(2)} USD`;
  return [order, filled, ...(openMicro > 0 ? [`${shares(openMicro)} waiting on the book`] : [])].join('; ');
}

const TRADED_VENUE = 'market';
const TIMEOUT_MS = 4_000;

type Wanted = Pick<HandRequest, 'eventId' | 'bucket' | 'outcome'>;

async function makeHandRequest(
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
