// Running profit of the paper trades, one step per settlement.

import type { LedgerEntry } from '../../api/records.ts';
import { useWidth } from '../../chart/use-width.ts';
import { formatDay, formatSignedUsd, formatUsd } from '../../words/format.ts';

const HEIGHT = 160;
const PAD = { left: 64, right: 12, top: 10, bottom: 26 };

export function ProfitLine({ entries }: { entries: readonly LedgerEntry[] }) {
  const { ref, width } = useWidth<HTMLDivElement>(720);
  const points = sumProfits(entries);
  const last = points.at(-1)!;
  const low = Math.min(0, ...points.map((point) => point.total));
  const high = Math.max(0, ...points.map((point) => point.total));
  const length = high - low || 1;
  const fromTs = points[0]!.ts;
  const spanMs = last.ts - fromTs || 1;
  const xOf = (ts: number) => PAD.left + ((ts - fromTs) / spanMs) * (width - PAD.left - PAD.right);
  const yOf = (usd: number) => PAD.top + ((high - usd) / length) * (HEIGHT - PAD.top - PAD.bottom);
  const path = points.map(({ ts, total }, i) =>
    i === 0 ? `M${xOf(ts)} ${yOf(total)}` : `H${xOf(ts)}V${yOf(total)}`,
  );
  return (
    <div ref={ref} className="drawing">
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`Running profit: ${formatSignedUsd(last.total)}`}
      >
        {[...new Set([low, 0, high])].map((usd) => (
          <g key={usd} className="axis">
            <line x1={PAD.left} x2={width - PAD.right} y1={yOf(usd)} y2={yOf(usd)} />
            <text x={PAD.left - 8} y={yOf(usd) + 4} textAnchor="end">
              {formatUsd(usd)}
            </text>
          </g>
        ))}
        <path className="profit" d={path.join('')} />
        <text className="axis-label" x={PAD.left} y={HEIGHT - 6}>
          {formatDay(fromTs)}
        </text>
        <text className="axis-label" x={width - PAD.right} y={HEIGHT - 6} textAnchor="end">
          {formatDay(last.ts)}
        </text>
      </svg>
    </div>
  );
}

function sumProfits(entries: readonly LedgerEntry[]): { ts: number; total: number }[] {
  let total = 0;
  return entries
    .filter((entry) => entry.pnl !== null)
    .map((entry) => ({ ts: entry.settled_ts ?? entry.timestamp, pnl: entry.pnl ?? 0 }))
    .sort((left, right) => left.ts - right.ts)
    .map(({ ts, pnl }) => ({ ts, total: (total += pnl) }));
}
