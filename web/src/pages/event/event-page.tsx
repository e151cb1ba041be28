// An account's events, or one event: #/event/account_a, #/event/account_a/123,
// #/event/account_a/123/1700000000000.

import { useLive } from '../../live/live-context.tsx';
import { hrefTo, useRoute } from '../../route.ts';
import { AccountChoice } from '../../ui/controls.tsx';
import { PageHead } from '../../ui/panel.tsx';
import { CoursePage } from './course-page.tsx';
import { PastEvents } from './past-events.tsx';

export default function EventPage() {
  const { config } = useLive();
  const { parts } = useRoute();
  const accounts = config?.accounts ?? [];
  const account = accounts.find(({ segment }) => segment === parts[0]) ?? accounts[0];
  if (!account) return <p className="loading">Connecting…</p>;
  const [, eventId, moment] = parts;
  if (eventId)
    return <CoursePage key={eventId} account={account.segment} eventId={eventId} momentTs={readTs(moment)} />;
  return (
    <>
      <PageHead title="Events">
        Open an event to replay it. Running ones show their count, leading bucket and its price.
      </PageHead>
      <div className="stack">
        <div className="toolbar">
          <AccountChoice
            value={account.segment}
            onChange={(segment) => location.assign(hrefTo('event', segment))}
          />
        </div>
        <PastEvents account={account.segment} />
      </div>
    </>
  );
}

function readTs(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
