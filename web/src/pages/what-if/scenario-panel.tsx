// Two sliders and a wake time, and the ladder in that scenario next to the published one.

import { useEffect, useId, useState } from 'react';
import type { PredictionRecord, WhatIfBody, WhatIfRecord } from '../../api/records.ts';
import { fetchJson, type ServiceError, toServiceError } from '../../api/request.ts';
import { useRetry } from '../../api/use-retry.ts';
import { AdviceText } from '../../ui/advice-text.tsx';
import { LinkButton, SmallButton } from '../../ui/button.tsx';
import { InputRow } from '../../ui/controls.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty, Fact, Failure, Panel } from '../../ui/panel.tsx';
import { describeTrigger, isActive } from '../../words/advice.ts';
import { formatCount, formatProbability, joinReasons, plural } from '../../words/format.ts';
import { type Column, DistributionChart } from './distribution-chart.tsx';
import {
  isNeutral,
  MAX_SILENT_HOURS,
  NEUTRAL,
  PACE_STEPS,
  paceOf,
  type Scenario,
  toBody,
} from './scenario.ts';

interface Props {
  account: string;
  eventId: number;
  prediction: PredictionRecord | undefined;
}

export function ScenarioPanel({ account, eventId, prediction }: Props) {
  const [scenario, setScenario] = useState<Scenario>(NEUTRAL);
  const { answer, isOld, error } = useWhatIf(account, toBody(eventId, scenario));
  return (
    <Panel
      title="Scenario"
      className="what-if"
      aside={
        <SmallButton disabled={isNeutral(scenario)} onClick={() => setScenario(NEUTRAL)}>
          Reset
        </SmallButton>
      }
    >
      <Controls scenario={scenario} onChange={setScenario} />
      {error ? <Failure error={error} hasOld={answer !== null && !isOld} /> : null}
      {isOld && !error ? <Empty>Computing…</Empty> : null}
      {answer && !(isOld && error) ? (
        <div aria-busy={isOld}>
          <Outcome answer={answer} prediction={prediction} />
        </div>
      ) : null}
    </Panel>
  );
}

function Controls({ scenario, onChange }: { scenario: Scenario; onChange: (next: Scenario) => void }) {
  const pace = scenario.paceStep === 0 ? 'as expected' : `${paceOf(scenario)} times the expected pace`;
  const silence = scenario.silentHours === 0 ? 'no silence' : `${scenario.silentHours} h of silence from now`;
  return (
    <div className="what-if-controls">
      <Slider
        name="Pace"
        min={-PACE_STEPS}
        max={PACE_STEPS}
        value={scenario.paceStep}
        words={pace}
        onChange={(paceStep) => onChange({ ...scenario, paceStep })}
      />
      <Slider
        name="Silence"
        min={0}
        max={MAX_SILENT_HOURS}
        value={scenario.silentHours}
        words={scenario.wakeAt === '' ? silence : 'until it wakes'}
        onChange={(silentHours) => onChange({ ...scenario, silentHours, wakeAt: '' })}
      />
      <div>
        <InputRow
          label="Wakes at"
          type="datetime-local"
          className="num"
          value={scenario.wakeAt}
          onChange={(event) => onChange({ ...scenario, wakeAt: event.target.value })}
        />
        <span className="fine">your time; no posts before this</span>
      </div>
    </div>
  );
}

interface SliderProps extends Record<'min' | 'max' | 'value', number> {
  name: string;
  /** What the value means. */
  words: string;
  onChange: (value: number) => void;
}

function Slider({ name, words, onChange, ...range }: SliderProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>{name}</label>
      <input
        {...range}
        id={id}
        type="range"
        step={1}
        aria-valuetext={words}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
      <output className="num">{words}</output>
    </div>
  );
}

/** Buckets below this probability both now and in the scenario are hidden. */
const MIN_LIVE = 0.0005;

function Outcome({ answer, prediction }: { answer: WhatIfRecord; prediction: PredictionRecord | undefined }) {
  const { forecast, published, ladder } = answer;
  const before = new Map(prediction?.markets.map(({ title, model_prob }) => [title, model_prob ?? null]));
  const rows = ladder.rows.map((row) => ({
    ...row,
    now: before.get(row.bucket) ?? null,
    assumed: row.model_prob,
  }));
  return (
    <>
      <dl className="facts" data-scenario={JSON.stringify(answer.scenario)}>
        <Range name="Scenario forecast" range={forecast} />
        <Range name="Published now" range={published} />
      </dl>
      <DistributionChart columns={rows.filter(isLive)} />
      <AdviceThen rows={rows} />
      <Ladder rows={rows} />
    </>
  );
}

function isLive({ now, assumed }: Column): boolean {
  return (now ?? 0) >= MIN_LIVE || assumed >= MIN_LIVE;
}

type LadderRow = WhatIfRecord['ladder']['rows'][number] & Column;

function Ladder({ rows }: { rows: readonly LadderRow[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const idle = rows.filter((row) => !isLive(row)).length;
  return (
    <>
      <DataTable
        label="Scenario ladder"
        scrollClassName="what-if-ladder"
        rows={rows}
        keyOf={({ bucket }) => bucket}
        marks={(row) => ({ 'data-verdict': row.advice.verdict, hidden: !showsAll && !isLive(row) })}
        columns={[
          { name: 'Bucket', cell: ({ bucket }) => bucket },
          { name: 'Market', percent: ({ market_price }) => market_price },
          { name: 'Model now', percent: ({ now }) => now },
          { name: 'Scenario', className: 'num strong', percent: ({ assumed }) => assumed },
          { name: 'Change (pp)', points: ({ now, assumed }) => (now === null ? null : assumed - now) },
        ]}
      />
      {idle > 0 ? (
        <LinkButton aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Hide' : 'Show'} {plural(idle, 'bucket')} at 0%
        </LinkButton>
      ) : null}
    </>
  );
}

function AdviceThen({ rows }: { rows: WhatIfRecord['ladder']['rows'] }) {
  const advised = rows.filter(({ advice }) => isActive(advice));
  if (advised.length === 0) return <NoAdvice rows={rows} />;
  return (
    <ul className="advice-then">
      {advised.map(({ bucket, advice }) => (
        <li key={bucket} data-bucket={bucket}>
          <AdviceText advice={advice} />
        </li>
      ))}
    </ul>
  );
}

/** Explains the bucket where scenario and market differ most. */
function NoAdvice({ rows }: { rows: WhatIfRecord['ladder']['rows'] }) {
  const gapOf = ({ model_prob, market_price }: (typeof rows)[number]) =>
    market_price === null ? 0 : Math.abs(model_prob - market_price);
  const [widest] = rows.toSorted((left, right) => gapOf(right) - gapOf(left));
  const trigger = widest ? describeTrigger(widest.advice) : null;
  return (
    <div className="advice-then">
      <p>No advice in this scenario.</p>
      {widest && gapOf(widest) > 0 ? (
        <p className="fine num" data-bucket={widest.bucket}>
          Largest difference: {widest.bucket}, {formatProbability(widest.model_prob)} in the scenario against{' '}
          {formatProbability(widest.market_price)} by the market. Advice weighs both by how often each was
          right: {formatProbability(widest.belief_prob)}.{' '}
          {widest.advice.abstain_reason ? joinReasons([widest.advice.abstain_reason]) : null}
          {trigger ? ` It would buy ${trigger} or less.` : null}
        </p>
      ) : null}
    </div>
  );
}

function Range({ name, range }: { name: string; range: { p5: number; p50: number; p95: number } }) {
  const remark = `${formatCount(range.p5)} to ${formatCount(range.p95)}`;
  return <Fact name={name} value={formatCount(range.p50)} remark={remark} />;
}

/** Minimum interval between requests while dragging a slider. */
const SETTLE_MS = 30;

interface Imagined {
  answer: WhatIfRecord | null;
  /** Whether the answer is about an earlier scenario. */
  isOld: boolean;
  error: ServiceError | null;
}

function useWhatIf(account: string, body: WhatIfBody): Imagined {
  const [{ of, ...imagined }, setImagined] = useState<Omit<Imagined, 'isOld'> & { of: string }>({
    of: '',
    answer: null,
    error: null,
  });
  const [attempt, setAttempt] = useState(0);
  const text = JSON.stringify(body);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt repeats the same request.
  useEffect(() => {
    const stopped = new AbortController();
    const timer = setTimeout(async () => {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text,
        signal: stopped.signal,
      };
      try {
        const { data } = await fetchJson<{ data: WhatIfRecord }>(`/what-if/${account}`, {}, init);
        if (!stopped.signal.aborted) setImagined({ of: text, answer: data, error: null });
      } catch (error) {
        if (stopped.signal.aborted) return;
        setImagined((known) => ({ ...known, error: toServiceError(error) }));
      }
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [account, text, attempt]);
  useRetry(imagined.error, () => setAttempt((count) => count + 1));
  return { ...imagined, isOld: of !== text };
}
