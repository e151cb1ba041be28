// The probability of each live bucket now and in the scenario, side by side.

import { type PointerEvent, useEffect, useRef } from 'react';
import { ValueAxis } from '../../chart/axis.tsx';
import { attachTip, type Tip } from '../../chart/tip.ts';
import { niceTop, useWidth } from '../../chart/use-width.ts';
import { formatProbability } from '../../words/format.ts';

export interface Column {
  bucket: string;
  /** null if no forecast is published. */
  now: number | null;
  assumed: number;
}

const HEIGHT = 190;
const FRAME = { left: 40, right: 8, top: 10, bottom: 26 };
const LABEL_PX = 58;

export function DistributionChart({ columns }: { columns: readonly Column[] }) {
  const { ref, width } = useWidth<HTMLDivElement>(720);
  const tip = useRef<Tip | null>(null);
  useEffect(() => {
    tip.current = attachTip(ref.current!);
  }, [ref]);
  if (columns.length === 0) return null;
  const largest = Math.max(0.05, ...columns.flatMap(({ now, assumed }) => [now ?? 0, assumed]));
  const top = niceTop(100 * largest) / 100;
  const slot = (width - FRAME.left - FRAME.right) / columns.length;
  const bar = Math.max(2, Math.min(26, slot * 0.36));
  const yOf = (value: number) => HEIGHT - FRAME.bottom - (value / top) * (HEIGHT - FRAME.top - FRAME.bottom);
  const every = Math.max(1, Math.ceil(LABEL_PX / slot));
  const show = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left;
    const column = columns[Math.floor((x - FRAME.left) / slot)];
    if (!column) {
      tip.current?.hide();
      return;
    }
    const lines = [
      { name: 'Now', value: formatProbability(column.now) },
      { name: 'Scenario', value: formatProbability(column.assumed), source: 'own' as const },
    ];
    tip.current?.show(x, event.clientY - box.top, { ts: 0, title: column.bucket, lines });
  };
  return (
    <div ref={ref} className="distribution">
      <p className="ladder-key">
        <span data-source="now">now</span>
        <span data-source="own">in this scenario</span>
      </p>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label="Probability of each bucket now and in the scenario; the table below has the numbers."
        onPointerMove={show}
        onPointerLeave={() => tip.current?.hide()}
      >
        <ValueAxis
          ticks={[0, top / 2, top]}
          from={FRAME.left}
          to={width - FRAME.right}
          yOf={yOf}
          format={(value) => `${Math.round(value * 100)}%`}
        />
        {columns.map(({ bucket, now, assumed }, i) => {
          const middle = FRAME.left + slot * (i + 0.5);
          return (
            <g key={bucket} data-bucket={bucket}>
              <Bar kind="now" x={middle - bar} width={bar} y={yOf(now ?? 0)} />
              <Bar kind="then" x={middle} width={bar} y={yOf(assumed)} />
              {i % every === 0 ? (
                <text className="axis-label" x={middle} y={HEIGHT - 8} textAnchor="middle">
                  {bucket}
                </text>
              ) : null}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

function Bar({ kind, x, width, y }: { kind: 'now' | 'then'; x: number; width: number; y: number }) {
  return <rect className={`bar-${kind}`} x={x} y={y} width={width} height={HEIGHT - FRAME.bottom - y} />;
}
