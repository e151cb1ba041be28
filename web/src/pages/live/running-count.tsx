// The running count over the window, with the forecast fan or the linear pace up to the close.

import { useMemo, useState } from 'react';
import type { CountersRecord, HourlyRecord, PredictionRecord } from '../../api/records.ts';
import { ChartKey } from '../../chart/chart-key.tsx';
import { buildRunningData } from '../../chart/running-data.ts';
import { type AccountState, toServerTs } from '../../live/account-state.ts';
import { useNow } from '../../live/clock.ts';
import { CsvButton } from '../../ui/button.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Choice, Panel, PlotSpace, ProNote } from '../../ui/panel.tsx';
import { parseBucketRange } from '../../words/bucket-range.ts';
import { formatCount } from '../../words/format.ts';
import { AlertOffer, type PickedAlert } from './alert-offer.tsx';

interface Props {
  record: CountersRecord;
  prediction: PredictionRecord | undefined;
  state: AccountState;
  hourly: HourlyRecord | null;
  isPro: boolean;
}

/** Charts load after the numbers, which can be used without them. */
const RunningPlot = onDemand(
  async () => ({ default: (await import('../../chart/running-plot.tsx')).RunningPlot }),
  { what: 'chart', waiting: <PlotSpace /> },
);

type Span = 'window' | 'day' | 'quarter';
const SPANS: readonly { value: Span; label: string }[] = [
  { value: 'window', label: 'Window' },
  { value: 'day', label: '24 h' },
  { value: 'quarter', label: '6 h' },
];
const SPAN_MS: Record<Span, number | null> = { window: null, day: 86_400_000, quarter: 21_600_000 };
/** How often the end of the line moves; a new count moves it immediately. */
const REDRAW_MS = 30_000;

export function RunningCount({ record, prediction, state, hourly, isPro }: Props) {
  const [span, setSpan] = useState<Span>('window');
  const [picked, setPicked] = useState<PickedAlert | null>(null);
  const drawnTs = toServerTs(state.clock, Math.floor(useNow() / REDRAW_MS) * REDRAW_MS);
  const forecast = isPro ? (prediction?.forecast ?? null) : null;
  const trail = state.trails[record.event_id];
  const data = useMemo(
    () => buildRunningData({ record, hourly, trail: trail ?? [], forecast, nowTs: drawnTs }),
    [record, hourly, trail, forecast, drawnTs],
  );
  const bounds = useMemo(
    () => (prediction?.markets ?? []).flatMap((bucket) => parseBucketRange(bucket.title)?.lo || []),
    [prediction],
  );
  return (
    <Panel
      title="Running count"
      className="running"
      aside={
        <>
          <Choice label="Time range" options={SPANS} value={span} onChange={setSpan} />
          <CsvButton
            path={`/history/${state.account}/${record.event_id}`}
            query={{ step: 'all', limit: 300 }}
            name={`${state.account}-${record.event_id}.csv`}
            what="Running count"
          />
        </>
      }
    >
      <ChartKey
        entries={[
          { line: 'own', name: 'Now', value: formatCount(record.real_counter) },
          forecast && { line: 'median', name: 'p50', value: formatCount(forecast.p50) },
          forecast && {
            line: 'fan',
            name: 'p5 to p95',
            value: `${formatCount(forecast.p5)} to ${formatCount(forecast.p95)}`,
          },
          { line: 'pace', name: 'Linear pace', value: formatCount(data.paceAtEnd) },
        ]}
      />
      <RunningPlot
        data={data}
        bucketBounds={bounds}
        spanMs={SPAN_MS[span]}
        label={describe(record, data.paceAtEnd, forecast)}
        onPick={isPro ? (count) => setPicked(toAlert(count)) : undefined}
      />
      <AlertOffer
        account={state.account}
        eventId={record.event_id}
        picked={picked}
        onEnd={() => setPicked(null)}
      />
      {isPro ? (
        <p className="fine">
          Shaded: 5–95% forecast range by hour. It may start below our count, because the oracle may miss
          deleted posts.
        </p>
      ) : (
        <ProNote>adds the forecast fan: the 5th, 50th and 95th percentile of the final count.</ProNote>
      )}
    </Panel>
  );
}

function toAlert(count: number): PickedAlert {
  const threshold = Math.max(1, Math.round(count));
  return { kind: 'count_reached', threshold, words: `the count reaches ${formatCount(threshold)}` };
}

function describe(
  record: CountersRecord,
  paceAtEnd: number | null,
  forecast: PredictionRecord['forecast'] | null,
): string {
  const now = `Running count chart: ${formatCount(record.real_counter)} now`;
  const end = forecast
    ? `, forecast at the close ${formatCount(forecast.p50)}, between ${formatCount(forecast.p5)} and ${formatCount(forecast.p95)}`
    : paceAtEnd === null
      ? ''
      : `, ${formatCount(Math.round(paceAtEnd))} at the close at this pace`;
  return `${now}${end}. Arrow keys pan, plus and minus zoom, 0 shows the whole window.`;
}
