// Mean predicted probability vs. observed share; the diagonal is perfect. Dot area shows sample size.

import type { ReliabilityBin } from '../../api/records.ts';
import { ShareAxis, ValueAxis } from '../../chart/axis.tsx';
import { useWidth } from '../../chart/use-width.ts';
import { formatProbability } from '../../words/format.ts';

/** Keeps dots at 0% clear of the labels. */
const PAD = { left: 52, bottom: 30, top: 12, right: 12 };

const formatShare = (share: number) => `${share * 100}%`;

/** One probability bin, with an interval if one was computed. */
type Bin = ReliabilityBin & { low?: number | null; high?: number | null };

export function ReliabilityPlot({ bins }: { bins: readonly Bin[] }) {
  const { ref, width } = useWidth<HTMLDivElement>(320);
  const height = Math.min(width, 300);
  const xOf = (share: number) => PAD.left + share * (width - PAD.left - PAD.right);
  const yOf = (share: number) => height - PAD.bottom - share * (height - PAD.top - PAD.bottom);
  const known = bins.filter(isKnown);
  const largest = Math.max(1, ...known.map((bin) => bin.count));
  const words = known.map(
    (bin) =>
      `predicted ${formatProbability(bin.mean_probability)}, observed ${formatProbability(bin.won_fraction)}`,
  );
  return (
    <div ref={ref} className="drawing">
      <svg width={width} height={height} role="img" aria-label={`Reliability: ${words.join('; ')}`}>
        <ValueAxis ticks={[0, 0.5, 1]} from={xOf(0)} to={xOf(1)} yOf={yOf} format={formatShare} gap={14} />
        <ShareAxis xOf={xOf} y={height - 6} format={formatShare} />
        <line className="diagonal" x1={xOf(0)} y1={yOf(0)} x2={xOf(1)} y2={yOf(1)} />
        {known.flatMap((bin) =>
          bin.low == null || bin.high == null ? (
            []
          ) : (
            <line
              key={bin.from}
              className="interval"
              x1={xOf(bin.mean_probability)}
              x2={xOf(bin.mean_probability)}
              y1={yOf(bin.low)}
              y2={yOf(bin.high)}
            />
          ),
        )}
        {known.map((bin) => (
          <circle
            key={bin.from}
            className="dot"
            cx={xOf(bin.mean_probability)}
            cy={yOf(bin.won_fraction)}
            r={3 + 7 * Math.sqrt(bin.count / largest)}
          >
            <title>
              {`Predicted ${formatProbability(bin.mean_probability)}, observed ${formatProbability(bin.won_fraction)}, ${bin.count} buckets`}
            </title>
          </circle>
        ))}
      </svg>
    </div>
  );
}

function isKnown(bin: Bin): bin is Bin & { mean_probability: number; won_fraction: number } {
  return bin.count > 0 && bin.mean_probability !== null && bin.won_fraction !== null;
}
