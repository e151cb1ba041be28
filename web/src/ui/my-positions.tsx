// The user's open positions by event: trades first, the rest collapsed.

import { isWalletAddress } from '../api/browser-wallet.ts';
import type { Envelope, PortfolioRecord, PositionRecord } from '../api/records.ts';
import { useLabel, useLive, useTerms } from '../live/live-context.tsx';
import { useFetched } from '../live/use-fetched.ts';
import { hrefTo } from '../route.ts';
import { formatDecimal, formatSignedUsd, plural } from '../words/format.ts';
import { type EventPositions, groupPositions } from '../words/positions.ts';
import { TradeLink } from './advice-text.tsx';
import { useWallet, WalletField } from './controls.tsx';
import { Failure } from './panel.tsx';

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
  const groups = groupPositions(data?.data ?? []);
  if (error) return <Failure error={error} hasOld={data !== null} />;
  if (!data) return <p className="fine">Loading positions…</p>;
  if (groups.length === 0) return <p className="fine">{label}: no open positions.</p>;
  return (
    <ul className="position-groups">
      {groups.map((group) => (
        <PositionGroup key={group.event.id} account={account} group={group} />
      ))}
    </ul>
  );
}

function PositionGroup({ account, group }: { account: string; group: EventPositions }) {
  const { event, actions, others } = group;
  return (
    <li data-event={event.id}>
      <p>
        <a href={hrefTo('live', account, event.id)}>{event.title}</a>{' '}
        <span className="event-terms">{useTerms()(event)}</span>
      </p>
      {actions.length > 0 ? <PositionList positions={actions} marketUrl={event.market_url} /> : null}
      {others.length > 0 ? (
        <details className="folded">
          <summary>{plural(others.length, 'position')} without a trade</summary>
          <PositionList positions={others} marketUrl={null} />
        </details>
      ) : null}
    </li>
  );
}

interface ListProps {
  positions: readonly PositionRecord[];
  /** Null for positions that need no link to trade. */
  marketUrl: string | null | undefined;
}

function PositionList({ positions, marketUrl }: ListProps) {
  return (
    <ul className="position-list">
      {positions.map((position) => (
        <li key={`${position.bucket} ${position.outcome}`} data-position={position.bucket}>
          <p className="num">{describe(position)}</p>
          <p className="fine">
            {position.advice?.sentence ?? 'Closed.'} <TradeLink url={marketUrl} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function describe({ bucket, outcome, tokens, pnl }: PositionRecord): string {
  return `${formatDecimal(tokens, 1)} ${outcome ?? ''} of ${bucket}, ${formatSignedUsd(pnl)}`;
}
