// Forecast error by settled event over time, with model and build changes marked.

import { useState } from 'react';
import { describeTerms, type HistoryRecord } from '../../api/records.ts';
import { ShareAxis, ValueAxis } from '../../chart/axis.tsx';
import { roundUp, useWidth } from '../../chart/use-width.ts';
import { useTerms } from '../../live/live-context.tsx';
import { useFetched } from '../../live/use-fetched.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Choice, Empty, Failure, Panel, QuietLine } from '../../ui/panel.tsx';
import { formatDay, formatDecimal } from '../../words/format.ts';
import { type Place, placeLabels } from './place-labels.ts';
import { isAsIf } from './record-words.ts';

const SPANS = [30, 90, 365].map((days) => ({ value: days, label: `${days} d` }));
const HEIGHT = 250;
const LABEL_ROWS = 3;
const ROW_HEIGHT = 13;
const PAD = { left: 44, right: 12, top: LABEL_ROWS * ROW_HEIGHT + 6, bottom: 28 };

export function HistoryPanel({ account, horizon }: { account: string | undefined; horizon: number }) {
  const [days, setDays] = useState(30);
  const { data, error } = useFetched<HistoryRecord>({
    path: '/performance/history',
    query: { horizon, days, account },
  });
  const aside = <Choice label="Look back" options={SPANS} value={days} onChange={setDays} />;
  if (data?.data.length === 0 && !error)
    return (
      <QuietLine title="Error by event" aside={aside}>
        No settled events in this period.
      </QuietLine>
    );
  return (
    <Panel title="Error by event" aside={aside}>
      {error ? <Failure error={error} hasOld={data !== null} /> : null}
      {data ? <HistoryPlot history={data} days={days} /> : error ? null : <Empty>Loading…</Empty>}
    </Panel>
  );
}

function HistoryPlot({ history, days }: { history: HistoryRecord; days: number }) {
  const { ref, width } = useWidth<HTMLDivElement>(720);
  const points = history.data.map((row) => ({ ...row, ts: Date.parse(row.timestamp) }));
  const untilTs = Math.max(Date.now(), ...points.map((point) => point.ts));
  const fromTs = untilTs - days * 86_400_000;
  // Quarters are round numbers.
  const top = roundUp(Math.max(5, ...points.map((point) => point.error_pct)), [1, 2, 4, 5, 8, 10]);
  const xOf = (ts: number) =>
    PAD.left + ((ts - fromTs) / (untilTs - fromTs)) * (width - PAD.left - PAD.right);
  const yOf = (error: number) => HEIGHT - PAD.bottom - (error / top) * (HEIGHT - PAD.top - PAD.bottom);
  const tsAt = (share: number) => fromTs + (untilTs - fromTs) * share;
  const notes = history.annotations
    .map((note) => ({ ...note, label: shorten(note.label), x: xOf(Date.parse(note.timestamp)) }))
    .filter(({ x }) => x >= PAD.left);
  const places = placeLabels(notes, { left: PAD.left, right: width - PAD.right, rows: LABEL_ROWS });
  return (
    <div ref={ref} className="drawing">
      <p className="fine">Error of the median forecast, as a percentage of the final count</p>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`Forecast error for ${points.length} settled events over ${days} days; the table below has the same numbers`}
      >
        <ValueAxis
          ticks={[0, 0.25, 0.5, 0.75, 1].map((share) => top * share)}
          from={PAD.left}
          to={width - PAD.right}
          yOf={yOf}
          format={(percent) => `${formatDecimal(percent, Number.isInteger(top / 4) ? 0 : 1)}%`}
          gap={8}
        />
        <ShareAxis
          xOf={(share) => xOf(tsAt(share))}
          y={HEIGHT - 6}
          format={(share) => formatDay(tsAt(share))}
        />
        {notes.map((note, index) => (
          <Annotation key={`${note.timestamp} ${note.label}`} place={places[index]!} {...note} />
        ))}
        {points.map((point) => (
          <circle
            key={`${point.event_id}`}
            className="dot"
            data-as-if={isAsIf(point) || undefined}
            cx={xOf(point.ts)}
            cy={yOf(point.error_pct)}
            r={4.5}
          >
            <title>
              {`Event ${point.event_id} (${describeTerms(point)}), ${formatDay(point.ts)}: ${formatDecimal(point.error_pct, 1)}%${isAsIf(point) ? ', recomputed' : ''}`}
            </title>
          </circle>
        ))}
      </svg>
      <HistoryTable rows={history.data} />
    </div>
  );
}

interface AnnotationProps {
  x: number;
  /** null if there is no room for the label. */
  place: Place | null;
  label: string;
  commit: string;
}

function Annotation({ x, place, label, commit }: AnnotationProps) {
  const top = (place?.row ?? LABEL_ROWS) * ROW_HEIGHT;
  return (
    <g className="annotation">
      <line x1={x} x2={x} y1={top + 3} y2={HEIGHT - PAD.bottom} />
      {place ? (
        <text x={place.anchor === 'end' ? x - 5 : x + 5} y={top + 11} textAnchor={place.anchor}>
          {label}
        </text>
      ) : null}
      <title>{`${label}, build ${commit.slice(0, 12)}`}</title>
    </g>
  );
}

/** A build is identified by the first digits of its commit. */
function shorten(label: string): string {
  return label.replace(/[0-9a-f]{13,}/, (commit) => commit.slice(0, 7));
}

function HistoryTable({ rows }: { rows: HistoryRecord['data'] }) {
  const termsOf = useTerms();
  return (
    <details className="more">
      <summary>Show as a table</summary>
      <DataTable
        label="Error by event"
        rows={rows}
        keyOf={(row) => `${row.timestamp} ${row.event_id}`}
        columns={[
          { name: 'Settled', cell: ({ timestamp }) => formatDay(Date.parse(timestamp)) },
          { name: 'Event', cell: ({ event_id }) => event_id },
          ...(rows.some(termsOf) ? [{ name: 'Venue and rule', className: 'text', cell: termsOf }] : []),
          { name: 'Error', cell: ({ error_pct }) => `${formatDecimal(error_pct, 1)}%` },
          { name: 'Forecast', className: '', cell: (row) => (isAsIf(row) ? 'recomputed' : 'live') },
        ]}
      />
    </details>
  );
}
