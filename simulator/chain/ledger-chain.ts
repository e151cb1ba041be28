// The simulated chain: a ledger of the simulated dollar behind signed Ethereum transactions. A queue serialises
// all work, because checking a signature takes a turn of the event loop.

import {
  decodeFunctionData,
  encodeErrorResult,
  encodeFunctionResult,
  type Hex,
  keccak256,
  parseAbi,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
  zeroAddress,
} from 'viem';
import {
  type CallRequest,
  type CallResult,
  CHAIN_ID,
  type Chain,
  type ChainOptions,
  type MinedTransaction,
  MULTICALL_ADDRESS,
  TOKEN_ADDRESS,
  TransactionRefused,
} from './chain.ts';
import { createDollar, type Effect, Reverted } from './dollar.ts';

const MULTICALL = parseAbi([
  'struct Call { address target; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function tryAggregate(bool requireSuccess, Call[] calls) payable returns (Result[])',
]);
const ERRORS = parseAbi(['error Error(string)']);
const GAS_USED = 80_000n;
const GAS_MONEY_WEI = 10n ** 24n;
/** Shows that an address holds a contract; wallets have no code. */
const SOME_CODE = '0x00';

interface Parsed {
  hash: string;
  from: string;
  to: string | null;
  nonce: number;
  data: Hex;
}

export async function createLedgerChain(options: ChainOptions): Promise<Chain> {
  const dollar = createDollar();
  const transactions: MinedTransaction[] = [];
  const byHash = new Map<string, MinedTransaction>();
  const nonces = new Map<string, number>();
  const gasPayers = new Set((options.gasPayers ?? []).map((owner) => owner.toLowerCase()));
  let lastTimestampS = 0;
  let tail: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = tail.then(work);
    tail = result.catch(() => undefined);
    return result;
  }

  // Time advances without transactions too, as if empty blocks were mined.
  const nowS = () => Math.max(lastTimestampS, Math.floor(options.clock.now() / 1000));
  const nonceOf = (owner: string) => nonces.get(owner.toLowerCase()) ?? 0;

  async function mine(
    raw: string,
    timestampS: number,
    onAccepted: ChainOptions['onAccepted'],
  ): Promise<MinedTransaction> {
    const tx = await readTransaction(raw);
    const known = byHash.get(tx.hash);
    if (known) return known;
    requireExecutable(tx);
    onAccepted?.(raw, timestampS);
    nonces.set(tx.from, tx.nonce + 1);
    lastTimestampS = timestampS;
    const effect = await orNull(run({ from: tx.from, to: tx.to ?? '', data: tx.data }, timestampS));
    effect?.apply();
    const blockNumber = transactions.length + 1;
    const { hash, from, to, nonce } = tx;
    const logs = (effect?.logs ?? []).map((log, logIndex) => ({
      ...log,
      address: TOKEN_ADDRESS.toLowerCase(),
      blockNumber,
      transactionHash: hash,
      logIndex,
    }));
    const mined: MinedTransaction = {
      ...{ hash, raw, from, to, nonce, blockNumber, blockTimestampS: timestampS },
      ...{ succeeded: effect !== null, gasUsed: GAS_USED, logs },
    };
    transactions.push(mined);
    byHash.set(hash, mined);
    return mined;
  }

  function requireExecutable({ from, nonce }: Parsed): void {
    const next = nonceOf(from);
    if (nonce < next) throw new TransactionRefused(`nonce too low: next nonce ${next}, tx nonce ${nonce}`);
    if (nonce > next) throw new TransactionRefused(`nonce too high: next nonce ${next}, tx nonce ${nonce}`);
    if (!gasPayers.has(from)) throw new TransactionRefused('insufficient funds for gas * price + value');
  }

  /** A call to any other address does nothing. */
  async function run({ from, to, data }: CallRequest, timestampS: number): Promise<Effect> {
    const input = (data ?? '0x') as Hex;
    if (isSame(to, TOKEN_ADDRESS))
      return dollar.run({ sender: from ?? zeroAddress, data: input, timestampS });
    if (isSame(to, MULTICALL_ADDRESS)) return runAll(input, timestampS);
    return { returnValue: '0x', logs: [], apply() {} };
  }

  /** For calls only: as a transaction it changes nothing. */
  async function runAll(data: Hex, timestampS: number): Promise<Effect> {
    const { args } = decodeFunctionData({ abi: MULTICALL, data });
    const results: { success: boolean; returnData: Hex }[] = [];
    for (const { target, callData } of args[1]) {
      const request = { from: MULTICALL_ADDRESS, to: target, data: callData };
      const { reverted, returnValue } = await simulate(request, timestampS);
      if (reverted && args[0]) throw new Reverted('a call failed');
      results.push({ success: !reverted, returnData: returnValue as Hex });
    }
    const returnValue = encodeFunctionResult({
      abi: MULTICALL,
      functionName: 'tryAggregate',
      result: results,
    });
    return { returnValue, logs: [], apply() {} };
  }

  async function simulate(request: CallRequest, timestampS: number): Promise<CallResult> {
    try {
      const { returnValue } = await run(request, timestampS);
      return { returnValue, gasUsed: GAS_USED, reverted: false };
    } catch (error) {
      if (!(error instanceof Reverted)) throw error;
      const args = [error.message] as const;
      const returnValue =
        error.message === '' ? '0x' : encodeErrorResult({ abi: ERRORS, errorName: 'Error', args });
      return { returnValue, gasUsed: GAS_USED, reverted: true };
    }
  }

  for (const { raw, timestampS } of options.history ?? []) await mine(raw, timestampS, undefined);

  return {
    head: () => ({ number: transactions.length, timestampS: nowS() }),
    call: (request) => inTurn(() => simulate(request, nowS())),
    send: (raw) => inTurn(() => mine(raw, nowS(), options.onAccepted)),
    nonce: (owner) => inTurn(async () => nonceOf(owner)),
    balance: async (owner) => (gasPayers.has(owner.toLowerCase()) ? GAS_MONEY_WEI : 0n),
    code: async (owner) =>
      [TOKEN_ADDRESS, MULTICALL_ADDRESS].some((at) => isSame(owner, at)) ? SOME_CODE : '0x',
    find: (hash) => byHash.get(hash.toLowerCase()),
    mined: () => transactions,
    fundGas: async (owner) => void gasPayers.add(owner.toLowerCase()),
  };
}

async function readTransaction(raw: string): Promise<Parsed> {
  try {
    const serializedTransaction = raw as TransactionSerialized;
    const { chainId, to, nonce, data } = parseTransaction(serializedTransaction);
    if (chainId !== CHAIN_ID) throw new Error(`its chain is ${chainId}`);
    const from = await recoverTransactionAddress({ serializedTransaction });
    return {
      hash: keccak256(raw as Hex),
      from: from.toLowerCase(),
      to: to?.toLowerCase() ?? null,
      nonce: nonce ?? 0,
      data: data ?? '0x',
    };
  } catch (error) {
    throw new TransactionRefused(
      `cannot read transaction: ${error instanceof Error ? error.message : error}`,
    );
  }
}

async function orNull(effect: Promise<Effect>): Promise<Effect | null> {
  return effect.catch((error) => {
    if (error instanceof Reverted) return null;
    throw error;
  });
}

function isSame(left: string | undefined, right: string): boolean {
  return left?.toLowerCase() === right.toLowerCase();
}
