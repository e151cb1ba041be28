// Pays for one call from the user's wallet: the service returns 402, the wallet signs a transfer of exactly
// that amount, and the page repeats the call with the signature. Nothing is signed before the user clicks.

import { fetchWalletAddress, type WalletProvider } from './browser-wallet.ts';
import { API_BASE, describeFailure, formatQuery, type Query, ServiceError } from './request.ts';

interface Terms {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra?: { name?: string; version?: string };
}

interface Challenge {
  x402Version: number;
  resource?: unknown;
  accepts: Terms[];
}

const TRANSFER_FIELDS = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
];
const DOMAIN_FIELDS = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

export async function fetchPaid<T>(path: string, query: Query, provider: WalletProvider): Promise<T> {
  const url = `${API_BASE}${path}${formatQuery(query)}`;
  const challenge = await fetchChallenge(url);
  const header = await sign(challenge, provider);
  const response = await fetch(url, { headers: { 'payment-signature': header }, cache: 'no-store' });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw describeFailure(response, body);
  return body as T;
}

async function fetchChallenge(url: string): Promise<Challenge> {
  const response = await fetch(url, { cache: 'no-store' });
  const header = response.headers.get('payment-required');
  if (response.status !== 402 || !header)
    throw describeFailure(response, await response.json().catch(() => null));
  return JSON.parse(atob(header)) as Challenge;
}

async function sign(challenge: Challenge, provider: WalletProvider): Promise<string> {
  const accepted = challenge.accepts.find(
    ({ scheme, network }) => scheme === 'exact' && /^eip155:\d+$/.test(network),
  );
  if (!accepted)
    throw new ServiceError(402, 'The service requires a payment this page cannot make.', [], null);
  const chainId = Number(accepted.network.split(':')[1]);
  const from = await fetchWalletAddress(provider);
  if (!from) throw new ServiceError(402, 'The wallet returned no address.', [], null);
  await moveToChain(provider, chainId);
  const authorization = authorise(accepted, from);
  const typedData = {
    types: { EIP712Domain: DOMAIN_FIELDS, TransferWithAuthorization: TRANSFER_FIELDS },
    primaryType: 'TransferWithAuthorization',
    domain: {
      name: accepted.extra?.name,
      version: accepted.extra?.version,
      chainId,
      verifyingContract: accepted.asset,
    },
    message: authorization,
  };
  const signature = await provider.request({
    method: 'eth_signTypedData_v4',
    params: [from, JSON.stringify(typedData)],
  });
  const { x402Version, resource } = challenge;
  return btoa(JSON.stringify({ x402Version, resource, accepted, payload: { signature, authorization } }));
}

function authorise(terms: Terms, from: string) {
  const nonce = crypto.getRandomValues(new Uint8Array(32));
  return {
    from,
    to: terms.payTo,
    value: terms.amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1000) + terms.maxTimeoutSeconds),
    nonce: `0x${[...nonce].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  };
}

/** Wallets sign only for their current chain. */
async function moveToChain(provider: WalletProvider, chainId: number): Promise<void> {
  const current = Number(await provider.request({ method: 'eth_chainId' }));
  if (current === chainId) return;
  const params = [{ chainId: `0x${chainId.toString(16)}` }];
  await provider.request({ method: 'wallet_switchEthereumChain', params });
}
