// A signal, action or recommendation as a small tag, coloured by direction but readable without colour.

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
