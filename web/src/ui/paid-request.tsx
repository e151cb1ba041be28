// Offers a single paid view of a PRO page, if the service accepts payments and the browser has a wallet.

import { type ReactNode, useState } from 'react';
import { findWalletProvider } from '../api/browser-wallet.ts';
import { type Query, ServiceError } from '../api/request.ts';
import { fetchPaid } from '../api/wallet-payment.ts';
import { useLive } from '../live/live-context.tsx';
import { formatTime, formatUsd } from '../words/format.ts';
import { Failure, Panel } from './panel.tsx';

interface Props<T> {
  /** null while the request is incomplete. */
  path: string | null;
  query: Query;
  /** Controls the user sets before paying. */
  controls: ReactNode;
  children: (answer: T) => ReactNode;
}

export function PaidRequest<T extends { timestamp: number }>({ path, query, controls, children }: Props<T>) {
  const { config } = useLive();
  const provider = findWalletProvider();
  const [answer, setAnswer] = useState<T | null>(null);
  const [error, setError] = useState<ServiceError | null>(null);
  const [isPaying, setPaying] = useState(false);
  if (!config?.payments) return null;

  async function pay(): Promise<void> {
    if (!path || !provider) return;
    setPaying(true);
    setError(null);
    try {
      setAnswer(await fetchPaid<T>(path, query, provider));
    } catch (failure) {
      setError(toServiceError(failure));
    }
    setPaying(false);
  }

  return (
    <>
      <Panel title="Pay per request" className="paid-request">
        <div className="toolbar">{controls}</div>
        <div className="button-row">
          <button
            type="button"
            className="button button-main"
            disabled={!path || !provider || isPaying}
            onClick={() => void pay()}
          >
            {isPaying ? 'Waiting for the wallet…' : `Pay ${formatUsd(config.price_usd ?? null)} to view`}
          </button>
        </div>
        <p className="fine">
          {provider
            ? 'Your wallet signs one transfer of exactly this amount. Failed calls are not charged.'
            : 'No wallet found in this browser.'}
        </p>
        {error ? <Failure error={error} isFinal /> : null}
      </Panel>
      {answer ? (
        <>
          <p className="fine num" role="status">
            Paid view as of {formatTime(answer.timestamp, true)}. Each refresh costs another payment.
          </p>
          {children(answer)}
        </>
      ) : null}
    </>
  );
}

function toServiceError(failure: unknown): ServiceError {
  if (failure instanceof ServiceError) return failure;
  const message = (failure as { message?: unknown } | null)?.message;
  return new ServiceError(
    0,
    typeof message === 'string' ? message : 'The payment was declined in the wallet.',
    [],
    null,
  );
}
