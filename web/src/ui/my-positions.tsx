// The user's open positions, with advice for each.

import { isWalletAddress } from '../api/browser-wallet.ts';
import { describeTerms, type Envelope, type PortfolioRecord, type PositionRecord } from '../api/records.ts';
import { useLabel, useLive } from '../live/live-context.tsx';
import { useFetched } from '../live/use-fetched.ts';
import { hrefTo } from '../route.ts';
import { formatDecimal, formatSignedUsd } from '../words/format.ts';
import { TradeLink } from './advice-text.tsx';
import { Failure } from './failure.tsx';
import { useWallet, WalletField } from './wallet-field.tsx';

const REFRESH_MS = 60_000;

export function MyPositions() {
  const { config } = useLive();
  const [wallet, setWallet] = useWallet();
  const isValid = isWalletAddress(wallet);
  return (
    <details className="folded my-positions" open={isValid || undefined}>
      <summary>My positions</summary>
      <WalletField wallet={wallet} onChange={setWallet} />
      {isValid
        ? (config?.accounts ?? []).map(({ segment }) => (
            <AccountPositions key={segment} account={segment} wallet={wallet} />
          ))
        : null}
    </details>
  );
}

function AccountPositions({ account, wallet }: { account: string; wallet: string }) {
  const label = useLabel(account);
  const { data, error } = useFetched<Envelope<PortfolioRecord[]>>({
    path: `/portfolio/${account}`,
    query: { wallet },
    everyMs: REFRESH_MS,
  });
  const events = (data?.data ?? []).filter(({ event, positions }) => event && positions.length > 0);
  if (error) return <Failure error={error} hasOld={data !== null} />;
  if (!data) return <p className="fine">Loading positions…</p>;
  if (events.length === 0) return <p className="fine">{label}: no open positions.</p>;
  return (
    <ul className="position-list">
      {events.flatMap(({ event, positions }) =>
        positions.map((position) => (
          <li key={`${event!.id} ${position.bucket} ${position.outcome}`} data-position={position.bucket}>
            <p className="num">
              <a href={hrefTo('live', account, event!.id)}>{event!.title}</a> ({describeTerms(event!)}):{' '}
              {describe(position)}
            </p>
            {position.advice ? (
              <p className="fine">
                {position.advice.sentence} <TradeLink url={event!.market_url} />
              </p>
            ) : null}
          </li>
        )),
      )}
    </ul>
  );
}

function describe({ bucket, outcome, tokens, pnl }: PositionRecord): string {
  return `${formatDecimal(tokens, 1)} ${outcome ?? ''} of ${bucket}, ${formatSignedUsd(pnl)}`;
}
