// Current advice for one open event.

import { useAdvice } from '../../live/use-advice.ts';
import { AdviceText } from '../../ui/advice-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { isActive } from '../../words/advice.ts';
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

type Signals = readonly {
  bucket: string;
  market_price: number | null;
  advice: Parameters<typeof AdviceText>[0]['advice'];
}[];

/** If there is no trade, shows the bucket closest to its buy price. */
function Nearest({ signals }: { signals: Signals }) {
  const candidates = signals
    .flatMap(({ bucket, market_price, advice }) => {
      const { act_at_side: side, act_at_price: price } = advice;
      if (side === null || price === null || market_price === null) return [];
      const sidePrice = side === 'Yes' ? market_price : 1 - market_price;
      return [{ bucket, side, price, gap: sidePrice - price }];
    })
    .sort((left, right) => left.gap - right.gap);
  const [nearest] = candidates;
  return (
    <p>
      No trade.{' '}
      {nearest
        ? `Nearest: buy ${nearest.side} on ${nearest.bucket} at ${formatCents(nearest.price)} or less.`
        : (signals[0]?.advice.abstain_reason ?? '')}
    </p>
  );
}
