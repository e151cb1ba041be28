// One sentence for every tool's result, in the words a person would use: cents, percent, and times with their
// zone. It comes before the data, because many agents answer from it alone.

import { DAY_MS, HOUR_MS, MINUTE_MS, plural } from '../../domain/units.ts';
import { centsSign, percent } from '../../trade/advice/reasons.ts';
import type { Asked, Json } from './short-answers.ts';

/** Describes the route's whole response, before it is shortened. */
export type Summary = (body: Json, asked: Asked) => string;

/** Rows of any response; each summary reads the fields that its own route has. */
// biome-ignore lint/suspicious/noExplicitAny: responses of all routes pass through here; tests read each one
type Row = any;

/** The market's zone, in which contracts state their windows. */
const ZONE = 'America/New_York';
const MAX_NAMED = 3;
/** Accounts usually have four or five open events. */
const MAX_EVENTS = 6;
const DAYS_NAMED = 7;

const dayTime = new Intl.DateTimeFormat('en-US', {
  ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  hourCycle: 'h23',
  ...{ timeZone: ZONE, timeZoneName: 'short' },
});

/** "Tue, Nov 17, 09:56 EST". */
function writeTime(ts: number): string {
  return dayTime.format(ts);
}

function writeLength(ms: number): string {
  const abs = Math.abs(ms);
  if (abs < 90 * 1_000) return `${Math.round(abs / 1_000)} seconds`;
  if (abs < 90 * MINUTE_MS) return `${Math.round(abs / MINUTE_MS)} minutes`;
  return abs < 2 * DAY_MS ? `${Math.round(abs / HOUR_MS)} hours` : `${Math.round(abs / DAY_MS)} days`;
}

/** "3 minutes ago (Tue, Nov 17, 09:56 EST)". */
function writeMoment(ts: number, nowTs: number): string {
  const length = writeLength(nowTs - ts);
  return `${ts > nowTs ? `in ${length}` : `${length} ago`} (${writeTime(ts)})`;
}

function usd(amount: number): string {
  return `${amount.toFixed(2)} USD`;
}

/** "a; b; c; and 2 more". */
function listSome(texts: readonly string[], most = MAX_NAMED): string {
  const rest = texts.length - most;
  return rest > 0 ? `${texts.slice(0, most).join('; ')}; and ${rest} more` : texts.join('; ');
}

/** Reasons for missing advice start with "no advice: ". */
function withoutPrefix(reason: string): string {
  return reason.replace(/^no advice: /, '');
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function rowsOf({ data }: Json, { event_id }: Asked): Row[] {
  const rows = (Array.isArray(data) ? data : []) as Row[];
  const idOf = (row: Row) => row.event_id ?? row.event?.id;
  return rows.filter((row) => event_id === undefined || Number(idOf(row)) === event_id);
}

const nowOf = ({ timestamp }: Json) => Number(timestamp);
const titleOf = (row: Row): string => row.event_title ?? row.event?.title ?? `event ${row.event_id}`;

/** Says which feeds of which events are stale, because numbers from them cannot be relied on. */
function warnStale(rows: readonly Row[]): string {
  const stale = rows.flatMap((row) => {
    // Not every market page shows a count.
    const isShown = (name: string) => name !== 'ui' || row.market_ui_counter != null;
    const names = Object.keys(row.feeds ?? {}).filter((name) => row.feeds[name]?.stale && isShown(name));
    return names.length === 0 ? [] : [`${titleOf(row)} (${names.join(', ')})`];
  });
  return stale.length === 0 ? '' : ` Stale or incomplete feeds: ${listSome(stale)}.`;
}

const describeTrades: Summary = (body, asked) => {
  const isAsked = (row: Row) =>
    (asked.account === undefined || row.account === asked.account) &&
    (asked.event_id === undefined || row.event_id === asked.event_id);
  const trades = ((body.data ?? []) as Row[]).filter(isAsked);
  const disagreement = body.disagreement as Row;
  const blind = ((body.blind ?? []) as Row[]).filter(isAsked);
  const silent =
    blind.length === 0
      ? ''
      : ` No advice on ${plural(blind.length, 'event')}, first ${titleOf(blind[0])}: ${withoutPrefix(blind[0].reason)}.`;
  if (trades.length > 0) {
    const [best] = trades;
    const more = trades.length > 1 ? `; ${plural(trades.length - 1, 'more trade')} in the data` : '';
    const facts = `${best.event_title}, ends in ${writeLength(1_000 * best.seconds_remaining)}, stake ${usd(best.stake)}`;
    return `Yes, ${plural(trades.length, 'trade')} advised now for a bankroll of ${usd(Number(body.bankroll))}. Best: ${best.sentence} (${facts})${more}.${silent}`;
  }
  const none = `No, nothing to buy now: no trade is advised for a bankroll of ${usd(Number(body.bankroll))}.`;
  return `${none}${disagreement ? describeGap(disagreement, isAsked(disagreement)) : ''}${silent}`;
};

/** The largest of all events; of others, an agent asks for the signals. */
function describeGap({ event_title, sentence: text }: Row, isAsked: boolean): string {
  return isAsked
    ? ` Largest disagreement between model and market, in ${event_title}: ${sentence(text)}`
    : ' get_signals says why.';
}

const describeChanges: Summary = (body) => {
  const items = (body.data ?? []) as Row[];
  const nowTs = nowOf(body);
  const since = writeMoment(Number(body.since), nowTs);
  const [last] = (body.last_advice ?? []) as Row[];
  const advice = last
    ? ` Last advice, ${writeMoment(last.since_ts, nowTs)}, in ${last.event_title}: ${last.sentence}.`
    : '';
  if (items.length === 0) return `Nothing happened since ${since}.${advice}`;
  const counts = [...Map.groupBy(items, ({ kind }) => kind)].map(
    ([kind, some]) => `${some.length} ${KIND_WORDS[kind]?.[some.length === 1 ? 0 : 1] ?? kind}`,
  );
  const latest = items
    .slice(0, MAX_NAMED)
    .map(
      ({ timestamp, text, event_title, account }) =>
        `${writeMoment(timestamp, nowTs)} ${event_title ?? account}: ${text}`,
    );
  const more = Number(body.total) - items.length;
  const rest = more > 0 ? `, and ${more} earlier not listed` : '';
  return `Since ${since}: ${counts.join(', ')}${rest}. Latest: ${latest.join('; ')}.${advice}`;
};

const KIND_WORDS: Record<string, readonly [one: string, many: string]> = {
  advice: ['new piece of advice', 'new pieces of advice'],
  advice_ended: ['piece of advice ended', 'pieces of advice ended'],
  price_jump: ['price jump', 'price jumps'],
  counts_differ: ['count disagreement', 'count disagreements'],
  counts_agree: ['count disagreement resolved', 'count disagreements resolved'],
  settlement: ['settlement', 'settlements'],
};

const describeCounters: Summary = (body, asked) => {
  const rows = rowsOf(body, asked);
  if (rows.length === 0)
    return `${asked.account} has no open event${asked.event_id ? ` ${asked.event_id}` : ''}.`;
  const named = rows.map((row) => {
    const { real_counter: real, market_oracle_counter: oracle, market_ui_counter: page, end_ts } = row;
    const shown = page == null ? '' : `, market page ${page}`;
    return `${titleOf(row)}: our count ${real ?? 'unknown'}, oracle ${oracle ?? 'unknown'}${shown}, ends ${writeMoment(end_ts, nowOf(body))}`;
  });
  return `${plural(rows.length, 'open event')} of ${asked.account}. ${listSome(named, MAX_EVENTS)}.${warnStale(rows)}`;
};

const describePosts: Summary = (body, asked) => {
  const [latest, ...rest] = (body.data ?? []) as Row[];
  if (!latest) return `${asked.account} has no posts in this range.`;
  const counted = latest.is_counted === null ? '' : latest.is_counted ? ', counted' : ', not counted';
  const text = latest.text ? `: "${latest.text.slice(0, 100)}"` : '';
  const more =
    rest.length === 0
      ? ''
      : ` ${plural(rest.length, 'earlier post')} back to ${writeTime(rest.at(-1).created_ts)}.`;
  return `Latest post of ${asked.account} ${writeMoment(latest.created_ts, nowOf(body))}${counted}${text}.${more}`;
};

const describeHours: Summary = (body, asked) => {
  const named = rowsOf(body, asked).map((row) => {
    const { hours } = row;
    const sum = (some: Row[]) => some.reduce((total, hour) => total + hour.counted, 0);
    const lastDay = hours.length > 24 ? `${sum(hours.slice(-24))} in the last 24 hours, ` : '';
    return `${titleOf(row)}: ${lastDay}${sum(hours)} in the ${plural(hours.length, 'hour')} of its window so far`;
  });
  return named.length === 0
    ? 'No open events.'
    : `Counted posts of ${asked.account}: ${listSome(named, MAX_EVENTS)}. By day: ${describeDays(rowsOf(body, asked))}.`;
};

/** The last days of the event with the most days; its first and the current day may be incomplete. */
function describeDays(rows: readonly Row[]): string {
  const longest = rows.reduce((best, row) => (row.days.length > best.days.length ? row : best));
  return longest.days
    .slice(-DAYS_NAMED)
    .map(({ date, counted }: Row) => `${date} ${counted}`)
    .join(', ');
}

const describeForecast: Summary = (body, asked) => {
  const rows = rowsOf(body, asked);
  const named = rows.map((row) => {
    const { real_counter, seconds_remaining, forecast, markets } = row;
    const start = `${titleOf(row)}, ${real_counter ?? 'unknown'} so far, ${writeLength(1_000 * seconds_remaining)} left`;
    const probability = (market: Row) => market.model_prob ?? market.market_price ?? 0;
    const likely = [...markets].sort((a, b) => probability(b) - probability(a))[0];
    const price = likely?.market_price == null ? '' : `, market ${centsSign(likely.market_price)}`;
    if (!forecast) return `${start}${likely ? `, market favourite ${likely.title}${price}` : ''}`;
    return `${start}: median final count ${forecast.p50}, with 90% probability ${forecast.p5} to ${forecast.p95}; most likely bucket ${likely.title}, model ${percent(probability(likely))}${price}`;
  });
  return named.length === 0
    ? 'No open events.'
    : `Forecast for ${asked.account}: ${listSome(named, MAX_EVENTS)}.${warnStale(rows)}`;
};

/** For signals, ladders and what-ifs: the advised buckets, or why there are none. */
function describeAdviceIn(rows: readonly Row[], disagreement?: string | null): string {
  const advised = rows.filter(({ advice }) => advice && advice.verdict !== 'NOTHING');
  if (advised.length > 0) return listSome(advised.map(({ advice }) => advice.sentence));
  if (disagreement) return `no trade. Largest disagreement: ${disagreement.replace(/\.$/, '')}`;
  const best = [...rows].sort((a, b) => Math.abs(b.edge ?? 0) - Math.abs(a.edge ?? 0))[0];
  if (!best) return 'no advice';
  return `no trade; ${best.bucket} differs most, model ${percent(best.model_prob)}, market ${centsSign(best.market_price ?? 0)}: ${best.advice?.abstain_reason ?? 'not advised'}`;
}

const describeSignals =
  (list: 'signals' | 'rows'): Summary =>
  (body, asked) => {
    const rows = rowsOf(body, asked);
    if (rows.length === 0) return `No advice: ${asked.account} has no such open event.`;
    const named = rows.map((row) => `${titleOf(row)}: ${describeAdviceIn(row[list], row.disagreement)}`);
    return `Advice for ${asked.account}. ${listSome(named)}.${warnStale(rows)}`;
  };

const describeWhatIf: Summary = ({ data }) => {
  const { forecast, published, ladder } = data as Row;
  return `Under this assumption, the final count of ${titleOf(ladder)} is ${forecast.p50}, with 90% probability ${forecast.p5} to ${forecast.p95}; without it ${published.p50}, ${published.p5} to ${published.p95}. Advice would be: ${describeAdviceIn(ladder.rows)}.`;
};

const describeResult = (row: Row): string =>
  row.settlement
    ? `settled at ${row.settlement.final_count} on ${writeTime(row.settlement.settled_ts)}, ${row.settlement.winning_bucket ?? 'no bucket'} won`
    : `not settled, ends ${writeTime(row.end_ts)}`;

const describePast: Summary = (body, asked) => {
  const rows = rowsOf(body, asked);
  if (rows.length === 0) return `No events of ${asked.account}.`;
  const settled = rows.filter(({ settlement }) => settlement);
  const named = settled.map((row) => `${titleOf(row)}: ${describeResult(row)}`);
  const count = `${plural(rows.length, 'event')} of ${asked.account}, ${settled.length} settled`;
  return named.length === 0 ? `${count}.` : `${count}. Latest: ${listSome(named)}.`;
};

const describeCourse: Summary = ({ data }) => {
  const row = data as Row;
  const last = row.points.at(-1);
  const count = last ? `, ${last.real_counter} posts at ${writeTime(last.timestamp)}` : '';
  const advice = (row.advice ?? []).map((one: Row) => `${writeTime(one.since_ts)} ${one.sentence}`);
  return `${titleOf(row)}: ${describeResult(row)}${count}. ${advice.length === 0 ? 'No advice was published.' : `Advice: ${listSome(advice)}.`}`;
};

const describePortfolio: Summary = (body, asked) => {
  const held = rowsOf(body, asked).filter(({ positions }) => positions.length > 0);
  if (held.length === 0) return 'This wallet has no positions in open events of the account.';
  const worth = (value: number, pnl: number) => `worth ${usd(value)}, profit ${usd(pnl)}`;
  const sum = (name: string) => held.reduce((total, { portfolio }) => total + portfolio[name], 0);
  const named = held.map(
    ({ event, positions, portfolio: { current_value, total_pnl } }) =>
      `${event?.title}: ${plural(positions.length, 'position')} ${worth(current_value, total_pnl)}`,
  );
  const all = `Positions in ${plural(held.length, 'open event')} of ${asked.account}`;
  return `${all} are ${worth(sum('current_value'), sum('total_pnl'))}. ${listSome(named, MAX_EVENTS)}.`;
};

const describePerformance: Summary = (body) => {
  const { median, sample_size } = body.error_24h as Row;
  const samples = body.win_rate_samples as Row;
  const bets = samples.HIGH + samples.MEDIUM + samples.LOW;
  const error =
    median === null
      ? 'No event has been scored yet'
      : `A day before the end, forecasts (published, or recomputed later for past events) missed the final count by ${percent(median / 100)} in the median of ${plural(sample_size, 'event')}`;
  return `${error}; ${bets === 0 ? 'no recorded signal has settled' : `${plural(bets, 'signal')} settled`}.`;
};

const describeLedger: Summary = (body) => {
  const { summary, data, recomputed } = body as { summary: Row; data: Row[]; recomputed: Row };
  const open = data.filter(({ won }) => won === null).length;
  const settled =
    summary.bets === 0
      ? 'No paper trade has settled yet'
      : `${plural(summary.bets, 'settled paper trade')}: ${describeProfit(summary)}`;
  const past =
    recomputed.events === 0
      ? ''
      : ` Recomputed, never published: in ${plural(recomputed.events, 'past event')}, ${plural(recomputed.summary.bets, 'trade')} would have been advised: ${describeProfit(recomputed.summary)}.`;
  return `${settled}; ${open} open.${past}`;
};

function describeProfit({ pnl, staked, return_low: low, return_high: high }: Row): string {
  const range = low === null ? '' : `, 90% interval of the return ${percent(low)} to ${percent(high)}`;
  return `profit ${usd(pnl)} on ${usd(staked)} staked${range}`;
}

const describeAlerts: Summary = (body) => {
  const alerts = (body.data ?? []) as Row[];
  const [latest] = alerts;
  return latest ? `${plural(alerts.length, 'alert')}, latest: ${latest.title}. ${latest.text}` : 'No alerts.';
};

const describeRules: Summary = (body) => {
  const rules = (body.data ?? []) as Row[];
  return rules.length === 0
    ? 'No alert rules.'
    : `${plural(rules.length, 'alert rule')}: ${listSome(rules.map(({ kind }) => kind))}.`;
};

const describeHealth: Summary = ({ status, problems, feeds }) => {
  const stale = Object.entries(feeds as Record<string, Record<string, Row>>).flatMap(([account, named]) =>
    Object.keys(named)
      .filter((feed) => named[feed]?.stale)
      .map((feed) => `${account} ${feed}`),
  );
  const faults = [
    ...(problems as string[]),
    ...(stale.length > 0 ? [`stale feeds: ${stale.join(', ')}`] : []),
  ];
  return `The service is ${status}${faults.length === 0 ? '; all feeds are fresh' : `: ${listSome(faults)}`}.`;
};

/** One for each tool. */
export const SUMMARIES = {
  what_to_trade: describeTrades,
  what_changed: describeChanges,
  get_counters: describeCounters,
  get_posts: describePosts,
  get_hourly: describeHours,
  get_forecast: describeForecast,
  get_signals: describeSignals('signals'),
  get_ladder: describeSignals('rows'),
  what_if: describeWhatIf,
  get_past_events: describePast,
  get_event_history: describeCourse,
  get_portfolio: describePortfolio,
  get_performance: describePerformance,
  get_paper_ledger: describeLedger,
  get_alerts: describeAlerts,
  get_alert_rules: describeRules,
  get_health: describeHealth,
} as const satisfies Record<string, Summary>;
