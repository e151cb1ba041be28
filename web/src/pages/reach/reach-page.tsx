// Reach me: what to be told of, where to, and what was told.

import { isPro } from '../../api/access.ts';
import { useAccess } from '../../live/live-context.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Empty, NeedsKey, PageHead, Panel, Problem } from '../../ui/panel.tsx';
import { formatDayTime } from '../../words/format.ts';
import { ChannelsPanel } from './channels-panel.tsx';
import { RulesPanel } from './rules-panel.tsx';
import { type ReachState, useReach } from './use-reach.ts';

export default function ReachPage() {
  const { tier } = useAccess();
  return (
    <>
      <PageHead title="Reach me">
        Be told when something happens: in this browser, by Telegram, Discord or a webhook.
      </PageHead>
      {isPro(tier) ? (
        <Reach />
      ) : (
        <NeedsKey tier="PRO">
          <p>
            With a PRO key: rules for advice, counts, prices, feeds, windows and settlements, each with quiet
            hours.
          </p>
        </NeedsKey>
      )}
    </>
  );
}

function Reach() {
  const reach = useReach();
  const failure = reach.channels.error ?? reach.rules.error ?? reach.notices.error;
  return (
    <div className="stack">
      {failure ? <Failure error={failure} hasOld={reach.channels.data !== null} /> : null}
      {reach.problem ? <Problem>{reach.problem}</Problem> : null}
      <p role="status" className="reach-done">
        {reach.done}
      </p>
      <div className="columns">
        <RulesPanel reach={reach} />
        <ChannelsPanel reach={reach} />
      </div>
      <Notices reach={reach} />
    </div>
  );
}

function Notices({ reach }: { reach: ReachState }) {
  const { data, error } = reach.notices;
  const notices = data?.data ?? [];
  return (
    <Panel title="Told lately" className="told">
      {data?.data.length === 0 ? <Empty>Nothing was told yet.</Empty> : null}
      {!data ? <Empty>{error ? 'What was told is not known now.' : 'Loading …'}</Empty> : null}
      <ul className="reach-list">
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

/** The service may be known by another address elsewhere; the moment is the same here. */
function hashOf(link: string): string {
  return /#.*$/.exec(link)?.[0] ?? '#/live';
}
