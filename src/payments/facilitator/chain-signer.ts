// The facilitator's chain access: reads, signature checks and serial settlements. The x402 packages report an
// unreachable node as an invalid payment, so we record node errors per request and report "unknown" instead.

import { AsyncLocalStorage } from 'node:async_hooks';
import { type FacilitatorEvmSigner, toFacilitatorEvmSigner } from '@x402/evm';
import {
  BaseError,
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex,
  HttpRequestError,
  http,
  TimeoutError,
  TransactionReceiptNotFoundError,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type Clock, sleep } from '../../runtime/clock.ts';

export interface ChainSignerOptions {
  rpcUrl: string;
  privateKey: string;
  chainId: number;
  clock: Clock;
  receiptPollMs: number;
}

export interface ChainSigner {
  signer: FacilitatorEvmSigner;
  address: string;
  /** Runs `work` and reports whether any request to the node failed. */
  watchFaults<T>(work: () => Promise<T>): Promise<{ result: T | null; error: unknown; fault: string | null }>;
}

const RPC_TIMEOUT_MS = 10_000;
const RECEIPT_TIMEOUT_MS = 30_000;

class ReceiptTimeout extends Error {}

export function createChainSigner(options: ChainSignerOptions): ChainSigner {
  const chain = defineChain({
    id: options.chainId,
    name: `eip155:${options.chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [options.rpcUrl] } },
  });
  const account = privateKeyToAccount(options.privateKey as Hex);
  // No transport retries: the node would reject a repeated broadcast as "already known", as if it failed.
  const transport = http(options.rpcUrl, { timeout: RPC_TIMEOUT_MS, retryCount: 0 });
  const reader = createPublicClient({ chain, transport });
  const wallet = createWalletClient({ chain, transport, account });
  const queue = createBroadcastQueue(() =>
    reader.getTransactionCount({ address: account.address, blockTag: 'pending' }),
  );
  const faults = new AsyncLocalStorage<{ fault: string | null }>();

  function noting<A extends unknown[], R>(ask: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    return async (...args) => {
      try {
        return await ask(...args);
      } catch (error) {
        const note = faults.getStore();
        if (note && isNodeFault(error))
          note.fault = error instanceof BaseError ? error.shortMessage : String(error);
        throw error;
      }
    };
  }

  async function waitForReceipt({ hash }: { hash: Hex }) {
    const deadlineTs = options.clock.now() + RECEIPT_TIMEOUT_MS;
    for (;;) {
      try {
        return await reader.getTransactionReceipt({ hash });
      } catch (error) {
        const canComeLater = error instanceof TransactionReceiptNotFoundError || isNodeFault(error);
        if (!canComeLater) throw error;
        if (options.clock.now() >= deadlineTs) throw new ReceiptTimeout(`no receipt for ${hash} yet`);
      }
      await sleep(options.clock, options.receiptPollMs);
    }
  }

  const askCode = noting((args: { address: Hex }) => reader.getCode(args));
  type Signer = Omit<FacilitatorEvmSigner, 'getAddresses'>;
  type ReadArgs = Parameters<typeof reader.readContract>[0];
  type WriteArgs = Parameters<typeof wallet.writeContract>[0];
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    readContract: noting<Parameters<Signer['readContract']>, unknown>((args) =>
      reader.readContract(args as ReadArgs),
    ),
    verifyTypedData: noting<Parameters<Signer['verifyTypedData']>, boolean>((args) =>
      reader.verifyTypedData(args as Parameters<typeof reader.verifyTypedData>[0]),
    ),
    writeContract: noting<Parameters<Signer['writeContract']>, Hex>((args) =>
      queue.broadcast((nonce) => wallet.writeContract({ ...args, nonce, account, chain } as WriteArgs)),
    ),
    sendTransaction: noting<Parameters<Signer['sendTransaction']>, Hex>((args) =>
      queue.broadcast((nonce) => wallet.sendTransaction({ ...args, nonce, account, chain })),
    ),
    waitForTransactionReceipt: noting<
      Parameters<Signer['waitForTransactionReceipt']>,
      Awaited<ReturnType<Signer['waitForTransactionReceipt']>>
    >(waitForReceipt),
    // Never rejects: the packages may abandon this promise, and an unhandled rejection would end the process.
    // The recorded error makes the result "unknown" instead of "no code".
    getCode: (args) => askCode(args).catch(() => undefined),
  });

  return {
    signer,
    address: account.address,
    async watchFaults(work) {
      const note = { fault: null as string | null };
      try {
        return { result: await faults.run(note, work), error: null, fault: note.fault };
      } catch (error) {
        return { result: null, error, fault: note.fault };
      }
    },
  };
}

function isNodeFault(error: unknown): boolean {
  if (error instanceof ReceiptTimeout) return true;
  if (!(error instanceof BaseError)) return false;
  return error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null;
}

// Sends a wallet's transactions one at a time. It tracks the nonce itself, because a node's pending count can
// lag, and re-reads it from the node after a failure.

interface BroadcastQueue {
  /** Calls `send` with the next account nonce once all earlier transactions have been broadcast. */
  broadcast<T>(send: (nonce: number) => Promise<T>): Promise<T>;
}

export function createBroadcastQueue(fetchPendingNonce: () => Promise<number>): BroadcastQueue {
  let tail: Promise<unknown> = Promise.resolve();
  let rememberedNonce = 0;

  async function sendNext<T>(send: (nonce: number) => Promise<T>): Promise<T> {
    const nonce = Math.max(await fetchPendingNonce(), rememberedNonce);
    try {
      const result = await send(nonce);
      rememberedNonce = nonce + 1;
      return result;
    } catch (error) {
      rememberedNonce = 0;
      throw error;
    }
  }

  return {
    broadcast(send) {
      const result = tail.then(() => sendNext(send));
      tail = result.catch(() => undefined);
      return result;
    },
  };
}
