// One bucket's order book beyond the best prices: cumulative depth as steps, nearest levels as a table.

import { type PointerEvent, useEffect, useRef } from 'react';
import type { BookLevel, Envelope, EventBooks } from '../../api/records.ts';
import { attachTip, type Tip, type TipLine, type TipText } from '../../chart/tip.ts';
import { niceTop, useWidth } from '../../chart/use-width.ts';
import { useFetched } from '../../live/use-fetched.ts';
import { Empty, Failure, Panel, ScrollTable, TableHead } from '../../ui/panel.tsx';
import { formatCents, formatCount, formatPrice, formatTime } from '../../words/format.ts';

/** PRO only, because an hour of polling would exhaust the public allowance. */
const EVERY_MS = 10_000;
const ROWS = 5;
/** One cent, the usual price step. */
const EDGE = 0.01;
const HEIGHT = 170;
const PAD = { left: 48, right: 8, top: 8, bottom: 22 };

interface Props {
  account: string;
  eventId: number;
  bucket: string;
  isPro: boolean;
}

export function DepthPanel({ account, eventId, bucket, isPro }: Props) {
  const { data, error } = useFetched<Envelope<EventBooks>>({
    path: `/books/${account}/${eventId}`,
    ...(isPro ? { everyMs: EVERY_MS } : {}),
  });
  const book = data?.data.buckets.find((entry) => entry.bucket === bucket);
  return (
    <Panel
      title={`Order book for ${bucket}`}
      className="depth"
      aside={data ? <span className="fine num">Yes shares, {formatTime(data.data.read_ts)}</span> : null}
    >
      {error ? <Failure error={error} hasOld={data !== null} /> : null}
      {book && book.bids.length + book.asks.length > 0 ? (
        <div className="depth-parts">
          <DepthPlot bids={book.bids} asks={book.asks} />
          <DepthTable bids={book.bids} asks={book.asks} />
        </div>
      ) : data ? (
        <Empty>No order book for this bucket.</Empty>
      ) : error ? null : (
        <Empty>Loading…</Empty>
      )}
    </Panel>
  );
}

interface Sides {
  bids: readonly BookLevel[];
  asks: readonly BookLevel[];
}

function DepthPlot({ bids, asks }: Sides) {
  const { ref, width } = useWidth<HTMLDivElement>(360);
  const tip = useRef<Tip | null>(null);
  useEffect(() => {
    tip.current = attachTip(ref.current!);
  }, [ref]);
  const all = [...bids, ...asks];
  const prices = all.map(({ price }) => price);
  // Draw the last level of each side one tick wide, so that its total is visible.
  const low = Math.max(0, Math.min(...prices) - EDGE);
  const high = Math.min(1, Math.max(...prices) + EDGE);
  const top = niceTop(Math.max(1, ...all.map(({ total_shares }) => total_shares)));
  const xOf = (price: number) => PAD.left + ((price - low) / (high - low)) * (width - PAD.left - PAD.right);
  const yOf = (shares: number) => HEIGHT - PAD.bottom - (shares / top) * (HEIGHT - PAD.top - PAD.bottom);
  const steps = (levels: readonly BookLevel[], end: number) => {
    const path = levels.map(({ price, total_shares }, i) =>
      i === 0 ? `M${xOf(price)} ${yOf(0)}V${yOf(total_shares)}` : `H${xOf(price)}V${yOf(total_shares)}`,
    );
    return `${path.join('')}H${xOf(end)}V${yOf(0)}Z`;
  };
  const show = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left;
    const nearest = all.toSorted((a, b) => Math.abs(xOf(a.price) - x) - Math.abs(xOf(b.price) - x))[0]!;
    tip.current?.show(x, event.clientY - box.top, describeLevel(nearest, bids.includes(nearest)));
  };
  const middle = bids[0] && asks[0] ? (bids[0].price + asks[0].price) / 2 : null;
  return (
    <div ref={ref} className="drawing depth-plot">
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label="Cumulative shares by price"
        onPointerMove={show}
        onPointerLeave={() => tip.current?.hide()}
      >
        {[0, 0.5, 1].map((share) => (
          <g key={share} className="axis">
            <line x1={PAD.left} x2={width - PAD.right} y1={yOf(top * share)} y2={yOf(top * share)} />
            <text x={PAD.left - 6} y={yOf(top * share) + 4} textAnchor="end">
              {formatCount(top * share)}
            </text>
          </g>
        ))}
        {bids.length > 0 ? <path className="depth-bids" d={steps(bids, low)} /> : null}
        {asks.length > 0 ? <path className="depth-asks" d={steps(asks, high)} /> : null}
        <text className="axis-label" x={PAD.left} y={HEIGHT - 6}>
          {formatCents(low)}
        </text>
        {middle === null ? null : (
          <text className="axis-label" x={xOf(middle)} y={HEIGHT - 6} textAnchor="middle">
            {formatCents(middle)}
          </text>
        )}
        <text className="axis-label" x={width - PAD.right} y={HEIGHT - 6} textAnchor="end">
          {formatCents(high)}
        </text>
      </svg>
    </div>
  );
}

function describeLevel({ price, shares, total_shares }: BookLevel, isBid: boolean): TipText {
  const lines: TipLine[] = [
    { name: 'Shares', value: formatCount(Math.floor(shares)), source: isBid ? 'own' : 'market' },
    { name: 'Total', value: formatCount(Math.floor(total_shares)) },
  ];
  return { ts: 0, title: `${isBid ? 'Bid' : 'Ask'} ${formatCents(price)}`, lines };
}

function DepthTable({ bids, asks }: Sides) {
  const rows = Math.min(ROWS, Math.max(bids.length, asks.length));
  return (
    <ScrollTable label="Nearest levels">
      <table className="table">
        <TableHead columns={['Bid', 'Shares', 'Total', 'Ask', 'Shares ', 'Total ']} />
        <tbody>
          {Array.from({ length: rows }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are book levels, identified only by rank.
            <tr key={i}>
              <Level level={bids[i]} />
              <Level level={asks[i]} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}

function Level({ level }: { level: BookLevel | undefined }) {
  return (
    <>
      <td className="num strong">{formatPrice(level?.price)}</td>
      <td className="num">{level ? formatCount(Math.floor(level.shares)) : '–'}</td>
      <td className="num">{level ? formatCount(Math.floor(level.total_shares)) : '–'}</td>
    </>
  );
}
