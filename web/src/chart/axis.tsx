// Lines and labels of the axes of a drawing.

interface GridlineProps {
  from: number;
  to: number;
  y: number;
  label: string;
  /** Between the label and the line. */
  gap?: number;
}

/** A horizontal line with its value to the left. */
export function Gridline({ from, to, y, label, gap = 6 }: GridlineProps) {
  return (
    <g className="axis">
      <line x1={from} x2={to} y1={y} y2={y} />
      <text x={from - gap} y={y + 4} textAnchor="end">
        {label}
      </text>
    </g>
  );
}

interface LabelProps {
  /** Share of the axis to the left of `x`; the labels at both ends stay inside the drawing. */
  share: number;
  x: number;
  y: number;
  label: string;
}

export function AxisLabel({ share, x, y, label }: LabelProps) {
  const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle';
  return (
    <text className="axis-label" x={x} y={y} textAnchor={anchor}>
      {label}
    </text>
  );
}
