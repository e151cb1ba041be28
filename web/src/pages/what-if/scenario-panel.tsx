// Two sliders and a wake time, and the resulting ladder beside the published one.

import { useId, useState } from 'react';
import type { PredictionRecord, WhatIfRecord } from '../../api/records.ts';
import { AdviceText } from '../../ui/advice-text.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Empty, Panel, ScrollTable } from '../../ui/panel.tsx';
import { isActive } from '../../words/advice.ts';
import { formatCount, formatPoints, formatProbability } from '../../words/format.ts';
import { signOf } from '../live/bucket-ladder.tsx';
import {
  isNeutral,
  MOST_SILENT_HOURS,
  NEUTRAL,
  PACE_STEPS,
  paceOf,
  type Scenario,
  toBody,
} from './scenario.ts';
import { useWhatIf } from './use-what-if.ts';

interface Props {
  account: string;
  eventId: number;
  prediction: PredictionRecord | undefined;
}

export function ScenarioPanel({ account, eventId, prediction }: Props) {
  const [scenario, setScenario] = useState<Scenario>(NEUTRAL);
  const { answer, error } = useWhatIf(account, toBody(eventId, scenario));
  return (
    <Panel
      title="What if"
      className="what-if"
      aside={
        <button
          type="button"
          className="button button-small"
          disabled={isNeutral(scenario)}
          onClick={() => setScenario(NEUTRAL)}
        >
          As expected
        </button>
      }
    >
      <Controls scenario={scenario} onChange={setScenario} />
      {error ? <Failure error={error} hasOld={answer !== null} /> : null}
      {answer ? (
        <Outcome answer={answer} prediction={prediction} />
      ) : error ? null : (
        <Empty>Computing …</Empty>
      )}
    </Panel>
  );
}

function Controls({ scenario, onChange }: { scenario: Scenario; onChange: (next: Scenario) => void }) {
  const id = useId();
  const pace = scenario.paceStep === 0 ? 'as expected' : `${paceOf(scenario)} times the expected pace`;
  const silence = scenario.silentHours === 0 ? 'no silence' : `${scenario.silentHours} h of silence from now`;
  return (
    <div className="what-if-controls">
      <div>
        <label htmlFor={`${id}-pace`}>Pace</label>
        <input
          id={`${id}-pace`}
          type="range"
          min={-PACE_STEPS}
          max={PACE_STEPS}
          step={1}
          value={scenario.paceStep}
          aria-valuetext={pace}
          onChange={(event) => onChange({ ...scenario, paceStep: Number(event.target.value) })}
        />
        <output className="num">{pace}</output>
      </div>
      <div>
        <label htmlFor={`${id}-silence`}>Silence</label>
        <input
          id={`${id}-silence`}
          type="range"
          min={0}
          max={MOST_SILENT_HOURS}
          step={1}
          value={scenario.silentHours}
          aria-valuetext={silence}
          onChange={(event) => onChange({ ...scenario, silentHours: Number(event.target.value), wakeAt: '' })}
        />
        <output className="num">{scenario.wakeAt === '' ? silence : 'until it wakes'}</output>
      </div>
      <div>
        <label htmlFor={`${id}-wake`}>Wakes at</label>
        <input
          id={`${id}-wake`}
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

function Outcome({ answer, prediction }: { answer: WhatIfRecord; prediction: PredictionRecord | undefined }) {
  const { forecast, published, ladder } = answer;
  const before = new Map(prediction?.markets.map(({ title, model_prob }) => [title, model_prob ?? null]));
  const likeliest = Math.max(...ladder.rows.map(({ model_prob }) => model_prob));
  return (
    <>
      <dl className="facts" data-scenario={JSON.stringify(answer.scenario)}>
        <Range name="Forecast then" range={forecast} />
        <Range name="Published now" range={published} />
      </dl>
      <AdviceThen rows={ladder.rows} />
      <ScrollTable label="Ladder in this scenario" className="what-if-ladder">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Bucket</th>
              <th scope="col">Market</th>
              <th scope="col">Model now</th>
              <th scope="col">Then</th>
              <th scope="col">Change, pt</th>
            </tr>
          </thead>
          <tbody>
            {ladder.rows.map((row) => {
              const now = before.get(row.bucket) ?? null;
              const change = now === null ? null : row.model_prob - now;
              return (
                <tr
                  key={row.bucket}
                  ref={row.model_prob === likeliest ? bringIntoView : null}
                  data-verdict={row.advice.verdict}
                >
                  <th scope="row" className="num">
                    {row.bucket}
                  </th>
                  <td className="num">{formatProbability(row.market_price)}</td>
                  <td className="num">{formatProbability(now)}</td>
                  <td className="num strong">{formatProbability(row.model_prob)}</td>
                  <td className="num" data-sign={signOf(change)}>
                    {formatPoints(change)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollTable>
    </>
  );
}

/** Passed buckets come first: the ladder opens where the count may end, and keeps its scroll position. */
function bringIntoView(row: HTMLTableRowElement | null): void {
  const box = row?.closest('.what-if-ladder');
  if (row && box && box.scrollTop === 0) box.scrollTop = row.offsetTop - box.clientHeight / 2;
}

function AdviceThen({ rows }: { rows: WhatIfRecord['ladder']['rows'] }) {
  const advised = rows.filter(({ advice }) => isActive(advice));
  if (advised.length === 0) return <p className="advice-then">No advice in this scenario.</p>;
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

function Range({ name, range }: { name: string; range: { p5: number; p50: number; p95: number } }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>
        <span className="fact-value num">{formatCount(range.p50)}</span>{' '}
        <span className="fact-unit num">
          {formatCount(range.p5)} to {formatCount(range.p95)}
        </span>
      </dd>
    </div>
  );
}
