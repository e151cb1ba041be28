// A wallet's open positions compared with the model, and what to change.

import { useState } from 'react';
import { isPro } from '../../api/access.ts';
import { isWalletAddress } from '../../api/browser-wallet.ts';
import type { Envelope, PortfolioRecord, PositionRecord } from '../../api/records.ts';
import { useAccess, useLive, useTerms } from '../../live/live-context.tsx';
import { useFetchedAll } from '../../live/use-fetched.ts';
import { BankrollSlider, useWallet, WalletField } from '../../ui/controls.tsx';
import { Empty, Fact, Loaded, NeedsKey, PageHead, Panel, QuietLine } from '../../ui/panel.tsx';
import { isActive } from '../../words/advice.ts';
import { formatSigned, formatSignedUsd, formatUsd, plural, signOf } from '../../words/format.ts';
import { addUp } from '../../words/positions.ts';
import { EventPortfolio, type HeldEvent } from './event-portfolio.tsx';

export default function PortfolioPage() {
  const { tier } = useAccess();
  return (
    <>
      <PageHead title="Portfolio">
        A wallet’s open positions at market prices, with advice. Tallycast reads only public data.
      </PageHead>
      {isPro(tier) ? (
        <Portfolio />
      ) : (
        <NeedsKey>
          <p>With a PRO key, enter any wallet address to see:</p>
          <ul>
            <li>what all open positions are worth, at the market and by our forecast</li>
            <li>one verdict and one win chance for each position</li>
            <li>which positions to add to or trim for your bankroll</li>
          </ul>
        </NeedsKey>
      )}
    </>
  );
}

function Portfolio() {
  const { config } = useLive();
  const [wallet, setWallet] = useWallet();
  const [bankrollUsd, setBankrollUsd] = useState(1_000);
  const isValid = isWalletAddress(wallet);
  const accounts = config?.accounts ?? [];
  // Accounts without rebalancing ignore the bankroll.
  const portfolio = useFetchedAll<Envelope<PortfolioRecord[]>>({
    paths: isValid && accounts.length > 0 ? accounts.map(({ segment }) => `/portfolio/${segment}`) : null,
    query: { wallet, bankroll: bankrollUsd },
    everyMs: 60_000,
    settleMs: 250,
  });
  return (
    <div className="stack">
      <div className="toolbar">
        <WalletField wallet={wallet} onChange={setWallet} />
        <BankrollSlider valueUsd={bankrollUsd} onChange={setBankrollUsd} />
      </div>
      <div className="stack" aria-busy={portfolio.isLoading}>
        {isValid ? (
          <Loaded of={portfolio} loading="Loading positions…">
            {(answers) => <Holdings records={answers.flatMap(({ data }) => data)} />}
          </Loaded>
        ) : (
          <Empty>Enter a wallet address: 0x followed by 40 hexadecimal digits.</Empty>
        )}
      </div>
    </div>
  );
}

function Holdings({ records }: { records: readonly PortfolioRecord[] }) {
  const open = records.filter((record): record is HeldEvent => record.event !== null);
  const held = open.filter(({ positions }) => positions.length > 0);
  const idle = open.filter(({ positions }) => positions.length === 0);
  const termsOf = useTerms();
  return (
    <>
      <Totals positions={held.flatMap(({ positions }) => positions)} events={held.length} />
      {held.map((record) => (
        <EventPortfolio key={record.event.id} record={record} />
      ))}
      {idle.length > 0 ? (
        <QuietLine title={`No positions in ${plural(idle.length, 'open event')}:`}>
          {idle.map(({ event }) => [event.title, termsOf(event)].filter(Boolean).join(', ')).join('; ')}
        </QuietLine>
      ) : null}
    </>
  );
}

function Totals({ positions, events }: { positions: readonly PositionRecord[]; events: number }) {
  const { valueUsd, costUsd, worthUsd } = addUp(positions);
  const pnlUsd = valueUsd - costUsd;
  const gapUsd = worthUsd - valueUsd;
  return (
    <Panel
      title="All positions"
      aside={
        <span className="fine num">
          {plural(positions.length, 'position')} in {plural(events, 'event')}
        </span>
      }
    >
      <dl className="facts portfolio-facts">
        <Fact name="Value now" value={formatUsd(valueUsd)} remark={`paid ${formatUsd(costUsd)}`} />
        <Fact
          name="Profit or loss"
          value={formatSignedUsd(pnlUsd)}
          remark={costUsd > 0 ? `${formatSigned((100 * pnlUsd) / costUsd, 1)}%` : null}
          sign={signOf(pnlUsd)}
        />
        <Fact
          name="Worth by our forecast"
          value={formatUsd(worthUsd)}
          remark={`${formatSignedUsd(gapUsd)} against the market`}
        />
      </dl>
      {positions.some(({ advice }) => advice && isActive(advice)) ? null : (
        <p className="portfolio-lead">No trade for your positions.</p>
      )}
    </Panel>
  );
}
