// Histogram of outcomes by forecast quantile. A hump means forecasts are too wide, a bowl too narrow, a slope
// biased.

import type { CalibrationRecord } from '../../api/records.ts';
import { useWidth } from '../../chart/use-width.ts';
import { formatDecimal } from '../../words/format.ts';

const PAD = { left: 8, bottom: 26, top: 8, right: 8 };

export function PitHistogram({ bins }: { bins: CalibrationRecord['pit_histogram'] }) {
  const { ref, width } = useWidth<HTMLDivElement>(320);
  const height = Math.min(width, 300);
  const total = bins.reduce((sum, bin) => sum + bin.count, 0);
  const even = total / Math.max(1, bins.length);
  const top = Math.max(even * 2, ...bins.map((bin) => bin.count)) || 1;
  const plotWidth = width - PAD.left - PAD.right;
  const yOf = (count: number) => height - PAD.bottom - (count / top) * (height - PAD.top - PAD.bottom);
  return (
    <div ref={ref} className="drawing">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`Outcomes per decile of the forecast: ${bins.map((bin) => formatDecimal(bin.count, 1)).join(', ')}`}
      >
        {bins.map((bin) => (
          <rect
            key={bin.from}
            className="histogram-bar"
            x={PAD.left + bin.from * plotWidth + 1}
            width={Math.max(1, (bin.to - bin.from) * plotWidth - 2)}
            y={yOf(bin.count)}
            height={height - PAD.bottom - yOf(bin.count)}
          />
        ))}
        <line className="diagonal" x1={PAD.left} x2={width - PAD.right} y1={yOf(even)} y2={yOf(even)} />
        {[0, 0.5, 1].map((share) => (
          <text
            key={share}
            className="axis-label"
            x={PAD.left + share * plotWidth}
            y={height - 6}
            textAnchor={share === 0 ? 'start' : share === 1 ? 'end' : 'middle'}
          >
            {share === 0 ? 'lowest' : share === 1 ? 'highest' : 'median'}
          </text>
        ))}
      </svg>
    </div>
  );
}
