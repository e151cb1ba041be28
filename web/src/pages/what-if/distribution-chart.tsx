// The probability of each live bucket now and in the scenario, side by side.

import { ChartKey } from '../../chart/chart-key.tsx';
import { Drawing, type Frame, niceTop, ValueAxis } from '../../chart/drawing.tsx';
import type { TipText } from '../../chart/tip.ts';
import { formatProbability } from '../../words/format.ts';

export interface Column {
  bucket: string;
  /** null if no forecast is published. */
  now: number | null;
  assumed: number;
}

const HEIGHT = 190;
const PAD = { left: 40, right: 8, top: 10, bottom: 26 };
const LABEL_PX = 58;

export function DistributionChart({ columns }: { columns: readonly Column[] }) {
  if (columns.length === 0) return null;
  const largest = Math.max(0.05, ...columns.flatMap(({ now, assumed }) => [now ?? 0, assumed]));
  const top = niceTop(100 * largest) / 100;
  const slotOf = ({ left, right }: Frame) => (right - left) / columns.length;
  const describe = (x: number, frame: Frame) =>
    describeColumn(columns[Math.floor((x - frame.left) / slotOf(frame))]);
  return (
    <div className="distribution">
      <ChartKey
        entries={[
          { line: 'published', name: 'now' },
          { line: 'ours', name: 'in this scenario' },
        ]}
      />
      <Drawing
        label="Probability of each bucket now and in the scenario; the table below has the numbers."
        pad={PAD}
        height={HEIGHT}
        describe={describe}
      >
        {(frame) => (
          <>
            <ValueAxis
              frame={frame}
              ticks={[0, top / 2, top]}
              yOf={(value) => frame.yOf(value / top)}
              format={(value) => `${Math.round(value * 100)}%`}
            />
            <Columns columns={columns} frame={frame} slot={slotOf(frame)} top={top} />
          </>
        )}
      </Drawing>
    </div>
  );
}

function describeColumn(column: Column | undefined): TipText | null {
  if (!column) return null;
  const lines = [
    { name: 'Now', value: formatProbability(column.now) },
    { name: 'Scenario', value: formatProbability(column.assumed), source: 'own' as const },
  ];
  return { ts: 0, title: column.bucket, lines };
}

interface ColumnsProps {
  columns: readonly Column[];
  frame: Frame;
  slot: number;
  top: number;
}

function Columns({ columns, frame, slot, top }: ColumnsProps) {
  const width = Math.max(2, Math.min(26, slot * 0.36));
  const every = Math.max(1, Math.ceil(LABEL_PX / slot));
  const heightOf = (value: number) => frame.bottom - frame.yOf(value / top);
  return columns.map(({ bucket, now, assumed }, i) => {
    const middle = frame.left + slot * (i + 0.5);
    const bars = [
      { className: 'bar-now', x: middle - width, height: heightOf(now ?? 0) },
      { className: 'bar-then', x: middle, height: heightOf(assumed) },
    ];
    return (
      <g key={bucket} data-bucket={bucket}>
        {bars.map((bar) => (
          <rect key={bar.className} {...bar} width={width} y={frame.bottom - bar.height} />
        ))}
        {i % every === 0 ? (
          <text className="axis-label" x={middle} y={HEIGHT - 8} textAnchor="middle">
            {bucket}
          </text>
        ) : null}
      </g>
    );
  });
}
