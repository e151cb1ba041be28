// Current advice for one open event; if there is none, its largest disagreement, in the same words as on Live.

import { useEventSignals } from '../../live/use-advice.ts';
import { AdviceText } from '../../ui/advice-text.tsx';
import { Failure, Panel } from '../../ui/panel.tsx';
import { isActive } from '../../words/advice.ts';

interface Props {
  account: string;
  eventId: number;
}

export function AdviceNow({ account, eventId }: Props) {
  const { record, error } = useEventSignals(account, eventId, true);
  if (error)
    return (
      <Panel title="Current advice" className="advice-now">
        <Failure error={error} />
      </Panel>
    );
  if (record === null) return null;
  const { signals, disagreement, market_url } = record;
  const active = signals.filter(({ advice }) => isActive(advice));
  return (
    <Panel title="Current advice" className="advice-now">
      {active.length === 0 ? (
        <p>
          No trade now.{' '}
          {disagreement ? `Largest disagreement: ${disagreement}` : (signals[0]?.advice.abstain_reason ?? '')}
        </p>
      ) : null}
      <ul className="advice-list">
        {active.map(({ bucket, advice }) => (
          <li key={bucket} data-bucket={bucket}>
            <AdviceText advice={advice} marketUrl={market_url} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
