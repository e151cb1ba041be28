// Explains how to verify the record and how to embed it.

import type { RecordAnswer } from '../../api/records.ts';
import { Panel } from '../../ui/panel.tsx';
import { formatDayTime } from '../../words/format.ts';

export function VerifyPanel({ seal }: { seal: RecordAnswer['newest_seal'] }) {
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
          <code>scripts/verify-seals.mjs</code> on a downloaded file.
        </li>
        <li>
          <a href="/api/v1/performance/seals">All seals</a>,{' '}
          <a href="/api/v1/performance/record.json">this record as JSON</a>,{' '}
          <a href="/api/v1/performance/record.svg">as an image to embed</a>
        </li>
      </ul>
    </Panel>
  );
}
