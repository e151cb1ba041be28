// Offline per-call payments: the simulated chain, a faucet and a facilitator, all on loopback. The keys are
// public on purpose; the money is worthless.

import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicClient, encodeFunctionData, type Hex, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { startFacilitator } from '../../src/payments/facilitator/server.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import type { Logger } from '../../src/runtime/logger.ts';
import { BASE_FEE_WEI, CHAIN_ID, type Chain, TOKEN_ADDRESS } from './chain.ts';
import { writeDemoFile } from './demo-file.ts';
import { createLedgerChain } from './ledger-chain.ts';
import { startChainServer } from './rpc-server.ts';

// Stores the transactions accepted by the simulated chain, one per line, so that a restarted demo restores
// its balances.

interface PastTransaction {
  raw: string;
  timestampS: number;
}

interface ChainHistory {
  load(): PastTransaction[];
  append(raw: string, timestampS: number): void;
}

function openChainHistory(dataDir: string): ChainHistory {
  const file = join(dataDir, 'demo-chain.jsonl');
  return {
    load: () => (existsSync(file) ? parseHistory(readFileSync(file, 'utf8')) : []),
    append(raw, timestampS) {
      mkdirSync(dataDir, { recursive: true });
      appendFileSync(file, `${JSON.stringify({ raw, timestampS })}\n`);
    },
  };
}

/** A process killed while writing leaves half a line; that transaction was never executed. */
function parseHistory(text: string): PastTransaction[] {
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  return complete
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PastTransaction);
}

export interface DemoPaymentsOptions {
  clock: Clock;
  logger: Logger;
  /** Where the chain is saved; if absent, a restart begins a new chain. */
  dataDir?: string;
  /** Recipient of payments; defaults to the demo's own address. */
  payTo?: string;
  /** Opens a saved chain read-only. */
  isReadOnly?: boolean;
}

export interface DemoPayments {
  network: 'eip155:84532';
  asset: string;
  payTo: string;
  facilitatorUrl: string;
  rpcUrl: string;
  faucetUrl: string;
  chain: Chain;
  balanceOf(address: string): Promise<bigint>;
  close(): Promise<void>;
}

const TOKEN_ABI = parseAbi([
  'function mint(address to, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
]);
/** One simulated dollar per request, in atomic units. */
const DRIP_AMOUNT = 1_000_000n;

export async function startDemoStack(options: DemoPaymentsOptions): Promise<DemoPayments> {
  const facilitatorKey = demoKey('facilitator');
  const faucet = privateKeyToAccount(demoKey('faucet'));
  const payTo = options.payTo ?? privateKeyToAccount(demoKey('payee')).address;

  const history = options.dataDir ? openChainHistory(options.dataDir) : null;
  const chain = await createLedgerChain({
    clock: options.clock,
    gasPayers: [faucet.address, privateKeyToAccount(facilitatorKey).address],
    history: history?.load() ?? [],
    ...(history && !options.isReadOnly ? { onAccepted: history.append } : {}),
  });
  const mint = createMinter(chain, faucet);
  const chainServer = await startChainServer({
    chain,
    drip: async (address) => ({ transaction: await mint(address, DRIP_AMOUNT), amount: String(DRIP_AMOUNT) }),
  });
  const facilitator = await startFacilitator({
    settings: {
      network: `eip155:${CHAIN_ID}`,
      rpcUrl: chainServer.url,
      privateKey: facilitatorKey,
      payTo: [payTo],
      receiptPollMs: 20,
    },
    clock: options.clock,
    logger: options.logger,
  });
  const reader = createPublicClient({ transport: http(chainServer.url) });
  const balanceOf = (address: string) =>
    reader.readContract({
      address: TOKEN_ADDRESS,
      abi: TOKEN_ABI,
      functionName: 'balanceOf',
      args: [address as Hex],
    });

  const demo: DemoPayments = {
    network: `eip155:${CHAIN_ID}`,
    asset: TOKEN_ADDRESS,
    payTo,
    facilitatorUrl: facilitator.url,
    rpcUrl: chainServer.url,
    faucetUrl: chainServer.faucetUrl,
    chain,
    balanceOf,
    async close() {
      await facilitator.close();
      await chainServer.close();
    },
  };
  if (options.dataDir && !options.isReadOnly) writeDemoFile(options.dataDir, demo);
  return demo;
}

function demoKey(role: string): Hex {
  return `0x${createHash('sha256').update(`simulator payments: ${role}`).digest('hex')}`;
}

/** Mints sequentially, because each call needs the current account nonce. */
function createMinter(chain: Chain, faucet: ReturnType<typeof privateKeyToAccount>) {
  let tail: Promise<unknown> = Promise.resolve();
  async function mint(to: string, amount: bigint): Promise<string> {
    const raw = await faucet.signTransaction({
      type: 'eip1559',
      chainId: CHAIN_ID,
      nonce: await chain.nonce(faucet.address),
      to: TOKEN_ADDRESS,
      data: encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [to as Hex, amount] }),
      gas: 200_000n,
      maxFeePerGas: BASE_FEE_WEI * 2n,
      maxPriorityFeePerGas: 1n,
    });
    return (await chain.send(raw)).hash;
  }
  return (to: string, amount: bigint): Promise<string> => {
    const result = tail.then(() => mint(to, amount));
    tail = result.catch(() => undefined);
    return result;
  };
}
