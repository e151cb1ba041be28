// Converts API responses to table rows, for comparison with exported rows.

import type { Ask } from './record-days.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Columns of each table, with DuckDB types. */
export const ANSWER_TABLES = {
  served_prices:
    'ts bigint, event_id bigint, bucket varchar, market_price double, model_prob double, forecast_ts bigint, p5 double, p50 double, p95 double',
  served_counts: 'ts bigint, event_id bigint, own bigint, oracle bigint, ui bigint',
  served_posts:
    'ts bigint, account_id varchar, tweet_id varchar, created_ts bigint, is_reply boolean, is_quote boolean, is_retweet boolean, is_counted boolean, is_deleted boolean',
  served_points:
    'event_id bigint, ts bigint, bucket varchar, own bigint, p5 double, p50 double, p95 double, model_prob double, market_price double, model_version varchar, oracle bigint, ui bigint',
  served_sightings:
    'tweet_id varchar, created_ts bigint, first_seen_ts bigint, first_source varchar, deleted_ts bigint, oracle_imported_ts bigint',
} as const;

export type Answers = Partial<Record<keyof typeof ANSWER_TABLES, readonly Row[]>>;

const ACCOUNTS = { a: 'account_a', b: 'account_b' };
const NEWEST_POSTS = 100;

interface Prediction {
  event_id: number;
  real_counter: number;
  market_oracle_counter: number | null;
  market_ui_counter: number | null;
  feeds: { forecast: { updated_ts: number | null } };
  forecast: { p5: number; p50: number; p95: number } | null;
  markets: { title: string; market_price: number | null; model_prob: number | null }[];
}

/** Prices, counts, forecasts and the newest posts at one instant. */
export async function readInstant(ask: Ask, ts: number): Promise<Answers> {
  const answers = { served_prices: [] as Row[], served_counts: [] as Row[], served_posts: [] as Row[] };
  for (const [account_id, segment] of Object.entries(ACCOUNTS)) {
    const predictions = await ask<{ data: Prediction[] }>(`/prediction/${segment}`);
    for (const event of predictions.data) {
      const { event_id, real_counter: own, market_oracle_counter: oracle, market_ui_counter: ui } = event;
      const { p5, p50, p95 } = event.forecast ?? {};
      const forecast = { forecast_ts: event.feeds.forecast.updated_ts, p5, p50, p95 };
      answers.served_counts.push({ ts, event_id, own, oracle, ui });
      for (const { title: bucket, market_price, model_prob } of event.markets)
        answers.served_prices.push({ ts, event_id, bucket, market_price, model_prob, ...forecast });
    }
    const posts = await ask<{ data: Row[] }>(`/meta/${segment}/tweets?limit=${NEWEST_POSTS}`);
    answers.served_posts.push(...posts.data.map(({ text: _, ...post }) => ({ ts, account_id, ...post })));
  }
  return answers;
}

interface PastEvent {
  event_id: number;
  buckets: { bucket: string }[];
}

interface Point {
  timestamp: number;
  real_counter: number;
  market_oracle_counter: number | null;
  market_ui_counter: number | null;
  market_prices: (number | null)[];
  forecast: { p5: number; p50: number; p95: number };
  model_probs: number[];
  model_version: string;
}

interface Cursor {
  next_cursor: string | null;
}

const fromEventPage = (page: Cursor & { data: PastEvent[] }): [PastEvent[], string | null] => [
  page.data,
  page.next_cursor,
];
const fromCoursePage = ({ data }: { data: Cursor & { points: Point[] } }): [Point[], string | null] => [
  data.points,
  data.next_cursor,
];

/** Reads every event's history and dossier. */
export async function readPast(ask: Ask): Promise<Answers> {
  const answers = { served_points: [] as Row[], served_sightings: [] as Row[] };
  for (const segment of Object.values(ACCOUNTS)) {
    const events = await readAll(ask, `/history/${segment}/events?limit=100`, fromEventPage);
    for (const event of events) {
      const path = `/history/${segment}/${event.event_id}`;
      const points = await readAll(ask, `${path}?step=all&limit=1000`, fromCoursePage);
      answers.served_points.push(...points.flatMap((point) => toRows(event, point)));
      const { data } = await ask<{ data: { dossier: { posts: Row[] } } }>(`${path}/dossier`);
      answers.served_sightings.push(...data.dossier.posts);
    }
  }
  return answers;
}

function toRows({ event_id, buckets }: PastEvent, point: Point): Row[] {
  const { timestamp: ts, forecast, real_counter: own, model_version } = point;
  const { market_oracle_counter: oracle, market_ui_counter: ui } = point;
  return buckets.map(({ bucket }, i) => ({
    ...{ event_id, ts, bucket, own, oracle, ui, ...forecast, model_version },
    ...{ model_prob: point.model_probs[i], market_price: point.market_prices[i] },
  }));
}

/** `read` returns a page's rows and the cursor of the next page. */
async function readAll<Page, T>(
  ask: Ask,
  path: string,
  read: (page: Page) => [readonly T[], string | null],
): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const [rows, next]: [readonly T[], string | null] = read(
      await ask<Page>(`${path}${cursor && `&cursor=${cursor}`}`),
    );
    all.push(...rows);
    cursor = next;
  }
  return all;
}
