// The track record: forecast error, calibration, and paper trades.

import { useState } from 'react';
import { useLive } from '../../live/live-context.tsx';
import { Choice, PageHead } from '../../ui/panel.tsx';
import { AsIfNote } from './as-if-note.tsx';
import { CalibrationPanels } from './calibration-panels.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { LedgerPanel } from './ledger-panel.tsx';

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
  return (
    <>
      <PageHead title="Record">
        Every forecast is kept and scored when its event settles. Nothing is left out, and each figure shows
        its sample size.
      </PageHead>
      <div className="stack">
        <div className="toolbar">
          <Choice label="Account" options={accounts} value={account} onChange={setAccount} />
          <span className="toolbar-group">
            <span className="fine">hours before the close</span>
            <Choice label="Horizon" options={HORIZONS} value={horizon} onChange={setHorizon} />
          </span>
        </div>
        <AsIfNote account={chosen} horizon={horizon} />
        <ErrorPanel account={chosen} />
        <HistoryPanel account={chosen} horizon={horizon} />
        <CalibrationPanels account={chosen} horizon={horizon} />
        <LedgerPanel account={chosen} />
      </div>
    </>
  );
}
