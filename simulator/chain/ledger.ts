// The stand-in for a chain: balances of one dollar token, and which authorisations were used. It implements what the
// x402 packages' facilitator needs of a chain; they check signatures, times and amounts themselves.

import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FacilitatorEvmSigner } from '@x402/evm';
import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi, verifyTypedData } from 'viem';

/** null as `from` is new money of the faucet; null as `nonce` is no authorisation. */
export interface Transfer {
  hash: Hex;
  from: string | null;
  to: string;
  value: string;
  nonce: string | null;
}

export interface Ledger {
  signer: FacilitatorEvmSigner;
  mint(to: string, value: bigint): Transfer;
  balanceOf(owner: string): bigint;
  transfers(): readonly Transfer[];
}

export interface Token {
  asset: string;
  name: string;
  version: string;
}

type Args = readonly [from: string, to: string, value: bigint, after: bigint, before: bigint, nonce: string];

const READS = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function balanceOf(address owner) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
]);

/** `file` keeps the transfers, one per line, so that a restarted demo restores its balances. */
export function openLedger(token: Token, file: string | null): Ledger {
  const balances = new Map<string, bigint>();
  const used = new Set<string>();
  const transfers: Transfer[] = [];
  const balanceOf = (owner: string) => balances.get(owner.toLowerCase()) ?? 0n;
  const add = (owner: string, value: bigint) => balances.set(owner.toLowerCase(), balanceOf(owner) + value);
  const keyOf = (owner: string, nonce: string) => `${owner} ${nonce}`.toLowerCase();

  function apply(transfer: Transfer): void {
    const { from, to, value, nonce } = transfer;
    if (from !== null) add(from, -BigInt(value));
    if (from !== null && nonce !== null) used.add(keyOf(from, nonce));
    add(to, BigInt(value));
    transfers.push(transfer);
  }

  function record(from: string | null, to: string, value: bigint, nonce: string | null): Transfer {
    const digest = createHash('sha256').update(`${transfers.length} ${from} ${to} ${nonce}`).digest('hex');
    const transfer: Transfer = { hash: `0x${digest}`, from, to, value: String(value), nonce };
    if (file !== null) appendFileSync(file, `${JSON.stringify(transfer)}\n`);
    apply(transfer);
    return transfer;
  }

  function requireTransferable([from, , value, , , nonce]: Args): void {
    if (used.has(keyOf(from, nonce))) throw new Error('authorization is used or canceled');
    if (balanceOf(from) < value) throw new Error('transfer amount exceeds balance');
  }

  function read(data: Hex): Hex {
    const call = decodeFunctionData({ abi: READS, data });
    if (call.functionName === 'balanceOf')
      return encodeFunctionResult({ abi: READS, functionName: 'balanceOf', result: balanceOf(call.args[0]) });
    if (call.functionName === 'authorizationState') {
      const result = used.has(keyOf(...call.args));
      return encodeFunctionResult({ abi: READS, functionName: 'authorizationState', result });
    }
    const { functionName } = call;
    return encodeFunctionResult({ abi: READS, functionName, result: token[functionName] });
  }

  const signer: FacilitatorEvmSigner = {
    getAddresses: () => [token.asset as Hex],
    async readContract({ functionName, args = [] }) {
      if (functionName === 'transferWithAuthorization') return requireTransferable(args as unknown as Args);
      if (functionName !== 'tryAggregate') throw new Error(`the stand-in chain has no ${functionName}`);
      const calls = args[1] as { callData: Hex }[];
      return calls.map(({ callData }) => ({ success: true, returnData: read(callData) }));
    },
    async writeContract({ args }) {
      const transfer = args as unknown as Args;
      requireTransferable(transfer);
      const [from, to, value, , , nonce] = transfer;
      return record(from, to, value, nonce).hash;
    },
    verifyTypedData: (args) => verifyTypedData(args as Parameters<typeof verifyTypedData>[0]),
    sendTransaction: () => Promise.reject(new Error('the stand-in chain has no contracts')),
    waitForTransactionReceipt: async () => ({ status: 'success' }),
    getCode: async ({ address }) =>
      address.toLowerCase() === token.asset.toLowerCase() ? '0x01' : undefined,
  };

  if (file !== null) for (const transfer of load(file)) apply(transfer);
  return {
    signer,
    mint: (to, value) => record(null, to, value, null),
    balanceOf,
    transfers: () => transfers,
  };
}

/** A process killed while writing leaves half a line; that transfer was never reported. */
function load(file: string): Transfer[] {
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Transfer);
}
