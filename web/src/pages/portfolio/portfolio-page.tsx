// A wallet's open positions compared with the model, and what to change.

import { useState } from 'react';
import { isPro } from '../../api/access.ts';
import { isWalletAddress } from '../../api/browser-wallet.ts';
import type { Envelope, PortfolioRecord } from '../../api/records.ts';
import { useAccess } from '../../live/live-context.tsx';
import { useFetched } from '../../live/use-fetched.ts';
import { BankrollSlider, useAccountChoice, useWallet, WalletField } from '../../ui/controls.tsx';
import { Empty, Failure, NeedsKey, PageHead } from '../../ui/panel.tsx';
import { EventPortfolio } from './event-portfolio.tsx';
import { Rebalancing } from './rebalancing.tsx';

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
        <NeedsKey tier="PRO">
          <p>With a PRO key, enter any wallet address to see:</p>
          <ul>
            <li>each open position with its profit or loss and win probability</li>
            <li>edge, signal and recommendation for each position</li>
            <li>which positions to add to or trim for your bankroll</li>
          </ul>
        </NeedsKey>
      )}
    </>
  );
}

function Portfolio() {
  const { account, control } = useAccountChoice();
  const [wallet, setWallet] = useWallet();
  const [bankrollUsd, setBankrollUsd] = useState(1_000);
  const isValid = isWalletAddress(wallet);
  // Accounts without rebalancing ignore the bankroll.
  const { data, error, isLoading } = useFetched<Envelope<PortfolioRecord[]>>({
    path: account && isValid ? `/portfolio/${account}` : null,
    query: { wallet, bankroll: bankrollUsd },
    everyMs: 60_000,
    settleMs: 250,
  });
  return (
    <div className="stack">
      <div className="toolbar">
        {control}
        <WalletField wallet={wallet} onChange={setWallet} />
        <BankrollSlider valueUsd={bankrollUsd} onChange={setBankrollUsd} />
      </div>
      {error ? <Failure error={error} hasOld={data !== null} /> : null}
      <div className="stack" aria-busy={isLoading}>
        {!isValid ? <Empty>Enter a wallet address: 0x followed by 40 hexadecimal digits.</Empty> : null}
        {isValid && !data && !error ? <Empty>Loading positions…</Empty> : null}
        {data?.data.map((record) => (
          <EventPortfolio key={record.event?.id ?? 'none'} record={record} />
        ))}
        {account && isValid && data ? (
          <Rebalancing account={account} wallet={wallet} bankrollUsd={bankrollUsd} />
        ) : null}
      </div>
    </div>
  );
}
