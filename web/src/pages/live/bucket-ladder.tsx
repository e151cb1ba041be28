// The market's buckets with price, model probability, edge, and a mark for the median forecast.

import { useState } from 'react';
import type { BucketRecord, CountersRecord, PredictionRecord } from '../../api/records.ts';
import type { ServiceError } from '../../api/request.ts';
import { ChartKey } from '../../chart/chart-key.tsx';
import type { BucketAdvice } from '../../live/use-advice.ts';
import { TradeLink } from '../../ui/advice-text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty, Failure, Panel, ProNote } from '../../ui/panel.tsx';
import { isActive, shortenAdvice } from '../../words/advice.ts';
import { contains, isPassed, parseBucketRange } from '../../words/bucket-range.ts';

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

type Row = BucketRecord & {
  advice: BucketAdvice | null;
  hasTrade: boolean;
  isOver: boolean;
  hasMedian: boolean;
  isHere: boolean;
};

export function BucketLadder(props: Props) {
  const { record, isPro, error, chosen, onChoose } = props;
  const [showsPassed, setShowsPassed] = useState(false);
  const rows = listRows(props);
  const passed = rows.filter(({ isOver, hasTrade }) => isOver && !hasTrade);
  const isFoldable = passed.length > FOLD_FROM;
  const largest = Math.max(0.05, ...rows.map((row) => Math.max(row.market_price ?? 0, row.model_prob ?? 0)));
  return (
    <Panel
      title="Buckets"
      className="ladder-panel"
      aside={
        <ChartKey entries={[{ line: 'market', name: 'market' }, isPro && { line: 'ours', name: 'model' }]} />
      }
    >
      {error ? <Failure error={error} /> : null}
      {rows.length === 0 ? <Empty>No prices yet.</Empty> : null}
      {isFoldable ? (
        <p className="fine">
          <LinkButton aria-expanded={showsPassed} onClick={() => setShowsPassed(!showsPassed)}>
            {passed.length} buckets passed, up to {passed.at(-1)?.title}: {showsPassed ? 'fold' : 'show'}
          </LinkButton>
        </p>
      ) : null}
      {rows.length > 0 ? (
        <DataTable
          label={`Buckets of event ${record.event_id}`}
          className={isPro ? 'ladder ladder-pro' : 'ladder'}
          rows={isFoldable && !showsPassed ? rows.filter((row) => !passed.includes(row)) : rows}
          keyOf={({ title }) => title}
          marks={({ title, isOver, hasMedian, hasTrade }) => ({
            'data-bucket': title,
            'data-passed': isOver || undefined,
            'data-median': hasMedian || undefined,
            'data-active': hasTrade || undefined,
          })}
          columns={[
            {
              name: 'Bucket',
              cell: (row) => <BucketName row={row} isChosen={row.title === chosen} onChoose={onChoose} />,
            },
            {
              name: 'Bars',
              className: 'ladder-bars',
              cell: ({ market_price, model_prob }) => (
                <>
                  <Bar className="bar-market" share={(market_price ?? 0) / largest} />
                  {isPro ? <Bar className="bar-model" share={(model_prob ?? 0) / largest} /> : null}
                </>
              ),
            },
            { name: 'Market', percent: ({ market_price }) => market_price },
            isPro && { name: 'Model', percent: ({ model_prob }) => model_prob },
            isPro && { name: 'Edge (pp)', className: 'num ladder-edge', points: ({ edge }) => edge },
            isPro && {
              name: 'Advice',
              className: 'ladder-advice',
              cell: (row) => (row.isOver && !row.hasTrade ? null : <ShortAdvice row={row} />),
            },
          ]}
        />
      ) : null}
      {isPro ? null : <ProNote>adds model probability, edge and advice for each bucket.</ProNote>}
    </Panel>
  );
}

function listRows({ record: { real_counter: count }, prediction, advice }: Props): Row[] {
  const p50 = prediction?.forecast?.p50;
  return (prediction?.markets ?? []).map((bucket) => {
    const own = advice?.get(bucket.title) ?? null;
    return {
      ...bucket,
      advice: own,
      hasTrade: own !== null && isActive(own.advice),
      isOver: isPassed(bucket.title, count, bucket.model_prob),
      hasMedian: p50 !== undefined && holds(bucket.title, Math.round(p50)),
      isHere: count !== null && holds(bucket.title, count),
    };
  });
}

interface NameProps {
  row: Row;
  isChosen: boolean;
  onChoose: (bucket: string) => void;
}

function BucketName({ row: { title, hasMedian, isHere, isOver }, isChosen, onChoose }: NameProps) {
  return (
    <>
      <button
        type="button"
        className="bucket-button"
        aria-pressed={isChosen}
        title="Show price chart"
        onClick={() => onChoose(title)}
      >
        {title}
      </button>
      {hasMedian ? <span className="mark mark-median">p50</span> : null}
      {isHere ? <span className="mark">now</span> : null}
      {isOver ? <span className="visually-hidden">, passed</span> : null}
    </>
  );
}

function Bar({ className, share }: { className: string; share: number }) {
  const inlineSize = `${Math.round(share * 1000) / 10}%`;
  return <span className={`bar ${className}`} style={{ inlineSize }} aria-hidden="true" />;
}

function ShortAdvice({ row: { advice, hasTrade } }: { row: Row }) {
  if (!advice) return null;
  return (
    <>
      <span title={advice.advice.sentence}>{shortenAdvice(advice.advice)}</span>{' '}
      {hasTrade ? <TradeLink url={advice.market_url} /> : null}
    </>
  );
}

/** Finds the bucket with the median forecast or, without a forecast, the one with the highest price. */
export function chooseBucket(prediction: PredictionRecord | undefined): string {
  const markets = prediction?.markets ?? [];
  const p50 = prediction?.forecast?.p50;
  const median = markets.find(({ title }) => p50 !== undefined && holds(title, Math.round(p50)));
  const dearest = markets.toSorted((left, right) => (right.market_price ?? 0) - (left.market_price ?? 0))[0];
  return (median ?? dearest)?.title ?? '';
}

function holds(title: string, count: number): boolean {
  const range = parseBucketRange(title);
  return range !== null && contains(range, count);
}
