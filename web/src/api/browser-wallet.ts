// A browser extension's wallet (EIP-1193). Used only after the user clicks a button.

export interface WalletProvider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

export function findWalletProvider(): WalletProvider | null {
  const provider = (window as { ethereum?: WalletProvider }).ethereum;
  return provider && typeof provider.request === 'function' ? provider : null;
}

export async function fetchWalletAddress(provider: WalletProvider): Promise<string | null> {
  const accounts = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  return accounts[0] ?? null;
}

export function isWalletAddress(text: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(text);
}
