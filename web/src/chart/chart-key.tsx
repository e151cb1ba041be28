// What a chart's lines and areas mean, with their values now.

import type { ReactNode } from 'react';

export interface KeyEntry {
  /** Sets the colour and shape. */
  line: string;
  name: string;
  value?: ReactNode;
}

export function ChartKey({ entries }: { entries: readonly (KeyEntry | null | false)[] }) {
  return (
    <ul className="chart-key">
      {entries
        .filter((entry) => entry !== null && entry !== false)
        .map(({ line, name, value }) => (
          <li key={`${line} ${name}`} data-line={line}>
            {name} {value === undefined ? null : <strong className="num">{value}</strong>}
          </li>
        ))}
    </ul>
  );
}
