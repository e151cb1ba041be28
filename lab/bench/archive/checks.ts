// Comparisons between export and API in DuckDB SQL: "s" is the served row, "e" the exported row.

export type Pair = readonly [exported: string, answered: string];

interface Check {
  name: string;
  from: string;
  pairs: Readonly<Record<string, Pair>>;
}

const BOOK_PRICE = `if(bid <= 0.01 and ask >= 0.99 or bid is null or ask is null, last_trade_price,
  round((bid + ask) / 2, 6))`;

/** Keeps the last of several rows with the same time. */
const LAST_OF_EACH = `qualify row_number() over (partition by event_id, bucket, side, observed_ts
  order by file_row_number desc) = 1`;

const YES_PRICES = `select event_id, bucket, epoch_ms(observed_ts) as ts, market_price from prices where side = 'yes'`;
const YES_BOOKS = `select event_id, bucket, epoch_ms(observed_ts) as ts, epoch_ms(confirmed_ts) as confirmed,
  ${BOOK_PRICE} as market_price from books where side = 'yes' ${LAST_OF_EACH}`;
/**
 * Skips books that were not confirmed in the preceding 10 s: the bucket may have closed since.
 */
const IS_CONFIRMED = 's.ts - e.confirmed < 10_000';

const FORECASTS = `select *, epoch_ms(asof_ts) as ts, round(model_probability, 6) as model_prob from forecasts`;

/**
 * Without a midpoint or a trade the API shows the listed price, which the export includes only with
 * forecasts.
 */
const standingPrice = (
  prices: string,
  isComparable = 'true',
) => `from served_prices s asof left join (${prices}) e
  on s.event_id = e.event_id and s.bucket = e.bucket and e.ts <= s.ts
  where (e.market_price is not null or s.market_price is null) and ${isComparable}`;
const standingCount = (served: string, source: string) => `from ${served} s asof left join (
  select event_id, epoch_ms(observed_ts) as ts, count from counts where source = '${source}') e
  on s.event_id = e.event_id and e.ts <= s.ts`;

const POSTS = `select *, epoch_ms(created_ts) as created, epoch_ms(first_seen_ts) as first_seen,
  epoch_ms(deleted_ts) as deleted, epoch_ms(oracle_imported_ts) as oracle_imported from posts`;
const servedPosts = `from served_posts s left join (${POSTS}) e using (account_id, tweet_id)`;
/** Compares the posts in each response, except the oldest, with the posts seen by then in the export. */
const servedPages = `from (
    select ts, account_id, oldest, count(*) as posts from served_posts join (
      select ts, account_id, min(created_ts) as oldest from served_posts group by all
    ) using (ts, account_id) where created_ts > oldest group by all
  ) s left join lateral (
    select count(*) as posts from (${POSTS}) where account_id = s.account_id and created > s.oldest and first_seen <= s.ts
  ) e on true`;
const sightings = `from served_sightings s left join (${POSTS}) e using (tweet_id)`;
const points = `from served_points s full join (${FORECASTS}) e using (event_id, ts, bucket)`;
const forecastsNow = `from served_prices s join (${FORECASTS}) e
  on s.event_id = e.event_id and s.bucket = e.bucket and s.forecast_ts = e.ts`;

const same = (...columns: string[]) =>
  Object.fromEntries(columns.map((name): [string, Pair] => [name, [`e.${name}`, `s.${name}`]]));

function checkCount(name: string, served: string, source: string): Check {
  // Our own count is 0 before its first change.
  const exported = source === 'own' ? 'coalesce(e.count, 0)' : 'e.count';
  return { name, from: standingCount(served, source), pairs: { [source]: [exported, `s.${source}`] } };
}

/** Pairs of exported and served values to compare. */
export const CHECKS: readonly Check[] = [
  { name: 'hourly price, from prices', from: standingPrice(YES_PRICES), pairs: same('market_price') },
  {
    ...{ name: 'hourly price, from books', from: standingPrice(YES_BOOKS, IS_CONFIRMED) },
    pairs: same('market_price'),
  },
  ...['own', 'oracle', 'ui'].map((source) => checkCount('hourly count', 'served_counts', source)),
  ...['oracle', 'ui'].map((source) => checkCount('count in the history', 'served_points', source)),
  { name: 'hourly forecast', from: forecastsNow, pairs: same('p5', 'p50', 'p95', 'model_prob') },
  {
    ...{ name: 'forecast in the history', from: points },
    pairs: {
      ...same('p5', 'p50', 'p95', 'model_prob', 'market_price', 'model_version'),
      own: ['e.count_so_far', 's.own'],
    },
  },
  {
    ...{ name: 'hourly post', from: servedPosts },
    pairs: {
      created_ts: ['e.created', 's.created_ts'],
      ...same('is_reply', 'is_quote', 'is_retweet', 'is_counted'),
      'was seen': ['e.first_seen <= s.ts', 'true'],
      is_deleted: ['coalesce(e.deleted <= s.ts, false)', 's.is_deleted'],
    },
  },
  { name: 'hourly page of posts', from: servedPages, pairs: same('posts') },
  {
    ...{ name: 'post in a dossier', from: sightings },
    pairs: {
      created_ts: ['e.created', 's.created_ts'],
      first_seen_ts: ['e.first_seen', 's.first_seen_ts'],
      first_source: ['e.first_source', 's.first_source'],
      deleted_ts: ['e.deleted', 's.deleted_ts'],
      oracle_imported_ts: ['e.oracle_imported', 's.oracle_imported_ts'],
    },
  },
];
