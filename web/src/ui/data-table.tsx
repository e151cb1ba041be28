// A table described by its columns. The first column names the row. On a phone, rows of a table with the class
// table-cards become cards, labelled with the columns' names.

import type { ReactNode } from 'react';
import { ScrollTable, TableHead } from './panel.tsx';

export interface DataColumn<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  /** 'num' unless given; 'text' starts at the left, and 'text wrap' may take several lines. */
  className?: string;
  sign?: (row: Row) => string | undefined;
}

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  columns: readonly DataColumn<Row>[];
  caption?: ReactNode;
  /** Classes of the table, besides 'table'. */
  className?: string;
  scrollClassName?: string;
  /** Attributes of a row. */
  marks?: (row: Row) => Record<`data-${string}`, string>;
}

export function DataTable<Row>(props: Props<Row>) {
  const { label, rows, keyOf, columns, caption, className = '', scrollClassName, marks } = props;
  const [head, ...rest] = columns as [DataColumn<Row>, ...DataColumn<Row>[]];
  const words = rest.filter(isWords).map(({ name }) => name);
  return (
    <ScrollTable label={label} {...(scrollClassName && { className: scrollClassName })}>
      <table className={`table ${className}`.trim()}>
        {caption ? <caption className="table-caption">{caption}</caption> : null}
        <TableHead columns={columns.map(({ name }) => name)} words={words} />
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...marks?.(row)}>
              <th scope="row" className={head.className ?? 'num'}>
                {head.cell(row)}
              </th>
              {rest.map((column) => (
                <td
                  key={column.name}
                  className={column.className ?? 'num'}
                  data-name={column.className?.includes('wrap') ? undefined : column.name}
                  data-sign={column.sign?.(row)}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}

function isWords({ className }: { className?: string }): boolean {
  return className?.split(' ').includes('text') ?? false;
}
