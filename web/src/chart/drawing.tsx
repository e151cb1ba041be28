// A drawing in SVG that follows its box's width, so that text keeps its size, with axes and a tooltip at the cursor.

import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { attachTip, type Tip, type TipText } from './tip.ts';

export interface Pad {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The edges of the plotted area in pixels, and places in it by share: 0 is left or bottom, 1 right or top. */
export interface Frame {
  width: number;
  height: number;
  left: number;
  right: number;
  bottom: number;
  xOf(share: number): number;
  yOf(share: number): number;
}

interface Props {
  label: string;
  pad: Pad;
  height: number | ((width: number) => number);
  className?: string;
  /** Whether it contains links, so that it is more than an image. */
  hasLinks?: boolean;
  /** Describes the place under the pointer; null for none. */
  describe?: (x: number, frame: Frame, event: PointerEvent) => TipText | null;
  onLeave?: () => void;
  children: (frame: Frame) => ReactNode;
}

const FIRST_WIDTH = 320;
const MIN_WIDTH = 160;

export function Drawing(props: Props) {
  const { label, pad, height, className = '', hasLinks = false, describe, onLeave, children } = props;
  const ref = useRef<HTMLDivElement>(null);
  const tip = useRef<Tip | null>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  useEffect(() => {
    const element = ref.current!;
    tip.current = attachTip(element);
    const measure = () => setWidth(Math.max(MIN_WIDTH, Math.floor(element.clientWidth)));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const frame = createFrame(width, typeof height === 'number' ? height : height(width), pad);
  const point = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left;
    const text = describe?.(x, frame, event);
    if (text) tip.current?.show(x, event.clientY - box.top, text);
    else tip.current?.hide();
  };
  return (
    <div ref={ref} className={`drawing ${className}`.trim()}>
      <svg
        width={width}
        height={frame.height}
        role={hasLinks ? undefined : 'img'}
        aria-label={label}
        onPointerDown={point}
        onPointerMove={point}
        onPointerLeave={() => {
          tip.current?.hide();
          onLeave?.();
        }}
      >
        {children(frame)}
      </svg>
    </div>
  );
}

function createFrame(width: number, height: number, pad: Pad): Frame {
  const right = width - pad.right;
  const bottom = height - pad.bottom;
  const xOf = (share: number) => pad.left + share * (right - pad.left);
  const yOf = (share: number) => bottom - share * (bottom - pad.top);
  return { width, height, left: pad.left, right, bottom, xOf, yOf };
}

interface ValueAxisProps {
  frame: Pick<Frame, 'left' | 'right'>;
  ticks: readonly number[];
  yOf: (tick: number) => number;
  format: (tick: number) => string;
  /** Between a label and its line. */
  gap?: number;
}

export function ValueAxis({ frame, ticks, yOf, format, gap = 6 }: ValueAxisProps) {
  return ticks.map((tick) => (
    <g key={tick} className="axis">
      <line x1={frame.left} x2={frame.right} y1={yOf(tick)} y2={yOf(tick)} />
      <text x={frame.left - gap} y={yOf(tick) + 4} textAnchor="end">
        {format(tick)}
      </text>
    </g>
  ));
}

interface ShareAxisProps {
  frame: Frame;
  y: number;
  format: (share: number) => string;
  ends?: boolean;
}

/** Labels at the start, middle and end of an axis, or only at its ends; the outer ones stay inside the drawing. */
export function ShareAxis({ frame, y, format, ends = false }: ShareAxisProps) {
  return (['start', 'middle', 'end'] as const).map((anchor, i) =>
    ends && i === 1 ? null : (
      <text key={anchor} className="axis-label" x={frame.xOf(i / 2)} y={y} textAnchor={anchor}>
        {format(i / 2)}
      </text>
    ),
  );
}

/** Rounds an axis maximum up, so that half of it is also a round number. */
export function niceTop(value: number): number {
  return roundUp(value, [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10]);
}

/** Rounds up to one of the steps times a power of ten. */
export function roundUp(value: number, steps: readonly number[]): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return unit * (steps.find((step) => step * unit >= value) ?? 10);
}
