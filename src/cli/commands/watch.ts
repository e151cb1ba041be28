// Shows the accounts' live streams.

import type { Schemas, StreamEvent, Tallycast } from '../../../packages/client-js/src/index.ts';
import { errorMessage } from '../../runtime/errors.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import { readPositive } from '../arguments.ts';
import { ASK_OPTIONS_HELP, createAsk } from '../ask.ts';
import { note as printNote, type Terminal } from '../command.ts';
import { describeLastAdvice, eventTable, withTerms } from '../describe.ts';
import { formatShare, toPrintable } from '../text-table.ts';

export const usage = `usage: npx tallycast watch [options]

Show counters, posts, forecasts, prices, and what happened (advice, price jumps, counts that disagreed) live. A terminal is redrawn in place; a pipe gets one line per message.

${ASK_OPTIONS_HELP} (one message per line)
  --count N     exit after N messages

examples:
  npx tallycast watch
  npx tallycast watch --account a --json | jq -c 'select(.event == "post") | .data'`;

export const run = createAsk({ count: { type: 'string' } }, async (asking, terminal) => {
  const { count } = asking.own;
  const most = typeof count === 'string' ? readPositive('--count', count) : undefined;
  await watch({ ...asking, count: most }, terminal);
  return undefined;
});

interface WatchRequest {
  client: Tallycast;
  accounts: readonly string[];
  isJson: boolean;
  count: number | undefined;
}

const NEWS_KEPT = 12;
const REDRAW_MS = 1_000;
const CLEAR_SCREEN = '\u001b[2J';
const HOME = '\u001b[H';
const CLEAR_LINE_END = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** Without PRO, calls are limited by the hour. */
const LOOK_MS = { pro: 5_000, public: 300_000 };
/** The stream brings these at once. */
const STREAMED: ReadonlySet<string> = new Set(['post', 'settlement']);

type Reported = StreamEvent & { account: string };
type Activity = Schemas['ActivityItem'];

async function watch(request: WatchRequest, io: Terminal): Promise<void> {
  const done = new AbortController();
  const signal = AbortSignal.any([io.stopSignal(), done.signal]);
  const view = request.isJson
    ? jsonView(io)
    : io.output.isTTY
      ? screenView(request.accounts, io)
      : lineView(io);
  let reported = 0;
  let lookMs = LOOK_MS.public;
  let since: string | undefined;
  const looking = createRepeat({
    clock: io.clock,
    pauseMs: () => lookMs,
    // The stream reports a service that is down.
    onError: () => {},
    async run() {
      const answer = await request.client.activity({ since: since ?? '1h', limit: 100 }, { signal });
      const isFirst = since === undefined;
      since = String(answer.next_since);
      const isShown = ({ account, kind }: Activity) =>
        request.accounts.includes(account) && !STREAMED.has(kind);
      view.happened(answer.data.filter(isShown).reverse(), describeLastAdvice(answer), isFirst);
    },
  });
  const follow = async (account: string) => {
    const onReconnect = (_pauseMs: number, error: unknown) => view.onGap(account, errorMessage(error));
    for await (const message of request.client.stream(account, { signal, onReconnect })) {
      view.report({ ...message, account });
      if (message.event === 'snapshot') {
        lookMs = message.data.tier === 'PRO' ? LOOK_MS.pro : LOOK_MS.public;
        void looking.start();
      }
      reported += 1;
      if (reported >= (request.count ?? Number.POSITIVE_INFINITY)) done.abort();
      if (signal.aborted) return;
    }
  };
  try {
    await Promise.all(request.accounts.map(follow));
  } finally {
    done.abort();
    await looking.stop();
    view.close();
  }
}

interface View {
  report(message: Reported): void;
  /** Earliest first; `lastAdvice` is empty if there was none. */
  happened(items: readonly Activity[], lastAdvice: string, isFirst: boolean): void;
  onGap(account: string, problem: string): void;
  close(): void;
}

function jsonView(io: Terminal): View {
  return {
    report: (message) => void io.output.write(`${JSON.stringify(message)}\n`),
    happened(items) {
      for (const data of items)
        io.output.write(`${JSON.stringify({ event: 'activity', data, account: data.account })}\n`);
    },
    onGap: (account, problem) => printNote(io, `${account}: connection lost (${problem}), reconnecting`),
    close() {},
  };
}

function lineView(io: Terminal): View {
  return {
    report(message) {
      for (const line of describeMessage(message))
        io.output.write(`${timeOf(io.clock.now())} ${message.account} ${line}\n`);
    },
    happened(items, lastAdvice, isFirst) {
      if (isFirst && lastAdvice !== '') io.output.write(`${lastAdvice}\n`);
      for (const item of items) io.output.write(`${describeActivity(item)}\n`);
    },
    onGap: (account, problem) => printNote(io, `${account}: connection lost (${problem}), reconnecting`),
    close() {},
  };
}

function screenView(accounts: readonly string[], io: Terminal): View {
  const counters = new Map<string, Map<number, Schemas['CountersRecord']>>();
  let news: string[] = [];
  let adviceLine = '';
  /** The service's time minus ours. */
  let aheadMs = 0;
  io.output.write(CLEAR_SCREEN);

  function draw(): void {
    const nowTs = io.clock.now() + aheadMs;
    const blocks = accounts.map((account) => {
      const records = [...(counters.get(account)?.values() ?? [])].filter(({ end_ts }) => end_ts > nowTs);
      return `${account}\n${eventTable(records, nowTs)}`;
    });
    const lines = [
      `tallycast  ${timeOf(nowTs)}  Ctrl-C: quit`,
      adviceLine,
      ...blocks.join('\n').split('\n'),
      ...news,
    ];
    const width = io.output.columns ?? 80;
    const shown = lines
      .slice(0, (io.output.rows ?? 24) - 1)
      .map((line) => line.slice(0, width) + CLEAR_LINE_END);
    io.output.write(`${HOME}${shown.join('\n')}\n${CLEAR_BELOW}`);
  }

  const drawing = createRepeat({ clock: io.clock, firstPauseMs: REDRAW_MS, pauseMs: REDRAW_MS, run: draw });
  void drawing.start();

  function note(line: string): void {
    news = [line, ...news].slice(0, NEWS_KEPT);
  }

  return {
    report(message) {
      if (message.event === 'snapshot') {
        aheadMs = message.data.timestamp - io.clock.now();
        counters.set(message.account, new Map(message.data.meta.map((record) => [record.event_id, record])));
      } else if (message.event === 'counters') {
        counters.get(message.account)?.set(message.data.event_id, message.data);
      }
      for (const line of describeMessage(message))
        note(`${timeOf(io.clock.now())} ${message.account} ${line}`);
      drawing.wake();
    },
    happened(items, lastAdvice) {
      adviceLine = lastAdvice;
      for (const item of items) note(describeActivity(item));
      drawing.wake();
    },
    onGap(account, problem) {
      note(`${timeOf(io.clock.now())} ${account} connection lost (${problem}), reconnecting`);
      drawing.wake();
    },
    close: () => void drawing.stop(),
  };
}

function describeActivity({ timestamp, account, kind, event_id, event_title, text }: Activity): string {
  return toPrintable(`${timeOf(timestamp)} ${account} ${kind} ${event_title || event_id || ''}: ${text}`);
}

/** Returns one line per item in a message. */
function describeMessage(message: StreamEvent): string[] {
  return describeParts(message).map(toPrintable);
}

function describeParts(message: StreamEvent): string[] {
  switch (message.event) {
    case 'snapshot': {
      const { meta } = message.data;
      const titleOf = withTerms(meta);
      return meta.map((record) => `event ${describeCounts(record)} | ${titleOf(record.event_title, record)}`);
    }
    case 'counters':
      return [`counters ${describeCounts(message.data)}`];
    case 'post':
      return [`post ${describePost(message.data)}`];
    case 'forecast': {
      const { event_id, forecast } = message.data;
      return forecast
        ? [`forecast ${event_id} p5 ${forecast.p5} p50 ${forecast.p50} p95 ${forecast.p95}`]
        : [];
    }
    case 'price':
      return [
        `price ${message.data.event_id} ${message.data.title} ${formatShare(message.data.market_price) ?? '-'}`,
      ];
    case 'feed':
      return [`feed ${message.data.feed} ${message.data.stale ? 'is stale' : 'is live'}`];
    case 'settlement':
      return [
        `settled ${message.data.event_id} at ${message.data.final_count} (${message.data.winning_bucket ?? '?'})`,
      ];
  }
}

function describeCounts(record: Schemas['CountersRecord']): string {
  const count = (value: number | null) => value ?? '-';
  const { real_counter_low: low, real_counter_high: high } = record;
  const bounds = low === undefined || high === undefined ? '' : ` (${low} to ${high})`;
  return `${record.event_id} own ${count(record.real_counter)}${bounds} oracle ${count(record.market_oracle_counter)} page ${count(record.market_ui_counter)}`;
}

function describePost(post: Schemas['PostRecord']): string {
  const kind = post.is_retweet ? 'repost' : post.is_quote ? 'quote' : post.is_reply ? 'reply' : 'original';
  const counted = post.is_counted === null ? '' : post.is_counted ? ', counted' : ', not counted';
  const deleted = post.is_deleted ? ', deleted' : '';
  return `${post.tweet_id} (${kind}${counted}${deleted}) ${post.text.slice(0, 100)}`;
}

function timeOf(ts: number): string {
  return new Date(ts).toISOString().slice(11, 19);
}
