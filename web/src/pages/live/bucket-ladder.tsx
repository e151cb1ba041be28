// The market's buckets with price, model probability, edge, and a mark for the median forecast.

import { useState } from 'react';
import type { BucketRecord, CountersRecord, PredictionRecord } from '../../api/records.ts';
import type { ServiceError } from '../../api/request.ts';
import type { BucketAdvice } from '../../live/use-advice.ts';
import { TradeLink } from '../../ui/advice-text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Empty, Failure, Panel, ProNote, ScrollTable } from '../../ui/panel.tsx';
import { isActive, shortenAdvice } from '../../words/advice.ts';
import { contains, isPassed, parseBucketRange } from '../../words/bucket-range.ts';
import { formatPoints, formatProbability } from '../../words/format.ts';

/** If the count has passed more buckets than this, they collapse into one row. */
const FOLD_FROM = 2;

interface Props {
  record: CountersRecord;
  prediction: PredictionRecord | undefined;
  isPro: boolean;
  /** Advice by bucket; null until loaded. */
  advice: ReadonlyMap<string, BucketAdvice> | null;
  /** Why the advice could not be loaded. */
  error: ServiceError | null;
  /** The bucket shown in the price chart. */
  chosen: string;
  onChoose: (bucket: string) => void;
}

export function BucketLadder({ record, prediction, isPro, advice, error, chosen, onChoose }: Props) {
  const buckets = prediction?.markets ?? [];
  const [showsPassed, setShowsPassed] = useState(false);
  const isFoldable = ({ title, model_prob }: BucketRecord) =>
    isPassed(title, record.real_counter, model_prob) && !hasTrade(advice?.get(title));
  const passed = buckets.filter(isFoldable);
  const isFolded = passed.length > FOLD_FROM && !showsPassed;
  const largest = Math.max(0.05, ...buckets.map((b) => Math.max(b.market_price ?? 0, b.model_prob ?? 0)));
  return (
    <Panel title="Buckets" className="ladder-panel" aside={<LadderKey isPro={isPro} />}>
      {error ? <Failure error={error} /> : null}
      {buckets.length === 0 ? (
        <Empty>No prices yet.</Empty>
      ) : (
        <ScrollTable label="Bucket table">
          <table className="ladder" data-pro={isPro || undefined}>
            <caption className="visually-hidden">
              Bucket prices{isPro ? ', model probabilities, edge in percentage points and advice' : ''}
            </caption>
            <thead>
              <tr>
                <th scope="col">Bucket</th>
                <th scope="col" className="ladder-bars-head">
                  <span className="visually-hidden">Bars</span>
                </th>
                <th scope="col">Market</th>
                {isPro ? (
                  <>
                    <th scope="col">Model</th>
                    <th scope="col" className="ladder-edge">
                      Edge (pp)
                    </th>
                    <th scope="col" className="ladder-advice">
                      Advice
                    </th>
                  </>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {passed.length > FOLD_FROM ? (
                <tr className="ladder-fold">
                  <th scope="row" colSpan={isPro ? 6 : 3}>
                    <LinkButton aria-expanded={showsPassed} onClick={() => setShowsPassed(!showsPassed)}>
                      {passed.length} buckets passed, up to {passed.at(-1)?.title}:{' '}
                      {showsPassed ? 'fold' : 'show'}
                    </LinkButton>
                  </th>
                </tr>
              ) : null}
              {buckets
                .filter((bucket) => !isFolded || !passed.includes(bucket))
                .map((bucket) => (
                  <LadderRow
                    key={bucket.title}
                    bucket={bucket}
                    count={record.real_counter}
                    p50={prediction?.forecast?.p50 ?? null}
                    largest={largest}
                    isPro={isPro}
                    advice={advice?.get(bucket.title) ?? null}
                    isChosen={bucket.title === chosen}
                    onChoose={() => onChoose(bucket.title)}
                  />
                ))}
            </tbody>
          </table>
        </ScrollTable>
      )}
      {isPro ? null : <ProNote>adds model probability, edge and advice for each bucket.</ProNote>}
    </Panel>
  );
}

function LadderKey({ isPro }: { isPro: boolean }) {
  return (
    <span className="ladder-key">
      <span data-source="ui">market</span>
      {isPro ? <span data-source="own">model</span> : null}
    </span>
  );
}

interface RowProps {
  bucket: BucketRecord;
  count: number | null;
  p50: number | null;
  largest: number;
  isPro: boolean;
  advice: BucketAdvice | null;
  isChosen: boolean;
  onChoose: () => void;
}

function LadderRow({ bucket, count, p50, largest, isPro, advice, isChosen, onChoose }: RowProps) {
  const range = parseBucketRange(bucket.title);
  const isOver = isPassed(bucket.title, count, bucket.model_prob);
  const hasMedian = range !== null && p50 !== null && contains(range, Math.round(p50));
  const isHere = range !== null && count !== null && contains(range, count);
  return (
    <tr data-bucket={bucket.title} data-passed={isOver || undefined} data-median={hasMedian || undefined}>
      <th scope="row" className="num">
        <button
          type="button"
          className="bucket-button"
          aria-pressed={isChosen}
          title="Show price chart"
          onClick={onChoose}
        >
          {bucket.title}
        </button>
        {hasMedian ? <span className="mark mark-median">p50</span> : null}
        {isHere ? <span className="mark">now</span> : null}
        {isOver ? <span className="visually-hidden">, passed</span> : null}
      </th>
      <td className="ladder-bars" aria-hidden="true">
        <span className="bar bar-market" style={{ inlineSize: `${share(bucket.market_price, largest)}%` }} />
        {isPro ? (
          <span className="bar bar-model" style={{ inlineSize: `${share(bucket.model_prob, largest)}%` }} />
        ) : null}
      </td>
      <td className="num">{formatProbability(bucket.market_price)}</td>
      {isPro ? (
        <>
          <td className="num ladder-model">{formatProbability(bucket.model_prob)}</td>
          <td className="num ladder-edge" data-sign={signOf(bucket.edge)}>
            {formatPoints(bucket.edge)}
          </td>
          <td className="ladder-advice" data-active={hasTrade(advice) || undefined}>
            {advice && (!isOver || hasTrade(advice)) ? (
              <>
                <span title={advice.advice.sentence}>{shortenAdvice(advice.advice)}</span>{' '}
                {hasTrade(advice) ? <TradeLink url={advice.market_url} /> : null}
              </>
            ) : null}
          </td>
        </>
      ) : null}
    </tr>
  );
}

function hasTrade(advice: BucketAdvice | null | undefined): boolean {
  return advice != null && isActive(advice.advice);
}

function share(value: number | null | undefined, largest: number): number {
  return Math.round(((value ?? 0) / largest) * 1000) / 10;
}

/** Finds the bucket with the median forecast or, without a forecast, the one with the highest price. */
export function chooseBucket(prediction: PredictionRecord | undefined): string {
  const markets = prediction?.markets ?? [];
  const p50 = prediction?.forecast?.p50;
  const median = markets.find(({ title }) => {
    const range = parseBucketRange(title);
    return range !== null && p50 !== undefined && contains(range, Math.round(p50));
  });
  const dearest = markets.toSorted((left, right) => (right.market_price ?? 0) - (left.market_price ?? 0))[0];
  return (median ?? dearest)?.title ?? '';
}

export function signOf(value: number | null | undefined): string | undefined {
  if (value === null || value === undefined || Math.abs(value) < 0.0005) return undefined;
  return value > 0 ? 'plus' : 'minus';
}
