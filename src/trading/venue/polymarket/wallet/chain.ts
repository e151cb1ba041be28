// What the trader reads from the chain, and the few transactions it sends itself, over plain JSON-RPC.

import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  numberToHex,
  parseAbi,
} from 'viem';
import { type Approval, CHAIN_ID, CONTRACTS } from '../signing/contracts.ts';

const ABI = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
]);
const VALID = '0x1626ba7e';
/** More than any order of this trader can spend. */
const AMPLE_MICRO = 10n ** 12n;
const TIMEOUT_MS = 4_000;

export interface Chain {
  hasCode(address: Hex): Promise<boolean>;
  /** Whether the wallet's contract accepts the signature. */
  isValidSignature(wallet: Hex, hash: Hex, signature: Hex): Promise<boolean>;
  collateralMicro(owner: Hex): Promise<number>;
  isApproved(owner: Hex, approval: Approval): Promise<boolean>;
  gasWei(owner: Hex): Promise<bigint>;
  /** Returns the transaction's hash. */
  send(account: LocalAccount, to: Hex, data: Hex): Promise<Hex>;
  /** null while the transaction is pending. */
  hasSucceeded(hash: Hex): Promise<boolean | null>;
}

export function openChain(url: string, ask: typeof fetch = fetch): Chain {
  let number = 0;

  async function request(method: string, ...params: unknown[]): Promise<unknown> {
    const response = await ask(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++number, method, params }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`chain: ${method} returned ${response.status}`);
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message?: string } };
    if (error) throw new Error(`chain: ${error.message ?? 'error without a message'}`);
    return result;
  }

  async function read(to: Hex, functionName: (typeof ABI)[number]['name'], args: readonly unknown[]) {
    const data = encodeFunctionData({ abi: ABI, functionName, args } as never);
    const result = (await request('eth_call', { to, data }, 'latest')) as Hex;
    return decodeFunctionResult({ abi: ABI, functionName, data: result } as never) as unknown;
  }

  return {
    hasCode: async (address) => String(await request('eth_getCode', address, 'latest')).length > 2,
    async isValidSignature(wallet, hash, signature) {
      try {
        return (await read(wallet, 'isValidSignature', [hash, signature])) === VALID;
      } catch (error) {
        // A wallet may also reject a signature by reverting.
        if (/revert/i.test(String(error))) return false;
        throw error;
      }
    },
    collateralMicro: async (owner) => Number(await read(CONTRACTS.collateral, 'balanceOf', [owner])),
    async isApproved(owner, { token, spender, kind }) {
      if (kind === 'erc1155') return (await read(token, 'isApprovedForAll', [owner, spender])) === true;
      return ((await read(token, 'allowance', [owner, spender])) as bigint) >= AMPLE_MICRO;
    },
    gasWei: async (owner) => BigInt(String(await request('eth_getBalance', owner, 'latest'))),
    async send(account, to, data) {
      const call = { from: account.address, to, data };
      const [nonce, gasPrice, gas] = await Promise.all([
        request('eth_getTransactionCount', account.address, 'pending'),
        request('eth_gasPrice'),
        request('eth_estimateGas', call),
      ]);
      const signed = await account.signTransaction({
        type: 'legacy',
        chainId: CHAIN_ID,
        to,
        data,
        nonce: Number(nonce),
        gas: (BigInt(String(gas)) * 12n) / 10n,
        gasPrice: (BigInt(String(gasPrice)) * 12n) / 10n,
      });
      return (await request('eth_sendRawTransaction', signed)) as Hex;
    },
    async hasSucceeded(hash) {
      const receipt = (await request('eth_getTransactionReceipt', hash)) as { status?: string } | null;
      return receipt === null ? null : receipt.status === numberToHex(1);
    },
  };
}
