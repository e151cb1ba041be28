// The track record: published forecasts, then paper trades, then recomputed forecasts in a separate section.

import { useState } from 'react';
import type { RecordAnswer } from '../../api/records.ts';
import { useLive } from '../../live/live-context.tsx';
import { useFetched } from '../../live/use-fetched.ts';
import { Failure } from '../../ui/failure.tsx';
import { Choice, Empty, PageHead } from '../../ui/panel.tsx';
import { CalibrationPanels } from './calibration-panels.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { LedgerPanel } from './ledger-panel.tsx';
import { RecordSection } from './record-section.tsx';
import { VerifyPanel } from './verify-panel.tsx';
import { WinRates } from './win-rates.tsx';

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
  const { data, error } = useFetched<RecordAnswer>({
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
        {error ? <Failure error={error} hasOld={data !== null} /> : null}
        {data ? (
          <RecordSection
            title="Forward record"
            note="Published before the outcome was known."
            empty="No published forecast has settled yet. Recomputed forecasts are listed below."
            section={data.forward}
          />
        ) : error ? null : (
          <Empty>Loading…</Empty>
        )}
        <LedgerPanel account={chosen} />
        <WinRates account={chosen} />
        {data ? <VerifyPanel seal={data.newest_seal} /> : null}
        {data ? (
          <RecordSection
            title="What today’s model would have said"
            note="Recomputed later from data available at the time; never published, not part of the forward record."
            empty="No event that settled before this service started has been recomputed."
            section={data.recomputed}
          />
        ) : null}
        <HistoryPanel account={chosen} horizon={horizon} />
        <CalibrationPanels account={chosen} horizon={horizon} />
      </div>
    </>
  );
}
