// Links, remaining allowance, and a disclaimer.

import type { Allowance } from '../api/access.ts';
import { useAccess, useLive } from '../live/live-context.tsx';
import { formatTime } from '../words/format.ts';
import { setZone, useZone, ZONES } from '../words/zone.ts';
import { Choice } from './panel.tsx';

export function Footer() {
  const { allowances, tier } = useAccess();
  const { config } = useLive();
  return (
    <footer className="footer">
      <ul className="row">
        <li>
          <a href="/docs">API guide</a>
        </li>
        <li>
          <a href="/openapi.json">OpenAPI</a>
        </li>
        <li>
          <a href="/llms.txt">llms.txt</a>
        </li>
        <li>
          <a href="#/health">Health</a>
        </li>
      </ul>
      <Choice label="Time zone" options={ZONES} value={useZone()} onChange={setZone} />
      <dl className="row">
        {allowances.counters ? <AllowanceFact name="Counter requests" of={allowances.counters} /> : null}
        {allowances.other ? <AllowanceFact name={`Requests (${tier})`} of={allowances.other} /> : null}
        {config?.version ? (
          <div>
            <dt>Version</dt>
            <dd className="num">{config.version}</dd>
          </div>
        ) : null}
      </dl>
      <p className="fine">Forecasts and signals are model estimates, not guaranteed profit.</p>
    </footer>
  );
}

function AllowanceFact({ name, of }: { name: string; of: Allowance }) {
  return (
    <div>
      <dt>{name} left this hour</dt>
      <dd className="num">
        {of.remaining} of {of.limit}
        {of.remaining === 0 && of.resetTs ? `, resets at ${formatTime(of.resetTs)}` : ''}
      </dd>
    </div>
  );
}
