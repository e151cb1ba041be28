// Formats the payload shapes seen by the doctor. Pure.

import type { SeenShapes } from '../sources/doctor/shapes/shape-notebook.ts';
import { toPrintableText } from './text-table.ts';

export function describeShapes(shapes: readonly SeenShapes[]): string {
  const subjects = shapes.map(({ account, feed }) => (account === null ? feed : `${account} ${feed}`));
  const width = Math.max(0, ...subjects.map(({ length }) => length));
  const lines = shapes.flatMap((one, i) =>
    describeOne(one).map((text, row) => `${(row === 0 ? subjects[i]! : '').padEnd(width)}  ${text}`),
  );
  return toPrintableText(['payload shapes', ...lines].join('\n'));
}

function describeOne({ seen, notSeen, unknown }: SeenShapes): string[] {
  const count = (shapes: Record<string, number>) =>
    Object.entries(shapes)
      .map(([name, times]) => `${name} (${times})`)
      .join(', ');
  return [
    ...(Object.keys(seen).length > 0 ? [`seen      ${count(seen)}`] : []),
    ...(notSeen.length > 0 ? [`not seen  ${notSeen.join(', ')}`] : []),
    ...(Object.keys(unknown).length > 0 ? [`UNKNOWN   ${count(unknown)} (please report)`] : []),
  ];
}
