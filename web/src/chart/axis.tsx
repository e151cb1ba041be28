// The axes of a drawing.

interface ValueAxisProps {
  ticks: readonly number[];
  /** Ends of the horizontal lines. */
  from: number;
  to: number;
  yOf: (tick: number) => number;
  format: (tick: number) => string;
  /** Between a label and its line. */
  gap?: number;
}

export function ValueAxis({ ticks, from, to, yOf, format, gap = 6 }: ValueAxisProps) {
  return ticks.map((tick) => (
    <g key={tick} className="axis">
      <line x1={from} x2={to} y1={yOf(tick)} y2={yOf(tick)} />
      <text x={from - gap} y={yOf(tick) + 4} textAnchor="end">
        {format(tick)}
      </text>
    </g>
  ));
}

interface ShareAxisProps {
  xOf: (share: number) => number;
  y: number;
  format: (share: number) => string;
}

/** Labels at the start, middle and end of an axis; the outer ones stay inside the drawing. */
export function ShareAxis({ xOf, y, format }: ShareAxisProps) {
  return (['start', 'middle', 'end'] as const).map((anchor, i) => (
    <text key={anchor} className="axis-label" x={xOf(i / 2)} y={y} textAnchor={anchor}>
      {format(i / 2)}
    </text>
  ));
}
