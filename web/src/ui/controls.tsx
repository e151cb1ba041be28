// Controls shared by pages: bankroll, wallet and account.

import { type ComponentProps, useId, useState } from 'react';
import { recall, remember } from '../api/access.ts';
import { fetchWalletAddress, findWalletProvider, isWalletAddress } from '../api/browser-wallet.ts';
import { useLive } from '../live/live-context.tsx';
import { formatUsd } from '../words/format.ts';
import { Button } from './button.tsx';
import { Choice } from './panel.tsx';

const MIN_USD = 1;
const MAX_USD = 1_000_000;
const STEPS = 120;

interface BankrollProps {
  valueUsd: number;
  onChange: (valueUsd: number) => void;
}

export function BankrollSlider({ valueUsd, onChange }: BankrollProps) {
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

const WALLET_NAME = 'tallycast-wallet';

export function useWallet(): [string, (wallet: string) => void] {
  const [wallet, setWallet] = useState(() => recall(WALLET_NAME) ?? '');
  return [
    wallet,
    (next) => {
      setWallet(next);
      if (isWalletAddress(next)) remember(WALLET_NAME, next);
    },
  ];
}

export function WalletField({ wallet, onChange }: { wallet: string; onChange: (wallet: string) => void }) {
  const provider = findWalletProvider();
  const demoWallet = useLive().config?.demo_wallet;
  const isWrong = wallet !== '' && !isWalletAddress(wallet);
  return (
    <div className="wallet">
      <label className="field">
        <span className="visually-hidden">Wallet address</span>
        <input
          className="num"
          value={wallet}
          placeholder="Wallet address, 0x…"
          spellCheck={false}
          autoComplete="off"
          aria-invalid={isWrong}
          onChange={(event) => onChange(event.target.value.trim())}
        />
      </label>
      {demoWallet && wallet !== demoWallet ? (
        <Button onClick={() => onChange(demoWallet)}>Try the demo wallet</Button>
      ) : null}
      {provider ? (
        <Button
          onClick={async () => {
            const address = await fetchWalletAddress(provider).catch(() => null);
            if (address) onChange(address);
          }}
        >
          Use my wallet
        </Button>
      ) : null}
    </div>
  );
}

interface AccountProps {
  value: string;
  onChange: (segment: string) => void;
}

export function AccountChoice({ value, onChange }: AccountProps) {
  const accounts = useLive().config?.accounts ?? [];
  const options = accounts.map(({ segment, label }) => ({ value: segment, label }));
  return <Choice label="Account" options={options} value={value} onChange={onChange} />;
}

interface SelectProps extends Omit<ComponentProps<'select'>, 'onChange'> {
  options: readonly (string | { value: string | number; label: string })[];
  onChange: (value: string) => void;
}

function Select({ options, onChange, ...rest }: SelectProps) {
  return (
    <select {...rest} onChange={({ target }) => onChange(target.value)}>
      {options.map((option) => {
        const { value, label } = typeof option === 'string' ? { value: option, label: option } : option;
        return (
          <option key={value} value={value}>
            {label}
          </option>
        );
      })}
    </select>
  );
}

/** A list of options whose label only screen readers need. */
export function SelectField({ label, ...rest }: SelectProps & { label: string }) {
  return (
    <span className="field">
      <Select aria-label={label} {...rest} />
    </span>
  );
}

/** A row of a form: a label and its list of options. */
export function SelectRow({ label, ...rest }: SelectProps & { label: string }) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <Select id={id} {...rest} />
    </>
  );
}

/** A row of a form: a label and its input. */
export function InputRow({ label, ...rest }: ComponentProps<'input'> & { label: string }) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <input id={id} {...rest} />
    </>
  );
}
