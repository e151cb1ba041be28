// The track record, evidence first: published forecasts, recomputed ones in a separate section, then paper trades.
// A part without evidence is one line at the end.

import { useState } from 'react';
import type { OverviewRecord, RecordAnswer } from '../../api/records.ts';
import { useLive } from '../../live/live-context.tsx';
import { useFetched } from '../../live/use-fetched.ts';
import { Choice, Fact, Loaded, PageHead, Panel, QuietLine } from '../../ui/panel.tsx';
import { formatDayTime, formatDecimal, plural } from '../../words/format.ts';
import { CalibrationPanels } from './calibration-panels.tsx';
import { EvidencePanel } from './evidence-panel.tsx';
import { LedgerPanel } from './ledger-panel.tsx';
import { RecordSection } from './record-section.tsx';

const HORIZONS = [24, 48, 72].map((hours) => ({ value: hours, label: `${hours} h` }));
const ALL = '';

export default function RecordPage() {
  const { config } = useLive();
  const [account, setAccount] = useState(ALL);
  const [horizon, setHorizon] = useState(24);
  const accounts = [
    { value: ALL, label: 'All accounts' },
    ...(config?.accounts ?? []).map(({ segment, label }) => ({ value: segment, label })),
  ];
  const chosen = account || undefined;
  const answer = useFetched<RecordAnswer>({
    path: '/performance/record.json',
    query: { account: chosen, horizon },
  });
  return (
    <>
      <PageHead title="Record">
        Forecasts (one every five minutes) and changes in advice are recorded, sealed hourly, and scored when
        the event settles. Each number shows its sample size.
      </PageHead>
      <div className="stack">
        <div className="toolbar">
          <Choice label="Account" options={accounts} value={account} onChange={setAccount} />
          <span className="row">
            <span className="fine">hours before the close</span>
            <Choice label="Horizon" options={HORIZONS} value={horizon} onChange={setHorizon} />
          </span>
        </div>
        <Loaded of={answer}>
          {(data) => (
            <>
              <RecordSection
                title="Forward record"
                note="Published before the outcome was known."
                empty="No published forecast has settled yet."
                section={data.forward}
              />
              <RecordSection
                title="What today’s model would have said"
                note={`Recomputed later from data available at the time; never published, not part of the forward record.${describePastPrices(data.past_prices)}`}
                empty="No event that settled before this service started has been recomputed."
                section={data.recomputed}
              />
              <EvidencePanel rows={data.evidence} />
            </>
          )}
        </Loaded>
        <LedgerPanel account={chosen} />
        <CalibrationPanels account={chosen} horizon={horizon} />
        <WinRates account={chosen} />
        {answer.data ? <VerifyPanel seal={answer.data.newest_seal} /> : null}
      </div>
    </>
  );
}

function describePastPrices(progress: RecordAnswer['past_prices']): string {
  if (!progress || progress.events === 0) return '';
  return ` Prices of past events, read from the venue: ${progress.read} of ${progress.events}.`;
}

function VerifyPanel({ seal }: { seal: RecordAnswer['newest_seal'] }) {
  return (
    <Panel title="Check it yourself" className="verify-panel">
      <p>
        {seal ? (
          <>
            Forecasts are sealed every hour. Latest seal, {formatDayTime(seal.hour_ts)}:{' '}
            <code className="seal-hash">{seal.chain}</code>
          </>
        ) : (
          'Forecasts are sealed every hour. No hour has been sealed yet.'
        )}
      </p>
      <ul className="fine">
        <li>
          Seals cover each event’s forecast every five minutes and before each scored horizon, every change of
          advice to or from buy or exit, and every paper trade. They do not cover forecasts in between.
        </li>
        <li>
          Save the seal. Later, run <code>npx tallycast verify seals.jsonl --fetch --known SEAL</code>, or run{' '}
          <code>npx tallycast verify</code> on a downloaded file.
        </li>
        <li>
          <a href="/api/v1/performance/seals">All seals</a>,{' '}
          <a href="/api/v1/performance/record.json">this record as JSON</a>
        </li>
      </ul>
    </Panel>
  );
}

const NAMES = ['HIGH', 'MEDIUM', 'LOW'] as const;

function WinRates({ account }: { account: string | undefined }) {
  const overview = useFetched<OverviewRecord>({ path: '/performance/overview', query: { account } });
  const { data, error } = overview;
  if (data && !error && NAMES.every((name) => data.win_rate_samples[name] === 0))
    return (
      <QuietLine title="Buy win rate" className="win-rates">
        No settled buy signal yet.
      </QuietLine>
    );
  return (
    <Panel title="Buy win rate" aside={<span className="fine">by confidence class</span>}>
      <Loaded of={overview}>
        {({ win_rate, win_rate_samples }) => (
          <dl className="facts win-rates">
            {NAMES.map((name) => {
              const rate = win_rate[name];
              const value = rate === null ? '–' : `${formatDecimal(rate, 1)}%`;
              const remark = plural(win_rate_samples[name], 'signal');
              return <Fact key={name} name={name.toLowerCase()} value={value} remark={remark} />;
            })}
          </dl>
        )}
      </Loaded>
    </Panel>
  );
}
