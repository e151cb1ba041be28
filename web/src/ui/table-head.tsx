// A table's header row. Text columns, listed in `words`, are left-aligned; numbers are right-aligned.

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
