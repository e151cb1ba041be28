// Button that downloads a chart's data as CSV.

import { useState } from 'react';
import { downloadCsv } from '../api/csv.ts';
import type { Query } from '../api/request.ts';

interface Props {
  path: string;
  query?: Query;
  /** File name. */
  name: string;
  /** What the file contains, for screen readers. */
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
