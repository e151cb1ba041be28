// Formats the service's responses. Pure.

import { describeTerms, type Schemas, type Terms } from '../../packages/client-js/src/index.ts';
import { parseBucketLabel } from '../domain/bucket-label.ts';
import { formatDuration, formatShare, formatTable, formatUsd, toPrintable } from './text-table.ts';

const EVENT_COLUMNS = ['own', 'oracle', 'page', 'oracle vs. own', 'ends in'];

export function describeStatus(
  health: Schemas['Health'],
  accounts: Readonly<Record<string, Schemas['CountersRecord'][]>>,
): string {
  const feeds = Object.entries(health.feeds).flatMap(([account, named]) =>
    Object.entries(named as Record<string, Schemas['FeedAge']>).map(([feed, age]) => [
      account,
      feed,
      age.age_s === null ? 'never' : `${formatDuration(age.age_s)} ago`,
      age.incomplete ? 'incomplete' : age.stale ? 'stale' : 'ok',
    ]),
  );
  return [
    `${health.status}: tallycast ${health.version} (${health.commit})\n`,
    ...health.problems.map((problem) => `problem: ${toPrintable(problem)}\n`),
    '\n',
    formatTable(['account', 'feed', 'updated', ''], feeds),
    ...Object.entries(accounts).map(
      ([account, records]) => `\n${account}\n${eventTable(records, health.timestamp)}`,
    ),
  ].join('');
}

function eventTable(records: readonly Schemas['CountersRecord'][], nowTs: number): string {
  if (records.length === 0) return 'no active events\n';
  const areMixed = haveDifferentTerms(records);
  return formatTable(
    ['event', 'title', ...(areMixed ? ['venue and rule'] : []), ...EVENT_COLUMNS],
    records.map((record) => [
      record.event_id,
      record.event_title,
      ...(areMixed ? [describeTerms(record)] : []),
      record.real_counter,
      record.market_oracle_counter,
      record.market_ui_counter,
      describeDelta(record.settlement_delta),
      formatDuration((record.end_ts - nowTs) / 1000),
    ]),
  );
}

/** The same venue and rule on every line would say nothing. */
function haveDifferentTerms(records: readonly Terms[]): boolean {
  return new Set(records.map(describeTerms)).size > 1;
}

/** Returns a function that adds venue and rule to titles where the records differ. Older services omit both. */
export function withTerms<T extends Terms>(records: readonly T[]): (title: string, record: T) => string {
  if (!haveDifferentTerms(records)) return (title) => title;
  return (title, record) => (describeTerms(record) === '' ? title : `${title} (${describeTerms(record)})`);
}

function describeDelta(delta: number | null): string {
  if (delta === null) return 'unknown';
  if (delta === 0) return 'matches';
  return delta > 0 ? `${delta} behind` : `${-delta} ahead`;
}

export function describeForecasts(
  accounts: readonly string[],
  answers: readonly Schemas['PredictionAnswer'][],
  counters: readonly Schemas['MetaAnswer'][],
): string {
  return section(accounts, (i) => {
    const titleOf = withTerms(counters[i]!.data);
    const titles = new Map(
      counters[i]!.data.map((record) => [record.event_id, titleOf(record.event_title, record)]),
    );
    const blocks = answers[i]!.data.map((record) => forecastBlock(record, titles.get(record.event_id) ?? ''));
    return blocks.length === 0 ? 'no active events\n' : blocks.join('\n');
  });
}

function forecastBlock(record: Schemas['PredictionRecord'], title: string): string {
  const { forecast, markets } = record;
  const isPro = markets.some((market) => market.model_prob !== undefined);
  const range = forecast
    ? `p5 ${forecast.p5}  p50 ${forecast.p50}  p95 ${forecast.p95}`
    : isPro
      ? 'no forecast yet'
      : 'percentiles need PRO';
  const passed = markets.filter((market) => isPassed(market, record.real_counter));
  const rows = markets
    .filter((market) => !passed.includes(market))
    .map((market) => [
      market.title,
      formatShare(market.market_price),
      ...(isPro ? [formatShare(market.model_prob), formatShare(market.edge), market.signal ?? null] : []),
    ]);
  const header = isPro ? ['bucket', 'market', 'model', 'edge', 'signal'] : ['bucket', 'market'];
  const left =
    passed.length > 0 ? `passed: ${toPrintable(passed.map((market) => market.title).join(', '))}\n` : '';
  return `${record.event_id} ${toPrintable(title)}: ${record.real_counter ?? '-'} so far, ${range}\n${left}${formatTable(header, rows)}`;
}

/** The model keeps a passed bucket open while deleted posts can bring the count back into it. */
function isPassed(
  { title, model_prob }: Schemas['PredictionRecord']['markets'][number],
  count: number | null,
): boolean {
  const hi = parseBucketLabel(title)?.hi ?? null;
  return hi !== null && count !== null && hi < count && !model_prob;
}

/** What to do now, or why nothing; and the last advice with its outcome. */
export function describeToDo(
  now: Schemas['OpportunitiesAnswer'],
  activity: Schemas['ActivityAnswer'],
): string {
  const { disagreement, data } = now;
  const trades = data.map(({ event_title, sentence }) => `${event_title}: ${sentence}`);
  const gap = disagreement
    ? ` Largest disagreement, in ${disagreement.event_title}: ${disagreement.sentence}`
    : '';
  const lines = [...(trades.length > 0 ? trades : [`No trade now.${gap}`]), describeLastAdvice(activity)];
  return lines
    .filter((line) => line !== '')
    .map((line) => `${toPrintable(line)}\n`)
    .join('');
}

/** Empty if there was none. */
export function describeLastAdvice({ last_advice: [last], timestamp }: Schemas['ActivityAnswer']): string {
  if (!last) return '';
  const age = formatDuration((timestamp - last.since_ts) / 1000);
  return toPrintable(`Last advice, ${age} ago, in ${last.event_title}: ${last.sentence}`);
}

export function describeSignals(
  accounts: readonly string[],
  answers: readonly Schemas['SignalsAnswer'][],
): string {
  return section(accounts, (i) => {
    const titleOf = withTerms(answers[i]!.data);
    const blocks = answers[i]!.data.map(
      (record) =>
        `${record.event_id} ${toPrintable(titleOf(record.event_title, record))}\n${signalTable(record.signals)}`,
    );
    return blocks.length === 0 ? 'no signals\n' : blocks.join('\n');
  });
}

function signalTable(signals: readonly Schemas['Signal'][]): string {
  if (signals.length === 0) return 'no forecast yet\n';
  const [open, closed] = foldAlike(signals);
  const table = formatTable(
    ['bucket', 'market', 'model', 'blended', 'stake USD', 'advice'],
    open.map(({ bucket, advice, market_price, model_prob, belief_prob }) => [
      bucket,
      formatShare(market_price),
      formatShare(model_prob),
      formatShare(belief_prob),
      formatUsd(advice.stake),
      describeAdvice(advice),
    ]),
  );
  return `${table}${closed}`;
}

/** Buckets that no price would make a trade and that share a reason become one line. */
function foldAlike(signals: readonly Schemas['Signal'][]): [rest: Schemas['Signal'][], lines: string] {
  const idle = signals.filter(({ advice }) => advice.verdict === 'NOTHING' && advice.act_at_price === null);
  const groups = [...Map.groupBy(idle, ({ advice }) => advice.sentence)].filter(
    ([, some]) => some.length > 1,
  );
  const folded = new Set(groups.flatMap(([, some]) => some));
  const lines = groups.map(
    ([sentence, some]) => `${toPrintable(`${some.map(({ bucket }) => bucket).join(', ')}: ${sentence}`)}\n`,
  );
  return [signals.filter((signal) => !folded.has(signal)), lines.join('')];
}

export function describePortfolios(
  accounts: readonly string[],
  answers: readonly Schemas['PortfolioAnswer'][],
): string {
  return section(accounts, (i) => {
    const { data } = answers[i]!;
    const titleOf = withTerms(data.flatMap(({ event }) => event ?? []));
    const nameOf = ({ event }: Schemas['PortfolioRecord']) =>
      event ? `${event.id} ${toPrintable(titleOf(event.title, event))}` : 'no event';
    return data.map((record) => portfolioBlock(nameOf(record), record)).join('\n');
  });
}

function portfolioBlock(
  title: string,
  { positions, portfolio, message }: Schemas['PortfolioRecord'],
): string {
  if (positions.length === 0) return `${title}: ${message ?? 'no positions'}\n`;
  const total = `${portfolio.total_positions} positions, worth ${formatUsd(portfolio.current_value)}, profit ${formatUsd(portfolio.total_pnl)} USD`;
  const rows = positions.map((position) => [
    position.bucket,
    position.outcome,
    position.tokens,
    formatUsd(position.cost_basis),
    formatUsd(position.current_value),
    formatUsd(position.pnl),
    formatShare(position.analysis.win_probability),
    formatShare(position.analysis.edge),
    position.advice?.sentence ?? 'closed',
  ]);
  const header = ['bucket', 'side', 'shares', 'cost', 'value', 'profit', 'model', 'edge', 'advice'];
  return `${title}: ${total}\n${formatTable(header, rows)}`;
}

/** Combines the service's sentence with the price that would change the advice. */
function describeAdvice({ sentence, act_at_side: side, act_at_price: price }: Schemas['Advice']): string {
  if (side === null || price === null) return sentence;
  return `${sentence}; would buy ${side} at ${Number((price * 100).toFixed(1))}¢ or less`;
}

function section(accounts: readonly string[], describe: (index: number) => string): string {
  return accounts.map((account, i) => `${account}\n${describe(i)}`).join('\n');
}
