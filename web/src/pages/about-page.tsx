// What the service is, its feeds, what each tier includes, and how to get a key.

import { useIsHost } from '../live/live-context.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { HostNote, PageHead, Panel } from '../ui/panel.tsx';
import { HealthPanels } from './health-panels.tsx';

const ROWS: readonly [string, string, string][] = [
  ['Counters, deltas, feed ages', 'yes', 'yes'],
  ['Market prices per bucket', 'yes', 'yes'],
  ['Posts', 'latest 15', '100 per page, marked as counted or not'],
  ['Live stream', 'public fields', 'all fields'],
  ['Event history', 'counts and prices', 'plus model probabilities'],
  ['Forecast percentiles, bucket probabilities', '–', 'yes'],
  ['Velocity, sleep probability', '–', 'yes'],
  ['Signals with bet sizing', '–', 'yes'],
  ['What if', '–', 'yes'],
  ['Portfolio and rebalancing', '–', 'yes'],
  ['Alerts by ntfy, Telegram, Discord, webhook', '–', 'yes'],
  ['Requests per hour', '100', '10,000'],
];

export default function AboutPage() {
  const isHost = useIsHost();
  return (
    <>
      <PageHead title="About">
        Some prediction markets settle on how many posts an account makes in a fixed window. Tallycast counts
        those posts faster than the settlement oracle, shows how far each published count lags behind, and
        forecasts the final count.
      </PageHead>
      <div className="stack">
        <HealthPanels />
        <div className="columns">
          <div className="stack">
            <Panel title="Keys">
              {isHost ? <HostNote /> : <p>Ask the operator of this service for a key.</p>}
            </Panel>
            <Programs />
          </div>
          <Panel title="Tiers">
            <DataTable
              label="Features by tier"
              className="table-wide"
              rows={ROWS}
              keyOf={([what]) => what}
              columns={[
                { name: 'Feature', className: '', cell: ([what]) => what },
                { name: 'Public', cell: ([, free]) => free },
                { name: 'PRO', cell: ([, , pro]) => pro },
              ]}
            />
          </Panel>
        </div>
      </div>
    </>
  );
}

function Programs() {
  return (
    <Panel title="For developers">
      <ul className="link-list">
        <li>
          <a href="/docs">API guide</a> <span className="fine">every endpoint, with examples</span>
        </li>
        <li>
          <a href="/openapi.json">OpenAPI document</a> <span className="fine">for generated clients</span>
        </li>
        <li>
          <a href="/llms.txt">llms.txt</a> <span className="fine">for agents; tools are at /mcp</span>
        </li>
      </ul>
    </Panel>
  );
}
