// Count, forecast and one bucket's price on a shared time axis; click or drag to select a moment.

import { memo, type PointerEvent, useMemo, useRef } from 'react';
import type { CoursePoint, CourseRecord } from '../../api/records.ts';
import { Drawing, type Frame, roundUp, ValueAxis } from '../../chart/drawing.tsx';
import type { TipLine, TipText } from '../../chart/tip.ts';
import {
  formatCount,
  formatDayTime,
  formatProbability,
  formatShortDay,
  formatTime,
  readHour,
} from '../../words/format.ts';
import { useZone } from '../../words/zone.ts';
import { type CourseScale, createScale, drawFan, drawLine, indexAt } from './course-scale.ts';
import { listMarkers, type Marker } from './markers.ts';

const HEIGHT = 400;
const PAD = { left: 44, right: 10, top: 10, bottom: 34 };
const ROWS = { countTop: 10, countBottom: 240, priceTop: 276, priceBottom: 366 };
/** Height of the row of marks between counts and prices. */
const MARK_Y = 258;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Props {
  course: CourseRecord;
  bucketIndex: number;
  index: number;
  onIndex: (index: number) => void;
}

export function CourseChart({ course, bucketIndex, index, onIndex }: Props) {
  const zone = useZone();
  const { points } = course;
  const hair = useRef<SVGLineElement>(null);
  /** Written straight to the DOM, like the tooltip; null hides it. */
  const moveHair = (x: number | null) => {
    hair.current?.setAttribute('visibility', x === null ? 'hidden' : 'visible');
    if (x !== null) hair.current?.setAttribute('transform', `translate(${x})`);
  };
  const goTo = (x: number, { width }: Frame, event: PointerEvent) => {
    const scale = scaleOf(course, width);
    const under = indexAt(points, scale.tsAt(x));
    moveHair(scale.xOf(points[under]!.timestamp));
    if (event.type === 'pointerdown' || event.buttons !== 0) onIndex(under);
    return describePoint(points[under]!, course, bucketIndex);
  };
  return (
    <Drawing
      className="course-chart"
      label={`History of ${course.event_title}: count, forecast and the price of ${course.buckets[bucketIndex]?.bucket}. Use the slider below to select a moment; the panel below describes it as text.`}
      pad={PAD}
      height={HEIGHT}
      describe={goTo}
      onLeave={() => moveHair(null)}
    >
      {({ width }) => (
        <>
          <Lines key={zone} course={course} bucketIndex={bucketIndex} width={width} />
          <line ref={hair} className="course-hair" y1={4} y2={ROWS.priceBottom} visibility="hidden" />
          {points[index] ? <Cursor point={points[index]} scale={scaleOf(course, width)} /> : null}
        </>
      )}
    </Drawing>
  );
}

function scaleOf(course: CourseRecord, width: number): CourseScale {
  const frame = { ...ROWS, ...PAD, width };
  return createScale(course, course.points, course.settlement?.final_count ?? null, frame);
}

function Cursor({ point, scale }: { point: CoursePoint; scale: CourseScale }) {
  const x = scale.xOf(point.timestamp);
  return (
    <g className="course-cursor">
      <line x1={x} x2={x} y1={4} y2={ROWS.priceBottom} />
      <circle cx={x} cy={scale.countY(point.real_counter)} r={4} />
    </g>
  );
}

function describePoint(point: CoursePoint, { buckets }: CourseRecord, bucketIndex: number): TipText {
  const { forecast } = point;
  const model = point.model_probs?.[bucketIndex];
  const bucket = buckets[bucketIndex]?.bucket ?? '';
  const lines: TipLine[] = [{ name: 'Our count', value: formatCount(point.real_counter), source: 'own' }];
  if (point.market_oracle_counter !== null)
    lines.push({ name: 'Oracle', value: formatCount(point.market_oracle_counter), source: 'oracle' });
  if (forecast) {
    const range = `${formatCount(forecast.p50)}, ${formatCount(forecast.p5)} to ${formatCount(forecast.p95)}`;
    lines.push({ name: 'Forecast', value: range, source: 'own' });
  }
  const price = formatProbability(point.market_prices[bucketIndex]);
  lines.push({ name: `Price of ${bucket}`, value: price, source: 'market' });
  if (model !== undefined)
    lines.push({ name: `Model for ${bucket}`, value: formatProbability(model), source: 'own' });
  const title = `${formatDayTime(point.timestamp)}${point.recomputed ? ', recomputed' : ''}`;
  return { ts: point.timestamp, title, lines };
}

type LinesProps = Pick<Props, 'course' | 'bucketIndex'> & { width: number };

/** Everything that does not depend on the selected moment. */
const Lines = memo(function Lines({ course, bucketIndex, width }: LinesProps) {
  const { points, settlement, signals } = course;
  const scale = useMemo(() => scaleOf(course, width), [course, width]);
  const markers = useMemo(() => listMarkers(points, signals), [points, signals]);
  const { countY, priceY } = scale;
  const edges = { left: PAD.left, right: width - PAD.right };
  const lines: [name: string, read: (point: CoursePoint) => number | null | undefined, yOf: typeof countY][] =
    [
      ['median', (point) => point.forecast?.p50, countY],
      ['oracle', (point) => point.market_oracle_counter, countY],
      ['own', (point) => point.real_counter, countY],
      ['model', (point) => point.model_probs?.[bucketIndex], priceY],
      ['price', (point) => point.market_prices[bucketIndex], priceY],
    ];
  const step = roundUp(Math.max(1, scale.countMax / 4), [1, 2, 5, 10]);
  const counts = Array.from({ length: Math.floor(scale.countMax / step) + 1 }, (_, i) => i * step);
  return (
    <>
      <ValueAxis frame={edges} ticks={counts} yOf={countY} format={formatCount} />
      <ValueAxis frame={edges} ticks={[0, 0.5, 1]} yOf={priceY} format={(price) => `${price * 100}%`} />
      <TimeAxis course={course} scale={scale} />
      <RecomputedBand points={points} scale={scale} />
      <path className="course-fan" d={drawFan(points, scale)} />
      {lines.map(([name, read, yOf]) => (
        <path key={name} className={`course-${name}`} d={drawLine(points, scale, read, yOf)} />
      ))}
      {settlement ? (
        <line
          className="course-final"
          x1={edges.left}
          x2={edges.right}
          y1={countY(settlement.final_count)}
          y2={countY(settlement.final_count)}
        />
      ) : null}
      {markers.map((marker) => (
        <Mark key={`${marker.kind} ${marker.fromTs} ${describe(marker)}`} marker={marker} scale={scale} />
      ))}
    </>
  );
});

/** Marks the part before the service started, which always comes first. */
function RecomputedBand({ points, scale }: { points: readonly CoursePoint[]; scale: CourseScale }) {
  const first = points.find(({ recomputed }) => recomputed);
  const last = points.findLast(({ recomputed }) => recomputed);
  if (!first || !last) return null;
  const [from, to] = [scale.xOf(first.timestamp), scale.xOf(last.timestamp)];
  return (
    <rect
      className="course-recomputed"
      x={from}
      y={4}
      width={Math.max(2, to - from)}
      height={ROWS.priceBottom - 4}
    />
  );
}

function Mark({ marker, scale }: { marker: Marker; scale: CourseScale }) {
  const from = scale.xOf(marker.fromTs);
  const length = Math.max(6, scale.xOf(marker.toTs) - from);
  return (
    <g className="course-mark" data-kind={marker.kind}>
      <title>{describe(marker)}</title>
      {marker.kind === 'signal' ? (
        <path d={`M${from} ${MARK_Y - 8}l6 10h-12z`} />
      ) : (
        <rect
          x={from}
          y={marker.kind === 'burst' ? MARK_Y - 12 : MARK_Y + 3}
          width={length}
          height={6}
          rx={2}
        />
      )}
    </g>
  );
}

export function describe(marker: Marker): string {
  const when = `${formatShortDay(marker.fromTs)} ${formatTime(marker.fromTs)}`;
  if (marker.kind === 'burst') return `Burst, ${when}: ${formatCount(marker.posts)} posts`;
  if (marker.kind === 'gap')
    return `Oracle stalled, ${when} to ${formatTime(marker.toTs)}, while ${formatCount(marker.behind)} posts were made`;
  const end = marker.won === null ? 'open' : marker.won ? 'won' : 'lost';
  return `Signal, ${when}: buy ${marker.bucket}, ${end}`;
}

/** A label at midnight of each day, at most one per 70 pixels. */
function TimeAxis({ course, scale }: { course: CourseRecord; scale: CourseScale }) {
  const firstTs = course.start_ts + ((24 - readHour(course.start_ts)) % 24) * HOUR_MS;
  const days = (course.end_ts - course.start_ts) / DAY_MS;
  const room = Math.max(1, Math.floor((scale.xOf(course.end_ts) - scale.xOf(course.start_ts)) / 70));
  const everyMs = Math.max(1, Math.ceil(days / room)) * DAY_MS;
  const count = Math.ceil((course.end_ts - firstTs) / everyMs);
  return Array.from({ length: count }, (_, i) => firstTs + i * everyMs).map((ts) => (
    <text key={ts} className="axis-label" x={scale.xOf(ts)} y={HEIGHT - 14}>
      {/* After a clock change, midnight is an hour earlier or later. */}
      {formatShortDay(ts + 2 * HOUR_MS)}
    </text>
  ));
}
