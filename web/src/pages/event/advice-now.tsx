// Current advice for one open event.

import { useAdvice } from '../../live/use-advice.ts';
import { AdviceText } from '../../ui/advice-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { findNearest, isActive } from '../../words/advice.ts';
import { formatCents } from '../../words/format.ts';

interface Props {
  account: string;
  eventId: number;
}

export function AdviceNow({ account, eventId }: Props) {
  const advice = useAdvice(account, eventId, true);
  if (advice === null) return null;
  const all = [...advice.values()];
  const active = all.filter((signal) => isActive(signal.advice));
  return (
    <Panel title="Current advice" className="advice-now">
      {active.length === 0 ? <Nearest signals={all} /> : null}
      <ul className="advice-list">
        {active.map((signal) => (
          <li key={signal.bucket} data-bucket={signal.bucket}>
            <AdviceText advice={signal.advice} marketUrl={signal.market_url} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

type Signals = Parameters<typeof findNearest>[0];

/** If there is no trade, shows the bucket closest to its buy price. */
function Nearest({ signals }: { signals: Signals }) {
  const [nearest] = findNearest(signals);
  return (
    <p>
      No trade.{' '}
      {nearest
        ? `Nearest: buy ${nearest.side} on ${nearest.bucket} at ${formatCents(nearest.actAt)} or less.`
        : (signals[0]?.advice.abstain_reason ?? '')}
    </p>
  );
}
