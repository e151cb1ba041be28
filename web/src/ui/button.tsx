// Buttons by their look, actions that may fail, and the button that downloads a chart's data.

import { type ComponentProps, useState } from 'react';
import { downloadCsv } from '../api/csv.ts';
import { describeError, type Query } from '../api/request.ts';

type ButtonProps = Omit<ComponentProps<'button'>, 'className'>;

function lookingLike(className: string) {
  return (props: ButtonProps) => <button type="button" className={className} {...props} />;
}

export const Button = lookingLike('button');
export const MainButton = lookingLike('button button-main');
export const SmallButton = lookingLike('button button-small');
/** Looks like a link, but acts on this page. */
export const LinkButton = lookingLike('link-button');

/** Runs an action; if it fails, `alert` says why. */
export function useAction(action: () => Promise<void>) {
  const [problem, setProblem] = useState<string | null>(null);
  async function run(): Promise<void> {
    setProblem(null);
    await action().catch((error: unknown) => setProblem(describeError(error)));
  }
  return { run: () => void run(), alert: problem ? <span role="alert">{problem}</span> : null };
}

interface CsvProps {
  path: string;
  query: Query;
  /** File name. */
  name: string;
  /** What the file contains, for screen readers. */
  what: string;
}

export function CsvButton({ path, query, name, what }: CsvProps) {
  const { run, alert } = useAction(() => downloadCsv(path, query, name));
  return (
    <>
      {alert}
      <SmallButton aria-label={`${what} as CSV`} onClick={run}>
        CSV
      </SmallButton>
    </>
  );
}
