// The head row of a table. Numbers are right-aligned; text columns, listed in `words`, left-aligned.

interface Props {
  columns: readonly string[];
  words?: readonly string[];
}

export function TableHead({ columns, words = [] }: Props) {
  return (
    <thead>
      <tr>
        {columns.map((name) => (
          <th key={name} scope="col" className={words.includes(name) ? 'text' : undefined}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
