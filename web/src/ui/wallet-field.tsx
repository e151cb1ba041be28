// Chooses the wallet to show: typed, from a browser extension, or the demo wallet. Saved for this tab.

import { useState } from 'react';
import { fetchWalletAddress, findWalletProvider, isWalletAddress } from '../api/browser-wallet.ts';
import { useLive } from '../live/live-context.tsx';

const WALLET_NAME = 'tallycast-wallet';

export function useWallet(): [string, (wallet: string) => void] {
  const [wallet, setWallet] = useState(() => sessionStorage.getItem(WALLET_NAME) ?? '');
  return [
    wallet,
    (next) => {
      setWallet(next);
      if (isWalletAddress(next)) sessionStorage.setItem(WALLET_NAME, next);
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
        <button type="button" className="button" onClick={() => onChange(demoWallet)}>
          Try the demo wallet
        </button>
      ) : null}
      {provider ? (
        <button
          type="button"
          className="button"
          onClick={async () => {
            const address = await fetchWalletAddress(provider).catch(() => null);
            if (address) onChange(address);
          }}
        >
          Use my wallet
        </button>
      ) : null}
    </div>
  );
}
