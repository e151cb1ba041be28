// One bucket's price and model probability over the window, with the best bid and ask.

import { useMemo, useState } from 'react';
import type {
  CountersRecord,
  CourseRecord,
  Envelope,
  LadderRecord,
  PredictionRecord,
} from '../../api/records.ts';
import { ChartKey } from '../../chart/chart-key.tsx';
import { buildPriceData } from '../../chart/price-data.ts';
import { type AccountState, toServerTs } from '../../live/account-state.ts';
import { useNow } from '../../live/clock.ts';
import { ADVICE_REFRESH_MS } from '../../live/use-advice.ts';
import { useFetched } from '../../live/use-fetched.ts';
import { LinkButton } from '../../ui/button.tsx';
import { SelectField } from '../../ui/controls.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Empty, Failure, Loaded, Panel, PlotSpace, ProNote } from '../../ui/panel.tsx';
import { formatCents, formatCount, formatProbability } from '../../words/format.ts';
import { AlertOffer, type PickedAlert } from './alert-offer.tsx';

const PricePlot = onDemand(
  async () => ({ default: (await import('../../chart/price-plot.tsx')).PricePlot }),
  { what: 'chart', waiting: <PlotSpace /> },
);

/** Points are recorded every few minutes; the last one follows every price change. */
const REFRESH_MS = 300_000;
const REDRAW_MS = 30_000;
/** As many as the chart has colours for. */
const MAX_COMPARED = 3;

interface Props {
  record: CountersRecord;
  prediction: PredictionRecord | undefined;
  state: AccountState;
  bucket: string;
  onBucket: (bucket: string) => void;
  isPro: boolean;
}

const MAX_HOURS = 300;
const HOUR_MS = 3_600_000;

/** A month has more hours than a page, so the oldest are left out. */
function firstHourTs({ start_ts, end_ts }: CountersRecord, nowTs: number): number {
  if (end_ts - start_ts <= MAX_HOURS * HOUR_MS) return start_ts;
  return Math.max(start_ts, Math.floor(nowTs / HOUR_MS - MAX_HOURS + 1) * HOUR_MS);
}

export function PricePanel({ record, prediction, state, bucket, onBucket, isPro }: Props) {
  const course = useFetched<{ data: CourseRecord }>({
    path: `/history/${state.account}/${record.event_id}`,
    query: { step: 'hour', limit: MAX_HOURS, from: firstHourTs(record, toServerTs(state.clock, Date.now())) },
    everyMs: REFRESH_MS,
  });
  const markets = prediction?.markets ?? [];
  const [compared, setCompared] = useState<readonly string[]>([]);
  const others = useMemo(() => compared.filter((title) => title !== bucket), [compared, bucket]);
  return (
    <Panel
      title={isPro ? 'Price and model' : 'Price'}
      className="price-panel"
      aside={
        <>
          <SelectField
            label="Bucket"
            options={markets.map(({ title }) => title)}
            value={bucket}
            onChange={onBucket}
          />
          <SelectField
            label="Compare with"
            options={[
              { value: '', label: 'Compare…' },
              ...markets
                .map(({ title }) => title)
                .filter((title) => title !== bucket && !others.includes(title)),
            ]}
            value=""
            disabled={others.length >= MAX_COMPARED}
            onChange={(title) => setCompared([...others, title])}
          />
        </>
      }
    >
      <Loaded of={course}>
        {({ data }) => (
          <Drawing
            course={data}
            prediction={prediction}
            state={state}
            bucket={bucket}
            isPro={isPro}
            others={others}
            onRemove={(title) => setCompared(others.filter((other) => other !== title))}
          />
        )}
      </Loaded>
      {isPro ? (
        <TopOfBook account={state.account} eventId={record.event_id} bucket={bucket} />
      ) : (
        <ProNote>adds the model probability, the best bid and the best ask.</ProNote>
      )}
    </Panel>
  );
}

interface DrawingProps extends Pick<Props, 'prediction' | 'state' | 'bucket' | 'isPro'> {
  course: CourseRecord;
  /** Buckets to compare with. */
  others: readonly string[];
  onRemove: (bucket: string) => void;
}

function Drawing({ course, prediction, state, bucket, isPro, others, onRemove }: DrawingProps) {
  const nowTs = toServerTs(state.clock, Math.floor(useNow() / REDRAW_MS) * REDRAW_MS);
  const market = prediction?.markets.find(({ title }) => title === bucket);
  const [picked, setPicked] = useState<PickedAlert | null>(null);
  const data = useMemo(
    () =>
      buildPriceData(
        course,
        bucket,
        { ts: nowTs, price: market?.market_price ?? null, model: market?.model_prob ?? null },
        others,
      ),
    [course, bucket, nowTs, market, others],
  );
  if (data.x.length < 2) return <Empty>No price history yet.</Empty>;
  return (
    <>
      <ChartKey
        entries={[
          { line: 'price', name: 'Price', value: formatProbability(market?.market_price) },
          isPro && { line: 'model', name: 'Model', value: formatProbability(market?.model_prob) },
          data.trades.length > 0 && { line: 'trade', name: 'Advised purchases', value: data.trades.length },
          ...others.map((title, i) => ({
            line: `compared-${i}`,
            name: title,
            value: (
              <>
                {formatProbability(prediction?.markets.find((one) => one.title === title)?.market_price)}{' '}
                <LinkButton aria-label={`Stop comparing ${title}`} onClick={() => onRemove(title)}>
                  ×
                </LinkButton>
              </>
            ),
          })),
        ]}
      />
      <PricePlot
        data={data}
        label={describe(bucket, market)}
        onPick={isPro ? (price) => setPicked(toAlert(price, market?.market_price ?? price)) : undefined}
      />
      <AlertOffer
        account={state.account}
        eventId={course.event_id}
        picked={picked}
        onEnd={() => setPicked(null)}
      />
    </>
  );
}

/** Rules watch every price of an event, so the click sets how far one must move. */
function toAlert(price: number, nowPrice: number): PickedAlert {
  const cents = Math.min(50, Math.max(1, Math.round(Math.abs(price - nowPrice) * 100)));
  return { kind: 'price_moved', threshold: cents / 100, words: `a price in this event moves by ${cents}¢` };
}

function describe(bucket: string, market: PredictionRecord['markets'][number] | undefined): string {
  const model =
    typeof market?.model_prob === 'number' ? `, model ${formatProbability(market.model_prob)}` : '';
  return `Price chart for ${bucket}: ${formatProbability(market?.market_price)} now${model}. Arrow keys pan, plus and minus zoom, 0 shows the whole window.`;
}

function TopOfBook({ account, eventId, bucket }: { account: string; eventId: number; bucket: string }) {
  const { data, error } = useFetched<Envelope<LadderRecord[]>>({
    path: `/signals/${account}/ladder`,
    query: { event_id: eventId },
    everyMs: ADVICE_REFRESH_MS,
  });
  if (error) return <Failure error={error} />;
  const row = data?.data[0]?.rows.find((candidate) => candidate.bucket === bucket);
  if (!row) return null;
  const largest = Math.max(1, row.bid_shares ?? 0, row.ask_shares ?? 0);
  return (
    <table className="table book" aria-label={`Best bid and ask for ${bucket}`}>
      <tbody>
        <Level name="Best bid" price={row.bid} shares={row.bid_shares ?? null} largest={largest} />
        <Level name="Best ask" price={row.ask} shares={row.ask_shares} largest={largest} />
      </tbody>
    </table>
  );
}

interface LevelProps {
  name: string;
  price: number | null;
  shares: number | null;
  largest: number;
}

function Level({ name, price, shares, largest }: LevelProps) {
  return (
    <tr data-side={name === 'Best bid' ? 'bid' : 'ask'}>
      <th scope="row">{name}</th>
      <td className="num">{formatCents(price)}</td>
      <td className="num">{shares === null ? '–' : `${formatCount(Math.floor(shares))} shares`}</td>
      <td className="book-cell" aria-hidden="true">
        <span className="bar" style={{ inlineSize: `${Math.round(((shares ?? 0) / largest) * 100)}%` }} />
      </td>
    </tr>
  );
}
