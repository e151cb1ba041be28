// Mean predicted probability vs. observed share; the diagonal is perfect. Dot area shows sample size.

import type { ReliabilityBin } from '../../api/records.ts';
import { Drawing, ShareAxis, ValueAxis } from '../../chart/drawing.tsx';
import { formatProbability } from '../../words/format.ts';

/** Keeps dots at 0% clear of the labels. */
const PAD = { left: 52, bottom: 30, top: 12, right: 12 };

const formatShare = (share: number) => `${share * 100}%`;

/** One probability bin, with an interval if one was computed. */
type Bin = ReliabilityBin & { low?: number | null; high?: number | null };
type KnownBin = Bin & { mean_probability: number; won_fraction: number };

export function ReliabilityPlot({ bins }: { bins: readonly Bin[] }) {
  const known = bins.filter(isKnown);
  const largest = Math.max(1, ...known.map((bin) => bin.count));
  return (
    <Drawing
      label={`Reliability: ${known.map(describe).join('; ')}`}
      pad={PAD}
      height={(width) => Math.min(width, 300)}
    >
      {(frame) => (
        <>
          <ValueAxis frame={frame} ticks={[0, 0.5, 1]} yOf={frame.yOf} format={formatShare} gap={14} />
          <ShareAxis frame={frame} y={frame.height - 6} format={formatShare} />
          <line
            className="diagonal"
            x1={frame.xOf(0)}
            y1={frame.yOf(0)}
            x2={frame.xOf(1)}
            y2={frame.yOf(1)}
          />
          {known.map((bin) => {
            const x = frame.xOf(bin.mean_probability);
            return (
              <g key={bin.from}>
                {bin.low == null || bin.high == null ? null : (
                  <line className="interval" x1={x} x2={x} y1={frame.yOf(bin.low)} y2={frame.yOf(bin.high)} />
                )}
                <circle
                  className="dot"
                  cx={x}
                  cy={frame.yOf(bin.won_fraction)}
                  r={3 + 7 * Math.sqrt(bin.count / largest)}
                >
                  <title>{`${describe(bin)}, ${bin.count} buckets`}</title>
                </circle>
              </g>
            );
          })}
        </>
      )}
    </Drawing>
  );
}

function describe({ mean_probability, won_fraction }: KnownBin): string {
  return `predicted ${formatProbability(mean_probability)}, observed ${formatProbability(won_fraction)}`;
}

function isKnown(bin: Bin): bin is KnownBin {
  return bin.count > 0 && bin.mean_probability !== null && bin.won_fraction !== null;
}
