// One piece of advice, shown the same way on every page: the service's sentence, with details collapsed.

import type { ReactNode } from 'react';
import type { AdviceRecord } from '../api/records.ts';
import { describeStanding, describeTrade, describeTrigger, isActive } from '../words/advice.ts';
import { joinReasons } from '../words/format.ts';

interface Props {
  advice: AdviceRecord;
  /** Contract fields that grade a probability or a price; they are not advice. */
  classified?: Readonly<Record<string, string>>;
  /** True for shares the user holds: what would be bought otherwise does not matter. */
  isHeld?: boolean;
  /** Market page where the user can trade. */
  marketUrl?: string | null;
  children?: ReactNode;
}

export function AdviceText({ advice, classified = {}, isHeld = false, marketUrl = null, children }: Props) {
  const trigger = isHeld || isActive(advice) ? null : describeTrigger(advice);
  return (
    <>
      {isActive(advice) ? <TradeLink url={marketUrl} /> : null}
      <details className="why">
        <summary>
          <span className="advice-sentence">{advice.sentence}</span>
          {trigger ? <span className="fine num"> Would buy {trigger} or less.</span> : null}
        </summary>
        <div className="fine advice-details">
          {isActive(advice) ? <p className="num">{describeTrade(advice)}.</p> : null}
          <p>{joinReasons(advice.reasons)}</p>
          <p className="num">{describeStanding(advice)}</p>
          {children}
          {Object.keys(classified).length > 0 ? (
            <p>
              {Object.entries(classified).map(([name, value]) => (
                <span key={name} className="classified">
                  {name} <SignalTag value={value} />{' '}
                </span>
              ))}
            </p>
          ) : null}
        </div>
      </details>
    </>
  );
}

/** Links to the event's market page. */
export function TradeLink({ url }: { url: string | null | undefined }) {
  if (!url) return null;
  return (
    <a className="trade-link" href={url} rel="noreferrer" target="_blank">
      Trade
    </a>
  );
}

const TONES: Record<string, string> = {
  STRONG_BUY: 'plus',
  BUY: 'plus',
  SLIGHT_BUY: 'plus',
  ADD_MORE: 'plus',
  STRONG_HOLD: 'plus',
  SELL: 'minus',
  TRIM: 'minus',
  AVOID: 'minus',
  CONSIDER_SELLING: 'minus',
};

export function SignalTag({ value }: { value: string }) {
  return (
    <span className="signal" data-sign={TONES[value]} data-strong={value.startsWith('STRONG') || undefined}>
      {value.replaceAll('_', ' ').toLowerCase()}
    </span>
  );
}
