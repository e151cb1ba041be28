// The what-if page: the ladder in a scenario.

import { isPro } from '../../api/access.ts';
import { useAccess, useAccountView, useLive, useTerms } from '../../live/live-context.tsx';
import { hrefTo, useRoute } from '../../route.ts';
import { AccountChoice, SelectField } from '../../ui/controls.tsx';
import { Empty, NeedsKey, PageHead } from '../../ui/panel.tsx';
import { describeWait } from '../live/live-page.tsx';
import { ScenarioPanel } from './scenario-panel.tsx';

export default function WhatIfPage() {
  const { feeds } = useLive();
  const { parts } = useRoute();
  const { tier } = useAccess();
  const termsOf = useTerms();
  const feed = feeds.find((candidate) => candidate.get().state.account === parts[0]) ?? feeds[0];
  const view = useAccountView(feed);
  if (!view) return <p className="loading">Connecting…</p>;
  const { account, meta, prediction, heardTs } = view.state;
  const record = meta.find(({ event_id }) => String(event_id) === parts[1]) ?? meta[0];
  const goTo = (...to: (string | number)[]) => location.assign(hrefTo('what-if', ...to));
  return (
    <>
      <PageHead title="What if">
        Forecast and advice if the account speeds up, slows down or goes quiet.
      </PageHead>
      <div className="stack">
        <div className="toolbar">
          <AccountChoice value={account} onChange={(segment) => goTo(segment)} />
          {record ? (
            <SelectField
              label="Event"
              options={meta.map((event) => ({
                value: event.event_id,
                label: [event.event_title, termsOf(event)].filter(Boolean).join(', '),
              }))}
              value={record.event_id}
              onChange={(id) => goTo(account, id)}
            />
          ) : null}
        </div>
        {!record ? (
          <Empty>{heardTs === null ? describeWait(view.line.kind) : 'No open events.'}</Empty>
        ) : null}
        {record && isPro(tier) ? (
          <ScenarioPanel
            key={record.event_id}
            account={account}
            eventId={record.event_id}
            prediction={prediction.find(({ event_id }) => event_id === record.event_id)}
          />
        ) : null}
        {isPro(tier) ? null : (
          <NeedsKey>
            <p>With a PRO key, assume a pace or a silent period and see the new ladder.</p>
          </NeedsKey>
        )}
      </div>
    </>
  );
}
