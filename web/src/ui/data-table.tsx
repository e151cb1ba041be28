// A table described by its columns. The first column names the row. On a phone, rows of a table with the class
// table-cards become cards, labelled with the columns' names.

import type { ReactNode } from 'react';
import { formatPoints, formatProbability, signOf } from '../words/format.ts';
import { ScrollTable } from './panel.tsx';

type Read<Row> = (row: Row) => number | null | undefined;

export interface DataColumn<Row> {
  name: string;
  cell?: (row: Row) => ReactNode;
  /** Instead of a cell: a probability or price, or a difference in percentage points with its sign. */
  percent?: Read<Row>;
  points?: Read<Row>;
  /** 'num' unless given; 'text' starts at the left, and 'text wrap' may take several lines. */
  className?: string;
  sign?: (row: Row) => string | undefined;
}

type Marks = Record<`data-${string}`, string | number | boolean | undefined> & { hidden?: boolean };

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** A column that is false is left out. */
  columns: readonly (DataColumn<Row> | false)[];
  caption?: ReactNode;
  /** Classes of the table, besides 'table'. */
  className?: string;
  scrollClassName?: string;
  /** Attributes of a row. */
  marks?: (row: Row) => Marks;
}

export function DataTable<Row>(props: Props<Row>) {
  const { label, rows, keyOf, columns, caption, className = '', scrollClassName, marks } = props;
  const [head, ...rest] = columns.filter((column) => column !== false) as [
    DataColumn<Row>,
    ...DataColumn<Row>[],
  ];
  return (
    <ScrollTable label={label} {...(scrollClassName && { className: scrollClassName })}>
      <table className={`table ${className}`.trim()}>
        {caption ? <caption className="table-caption">{caption}</caption> : null}
        <thead>
          <tr>
            {[head, ...rest].map((column) => (
              <th key={column.name} scope="col" className={column.className}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...marks?.(row)}>
              <th scope="row" className={head.className ?? 'num'}>
                {contentOf(head, row)}
              </th>
              {rest.map((column) => (
                <td
                  key={column.name}
                  className={column.className ?? 'num'}
                  data-name={column.className?.includes('wrap') ? undefined : column.name}
                  data-sign={column.sign?.(row) ?? signOf(column.points?.(row))}
                >
                  {contentOf(column, row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}

function contentOf<Row>({ cell, percent, points }: DataColumn<Row>, row: Row): ReactNode {
  if (percent) return formatProbability(percent(row));
  return points ? formatPoints(points(row)) : cell?.(row);
}
