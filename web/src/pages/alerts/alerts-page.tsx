// Alerts: rules, channels and recent alerts.

import { isPro } from '../../api/access.ts';
import { useAccess } from '../../live/live-context.tsx';
import { SmallButton } from '../../ui/button.tsx';
import { Empty, Failure, NeedsKey, PageHead, Panel, Problem } from '../../ui/panel.tsx';
import { formatDayTime } from '../../words/format.ts';
import { ChannelsPanel } from './channels-panel.tsx';
import { RulesPanel } from './rules-panel.tsx';
import { type AlertsState, useAlerts } from './use-alerts.ts';

export default function AlertsPage() {
  const { tier } = useAccess();
  return (
    <>
      <PageHead title="Alerts">Get alerts by ntfy, Telegram, Discord or webhook.</PageHead>
      {isPro(tier) ? (
        <Alerts />
      ) : (
        <NeedsKey>
          <p>
            With a PRO key, you can set alert rules for advice, counts, prices, feeds, windows and
            settlements, with quiet hours.
          </p>
        </NeedsKey>
      )}
    </>
  );
}

function Alerts() {
  const alerts = useAlerts();
  const failure = alerts.channels.error ?? alerts.rules.error ?? alerts.notices.error;
  return (
    <div className="stack">
      {failure ? <Failure error={failure} hasOld={alerts.channels.data !== null} /> : null}
      {alerts.problem ? <Problem>{alerts.problem}</Problem> : null}
      <p role="status" className="alerts-done">
        {alerts.done}
      </p>
      {alerts.undo ? (
        <p>
          <SmallButton onClick={() => void alerts.change(alerts.undo!, 'Restored.')}>Undo</SmallButton>
        </p>
      ) : null}
      <div className="columns">
        <RulesPanel alerts={alerts} />
        <ChannelsPanel alerts={alerts} />
      </div>
      <Notices alerts={alerts} />
    </div>
  );
}

function Notices({ alerts }: { alerts: AlertsState }) {
  const { data, error } = alerts.notices;
  const notices = data?.data ?? [];
  return (
    <Panel title="Recent alerts" className="recent-alerts">
      {data?.data.length === 0 ? <Empty>No alerts yet.</Empty> : null}
      {!data ? <Empty>{error ? 'Couldn’t load recent alerts.' : 'Loading…'}</Empty> : null}
      <ul className="alerts-list">
        {notices.map((notice) => (
          <li key={notice.notice_id} data-notice={notice.notice_id}>
            <p>
              <strong>{notice.title}</strong> {notice.text}
            </p>
            <a className="fine num" href={hashOf(notice.link)}>
              {formatDayTime(notice.happened_ts)}
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Alerts link to the service's configured address; on this page the hash is enough. */
function hashOf(link: string): string {
  return /#.*$/.exec(link)?.[0] ?? '#/live';
}
