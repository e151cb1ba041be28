// A titled section of a page, and small parts shared by all sections.

import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { ServiceError } from '../api/request.ts';
import { canPass } from '../api/use-retry.ts';
import { useIsHost, useOutage } from '../live/live-context.tsx';
import type { Fetched } from '../live/use-fetched.ts';
import { formatLength } from '../words/format.ts';
import { MainButton } from './button.tsx';
import { DemoKeyButton, openKeyDialog } from './key-dialog.tsx';

interface PanelProps {
  title: string;
  className?: string;
  /** Controls or a short note to the right of the title. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Panel({ title, className = '', aside, children }: PanelProps) {
  const id = useId();
  return (
    <section className={`panel ${className}`.trim()} aria-labelledby={id}>
      <header className="panel-head">
        <h2 id={id}>{title}</h2>
        {aside ? <div className="panel-aside">{aside}</div> : null}
      </header>
      {children}
    </section>
  );
}

/** Takes the place of a panel that has nothing to show yet; a stack puts it last. */
export function QuietLine({ title, className = '', aside, children }: PanelProps) {
  return (
    <div className={`quiet-line fine ${className}`}>
      <h2>{title}</h2> <span>{children}</span> {aside}
    </div>
  );
}

/** Says what a PRO key adds, without placeholder numbers. */
export function ProNote({ children }: { children: ReactNode }) {
  return (
    <p className="pro-note">
      <span className="tag tag-pro">PRO</span> <span>{children}</span>
    </p>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return <p className="empty">{children}</p>;
}

/** Keeps a chart's place while its script loads. */
export function PlotSpace() {
  return (
    <div className="plot">
      <div className="plot-host" />
      {/* The line of hints below a chart. */}
      <p className="fine">{'\u00a0'}</p>
    </div>
  );
}

export function Problem({ children }: { children: ReactNode }) {
  return (
    <p className="problem" role="alert">
      {children}
    </p>
  );
}

/** Replaces a page that needs a higher tier. */
export function NeedsKey({ children }: { children: ReactNode }) {
  const isHost = useIsHost();
  return (
    <section className="panel needs-key" aria-label="Needs a PRO key">
      <span className="tag tag-pro">PRO</span>
      <div className="needs-key-text">{children}</div>
      <div className="button-row">
        <MainButton onClick={openKeyDialog}>Enter a key</MainButton>
        <DemoKeyButton />
      </div>
      <p className="fine">The key stays in this tab and is deleted when you close it.</p>
      {isHost ? <HostNote /> : null}
    </section>
  );
}

/** The person who runs the service issues keys instead of waiting for one. */
export function HostNote() {
  return (
    <p className="fine">
      You host this service, so you can create one:{' '}
      <code>npx tallycast keys issue --tier PRO --label NAME</code>
    </p>
  );
}

export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="page-head">
      <h1>{title}</h1>
      {children ? <div className="lede">{children}</div> : null}
    </header>
  );
}

interface ChoiceProps<T extends string | number> {
  label: string;
  options: readonly { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
}

/** A row of radio buttons that looks like one control. */
export function Choice<T extends string | number>({ label, options, value, onChange }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className="choice">
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="choice-option">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface ScrollProps {
  label: string;
  className?: string;
  children: ReactNode;
}

/** A table that may be wider than its panel: scrolls sideways by mouse or keyboard, and fades at the edge. */
export function ScrollTable({ label, className = '', children }: ScrollProps) {
  const ref = useRef<HTMLElement>(null);
  const [isCut, setCut] = useState(false);
  const measure = () => {
    // A resize may be reported after the table is gone.
    if (!ref.current) return;
    const { scrollLeft, clientWidth, scrollWidth } = ref.current;
    setCut(scrollLeft + clientWidth < scrollWidth - 1);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures the element from the first render.
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(ref.current!);
    for (const child of ref.current!.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return (
    <section
      ref={ref}
      className={`table-scroll ${className}`.trim()}
      aria-label={label}
      data-cut={isCut || undefined}
      onScroll={measure}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {children}
    </section>
  );
}

interface FactProps {
  name: string;
  value: string;
  /** Unit or sample size, in small type. */
  remark?: string | null | undefined;
  sign?: string | undefined;
}

export function Fact({ name, value, remark, sign }: FactProps) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd data-sign={sign}>
        <span className="fact-value num">{value}</span> <span className="fine num">{remark}</span>
      </dd>
    </div>
  );
}

interface FailureProps {
  error: ServiceError;
  hasOld?: boolean;
  /** True if the request is not retried automatically, e.g. because it costs money. */
  isFinal?: boolean;
}

export function Failure({ error, hasOld = false, isFinal = false }: FailureProps) {
  const old = hasOld ? ' The numbers below may be out of date.' : '';
  const outage = useOutage();
  // One banner already reports a service that cannot be reached.
  if (outage !== null && error.status === 0) return hasOld ? null : <Empty>Waiting for the service…</Empty>;
  return (
    <Problem>
      {error.message}
      {describeNext(error, isFinal)}
      {error.fieldErrors.map((fault) => ` ${fault.loc.slice(1).join('.')}: ${fault.msg}.`).join('')}
      {old}
    </Problem>
  );
}

interface LoadedProps<T> {
  of: Pick<Fetched<T>, 'data' | 'error'>;
  loading?: ReactNode;
  children: (data: T) => ReactNode;
}

/** What a response shows, below the failure of a later one; a line while it loads. */
export function Loaded<T>({ of: { data, error }, loading = 'Loading…', children }: LoadedProps<T>) {
  return (
    <>
      {error ? <Failure error={error} hasOld={data !== null} /> : null}
      {data === null ? null : children(data)}
      {data === null && !error ? <Empty>{loading}</Empty> : null}
    </>
  );
}

function describeNext(error: ServiceError, isFinal: boolean): string {
  const { retryAfterS } = error;
  if (isFinal) return retryAfterS ? ` Try again in ${formatLength(retryAfterS * 1000)}.` : '';
  if (!canPass(error)) return '';
  return retryAfterS ? ` Retrying in ${formatLength(retryAfterS * 1000)}.` : ' Retrying automatically.';
}
