// Places mark labels on a time axis without overlap: next to their line, in the first free row, newest first.
// A label that does not fit is omitted; its line and tooltip stay.

export interface Mark {
  x: number;
  label: string;
}

export interface Place {
  row: number;
  /** Which end of the label is at the line. */
  anchor: 'start' | 'end';
}

/** Character width at the label's font size; slightly more than most letters need. */
const LETTER_WIDTH = 6.4;
const GAP = 6;

export function placeLabels(
  marks: readonly Mark[],
  bounds: { left: number; right: number; rows: number },
): (Place | null)[] {
  const rows = Array.from({ length: bounds.rows }, (): { from: number; to: number }[] => []);
  const places = marks.map((): Place | null => null);
  const newestFirst = [...marks.keys()].sort((a, b) => marks[b]!.x - marks[a]!.x);
  for (const i of newestFirst) {
    const { x, label } = marks[i]!;
    const width = label.length * LETTER_WIDTH + GAP;
    const sides = [
      { anchor: 'end', from: x - width, to: x },
      { anchor: 'start', from: x, to: x + width },
    ] as const;
    const side = sides.find(({ from, to }) => from >= bounds.left && to <= bounds.right);
    if (!side) continue;
    const row = rows.findIndex((taken) => taken.every(({ from, to }) => side.to < from || side.from > to));
    if (row < 0) continue;
    rows[row]!.push(side);
    places[i] = { row, anchor: side.anchor };
  }
  return places;
}
