// The bankroll: a logarithmic slider from 1 to 1,000,000 USD, and an input for the same number.

import { useId } from 'react';
import { formatUsd } from '../words/format.ts';

const MIN_USD = 1;
const MAX_USD = 1_000_000;
const STEPS = 120;

interface Props {
  valueUsd: number;
  onChange: (valueUsd: number) => void;
}

export function BankrollSlider({ valueUsd, onChange }: Props) {
  const id = useId();
  return (
    <div className="bankroll">
      <label htmlFor={id}>Bankroll</label>
      <input
        id={id}
        type="range"
        min={0}
        max={STEPS}
        step={1}
        value={toStep(valueUsd)}
        aria-valuetext={formatUsd(valueUsd)}
        onChange={(event) => onChange(fromStep(Number(event.target.value)))}
      />
      <input
        type="number"
        className="num"
        aria-label="Bankroll in USD"
        min={MIN_USD}
        max={MAX_USD}
        step="any"
        value={valueUsd}
        onChange={(event) => {
          const typed = event.target.valueAsNumber;
          if (typed >= MIN_USD && typed <= MAX_USD) onChange(typed);
        }}
      />
      <span className="fine">USD</span>
    </div>
  );
}

function toStep(valueUsd: number): number {
  return Math.round((Math.log10(valueUsd) / 6) * STEPS);
}

/** Rounded to two significant figures. */
function fromStep(step: number): number {
  const value = 10 ** ((step / STEPS) * 6);
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.min(MAX_USD, Math.max(MIN_USD, Math.round(value / unit) * unit));
}
