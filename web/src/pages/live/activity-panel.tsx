// What happened in all accounts, newest first, and how to fetch it.

import { isPro } from '../../api/access.ts';
import type { ActivityAnswer, ActivityRecord } from '../../api/records.ts';
import { useAccess, useLabel } from '../../live/live-context.tsx';
import { ADVICE_REFRESH_MS } from '../../live/use-advice.ts';
import { type Fetched, useFetched } from '../../live/use-fetched.ts';
import { hrefTo } from '../../route.ts';
import { Empty, Loaded, Panel } from '../../ui/panel.tsx';
import { formatLength } from '../../words/format.ts';

const SHOWN = 40;
/** Without PRO, calls are limited by the hour, and only prices and settlements are listed. */
const PUBLIC_REFRESH_MS = 300_000;

export function useActivity(): Fetched<ActivityAnswer> {
  const { tier } = useAccess();
  const everyMs = isPro(tier) ? ADVICE_REFRESH_MS : PUBLIC_REFRESH_MS;
  return useFetched<ActivityAnswer>({ path: '/activity', query: { limit: SHOWN }, everyMs });
}

const KINDS: Record<ActivityRecord['kind'], string> = {
  advice: 'Advice',
  advice_ended: 'Advice ended',
  price_jump: 'Price',
  counts_differ: 'Counts',
  counts_agree: 'Counts',
  settlement: 'Settled',
};

export function ActivityPanel({ activity }: { activity: Fetched<ActivityAnswer> }) {
  return (
    <Panel title="What happened" className="activity" aside={<span className="fine">newest first</span>}>
      <Loaded of={activity}>
        {({ data, timestamp }) =>
          data.length === 0 ? (
            <Empty>Nothing happened in the last 24 hours.</Empty>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            <ol className="activity-list" tabIndex={0} aria-label="What happened, newest first">
              {data.map((item) => (
                <Item key={item.id} item={item} nowTs={timestamp} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Item({ item, nowTs }: { item: ActivityRecord; nowTs: number }) {
  const { timestamp, kind, account, event_id, event_title, text } = item;
  const label = useLabel(account);
  return (
    <li className="activity-item" data-kind={kind}>
      <p className="fine">
        <span className="activity-kind">{KINDS[kind]} </span>
        <time className="num" dateTime={new Date(timestamp).toISOString()}>
          {formatLength(nowTs - timestamp)} ago
        </time>{' '}
        {event_id === null ? label : <a href={hrefTo('event', account, event_id)}>{event_title || label}</a>}
      </p>
      <p>{text}</p>
    </li>
  );
}
