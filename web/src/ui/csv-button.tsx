// The figures of a chart as a file.

import { useState } from 'react';
import { downloadCsv } from '../api/csv.ts';
import type { Query } from '../api/request.ts';

interface Props {
  path: string;
  query?: Query;
  /** Of the file. */
  name: string;
  /** Of what; for who hears the page. */
  what: string;
}

export function CsvButton({ path, query = {}, name, what }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  async function save(): Promise<void> {
    setProblem(null);
    try {
      await downloadCsv(path, query, name);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  }
  return (
    <>
      {problem ? <span role="alert">{problem}</span> : null}
      <button
        type="button"
        className="button button-small"
        aria-label={`${what} as CSV`}
        onClick={() => void save()}
      >
        CSV
      </button>
    </>
  );
}
