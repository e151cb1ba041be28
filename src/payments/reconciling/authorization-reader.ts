// Reads an authorisation's state from the chain: unused, used for this payment, used for another transfer, or
// cancelled by its signer.

import { createPublicClient, type Hex, http, parseAbi, parseEventLogs } from 'viem';
import { base, baseSepolia } from 'viem/chains';
import { UsageError } from '../../runtime/errors.ts';

const ABI = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const [, USED_EVENT, CANCELED_EVENT] = ABI;
/** Public nodes accept ranges of about this many blocks. */
const BLOCKS_PER_QUERY = 2_000n;
const MAX_QUERIES = 50;
const RPC_TIMEOUT_MS = 10_000;

export type AuthorizationUse =
  /** headTimestampS: the chain's clock, compared with validBefore. */
  | { kind: 'unused'; headTimestampS: number }
  | { kind: 'used'; transaction: string | null }
  /** The payer reused the nonce for another recipient or amount. */
  | { kind: 'diverted'; transaction: string }
  | { kind: 'cancelled'; transaction: string };

export interface AuthorizationKey {
  asset: string;
  payer: string;
  nonce: string;
  payTo: string;
  amount: string;
  /** Earlier blocks cannot contain the authorisation. */
  sinceTs: number;
}

export interface AuthorizationReader {
  read(key: AuthorizationKey): Promise<AuthorizationUse>;
}

export function createAuthorizationReader(network: string, rpcUrl: string | null): AuthorizationReader {
  const client = createPublicClient({
    transport: http(rpcUrl ?? findPublicNode(network), { timeout: RPC_TIMEOUT_MS, retryCount: 1 }),
  });

  /** The token logs the transfer right after the AuthorizationUsed event. */
  async function readTransfer(
    { asset, payer, payTo, amount }: AuthorizationKey,
    used: { transactionHash: Hex; logIndex: number },
  ): Promise<AuthorizationUse> {
    const { logs } = await client.getTransactionReceipt({ hash: used.transactionHash });
    const isPaid = parseEventLogs({ abi: ABI, eventName: 'Transfer', logs }).some(
      ({ address, logIndex, args: { from, to, value } }) =>
        logIndex === used.logIndex + 1 &&
        isSameAddress(address, asset) &&
        isSameAddress(from, payer) &&
        isSameAddress(to, payTo) &&
        value === BigInt(amount),
    );
    return { kind: isPaid ? 'used' : 'diverted', transaction: used.transactionHash };
  }

  async function findSpending(
    key: AuthorizationKey,
    headBlock: bigint,
    headTimestampS: number,
  ): Promise<AuthorizationUse> {
    const args = { authorizer: key.payer as Hex, nonce: key.nonce as Hex };
    const ageS = Math.max(0, headTimestampS - Math.floor(key.sinceTs / 1000));
    // No supported chain produces more than one block per second.
    const oldestBlock = headBlock - BigInt(ageS + 60);
    let toBlock = headBlock;
    for (let i = 0; i < MAX_QUERIES && toBlock >= 0n && toBlock >= oldestBlock; i++) {
      const fromBlock = toBlock >= BLOCKS_PER_QUERY ? toBlock - BLOCKS_PER_QUERY + 1n : 0n;
      const range = { address: key.asset as Hex, args, fromBlock, toBlock };
      const [used] = await client.getLogs({ ...range, event: USED_EVENT });
      if (used) return readTransfer(key, used);
      const [canceled] = await client.getLogs({ ...range, event: CANCELED_EVENT });
      if (canceled) return { kind: 'cancelled', transaction: canceled.transactionHash };
      toBlock = fromBlock - 1n;
    }
    return { kind: 'used', transaction: null };
  }

  return {
    async read(key) {
      // Read the head first: an authorisation unused in a later block was unused at that head too.
      const head = await client.getBlock();
      const headTimestampS = Number(head.timestamp);
      const isSpent = await client.readContract({
        address: key.asset as Hex,
        abi: ABI,
        functionName: 'authorizationState',
        args: [key.payer as Hex, key.nonce as Hex],
      });
      if (!isSpent) return { kind: 'unused', headTimestampS };
      const latest = await client.getBlockNumber({ cacheTime: 0 });
      return findSpending(key, latest, headTimestampS);
    },
  };
}

function isSameAddress(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

function findPublicNode(network: string): string {
  const chain = [base, baseSepolia].find((each) => network === `eip155:${each.id}`);
  if (!chain) throw new UsageError(`no public node is known for ${network}. Set FACILITATOR_RPC_URL.`);
  return chain.rpcUrls.default.http[0];
}
