// Places a manual paper order: resolves it through the service and queues it in the running trader's journal.

import { setTimeout as pause } from 'node:timers/promises';
import { MICRO, PIPS, usdMicroFor } from '../../domain/micro-units.ts';
import { UsageError } from '../../runtime/errors.ts';
import type { HandRequest } from '../../trading/journal/hand-orders.ts';
import type { Journal } from '../../trading/journal/journal.ts';
import { readPositive, readWhole, required } from '../arguments.ts';
import { FAILED, note, print, type Terminal } from '../command.ts';
import { askOnce } from './await-service.ts';
import { makeHandRequest } from './make-hand-request.ts';
import { openTradingJournal } from './manage.ts';
import type { TradeValues } from './options.ts';
import { readAdviceUrl } from './place.ts';

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
