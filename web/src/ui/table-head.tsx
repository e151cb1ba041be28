// The head row of a table. Numbers stand right; columns of words, named again in `words`, stand left.

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
