// Draws the newest posts as tally strokes, each coloured by the last source that counted it. Strokes to the
// right of a source's marker are not yet counted by that source.

interface Props {
  own: number | null;
  oracle: number | null;
  ui: number | null;
}

const STROKES = 30;
const WIDTH = 620;
const STEP = WIDTH / (STROKES + 1);

export function TallyRail({ own, oracle, ui }: Props) {
  const known = [own, oracle, ui].filter((count): count is number => count !== null);
  const top = known.length > 0 ? Math.max(...known) : 0;
  // Starts with a whole group of five, so no slash is cut off at the edge.
  const first = Math.max(1, Math.ceil((top - STROKES) / 5) * 5 + 1);
  const strokes = known.length === 0 ? [] : Array.from({ length: top - first + 1 }, (_, i) => first + i);
  const xOf = (count: number) => (count - first + 1) * STEP;
  return (
    <svg className="tally-rail" viewBox={`0 0 ${WIDTH} 64`} aria-hidden="true">
      {strokes.map((count) => (
        <path
          key={count}
          className="stroke"
          data-state={strokeState(count, own, oracle)}
          d={
            count % 5 === 0
              ? `M${xOf(count) - STEP * 4.45} 31 L${xOf(count) - STEP * 0.4} 9`
              : `M${xOf(count)} 6 V34`
          }
        />
      ))}
      <Marker x={clampedX(oracle, first, xOf)} source="oracle" label="oracle" row={0} />
      <Marker x={clampedX(ui, first, xOf)} source="ui" label="page" row={1} />
    </svg>
  );
}

function strokeState(count: number, own: number | null, oracle: number | null): string {
  if (oracle !== null && count <= oracle) return own !== null && count > own ? 'oracle-only' : 'settled';
  return 'ours';
}

/** Puts a source that lags by more strokes than the rail shows at the left end. */
function clampedX(count: number | null, first: number, xOf: (count: number) => number): number | null {
  return count === null ? null : Math.max(STEP * 0.5, xOf(Math.max(first - 1, count)) + STEP / 2);
}

function Marker({ x, source, label, row }: { x: number | null; source: string; label: string; row: number }) {
  if (x === null) return null;
  const y = row === 0 ? 49 : 62;
  return (
    <g className="marker" data-source={source}>
      <path d={`M${x} 2 V${y - 4}`} />
      <text x={x - 5} y={y} textAnchor="end">
        {label}
      </text>
    </g>
  );
}
