// The judge of the simulated chain: a real EVM in memory that runs the token's bytecode. A queue serialises all
// work, because simulated calls share state with real ones.

import { createBlock } from '@ethereumjs/block';
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx';
import {
  type Address,
  bytesToHex,
  createAccount,
  createAddressFromString,
  hexToBytes,
  type PrefixedHexString,
} from '@ethereumjs/util';
import { createVM, runTx, type VM } from '@ethereumjs/vm';
import {
  BASE_FEE_WEI,
  type CallRequest,
  type CallResult,
  CHAIN_ID,
  type Chain,
  type ChainOptions,
  type MinedTransaction,
  MULTICALL_ADDRESS,
  TOKEN_ADDRESS,
  TransactionRefused,
} from '../../../simulator/chain/chain.ts';
import { DEMO_DOLLAR_BYTECODE, DEMO_MULTICALL_BYTECODE } from './token-bytecode.ts';

const GAS_LIMIT = 30_000_000n;

export async function createEvmChain(options: ChainOptions): Promise<Chain> {
  const common = new Common({
    chain: { ...Mainnet, name: 'simulated', chainId: CHAIN_ID },
    hardfork: Hardfork.Cancun,
  });
  const vm = await createVM({ common });
  await placeContract(vm, TOKEN_ADDRESS, DEMO_DOLLAR_BYTECODE);
  await placeContract(vm, MULTICALL_ADDRESS, DEMO_MULTICALL_BYTECODE);

  const transactions: MinedTransaction[] = [];
  const byHash = new Map<string, MinedTransaction>();
  let lastTimestampS = 0;
  let tail: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = tail.then(work);
    tail = result.catch(() => undefined);
    return result;
  }

  // Time advances without transactions too, as if empty blocks were mined.
  function nowS(): number {
    return Math.max(lastTimestampS, Math.floor(options.clock.now() / 1000));
  }

  function blockAt(timestampS: number) {
    return createBlock(
      {
        header: {
          number: BigInt(transactions.length + 1),
          timestamp: BigInt(timestampS),
          gasLimit: GAS_LIMIT,
          baseFeePerGas: BASE_FEE_WEI,
        },
      },
      { common, skipConsensusFormatValidation: true },
    );
  }

  async function mine(raw: string, timestampS: number): Promise<MinedTransaction> {
    const tx = parseTransaction(raw, common);
    const known = byHash.get(bytesToHex(tx.hash()));
    if (known) return known;
    await requireExecutable(vm, tx);
    options.onAccepted?.(raw, timestampS);
    const result = await runTx(vm, { tx, block: blockAt(timestampS), skipHardForkValidation: true });
    lastTimestampS = timestampS;
    const mined = describeMined(tx, raw, transactions.length + 1, timestampS, {
      succeeded: result.execResult.exceptionError === undefined,
      gasUsed: result.totalGasSpent,
      logs: result.execResult.logs ?? [],
    });
    transactions.push(mined);
    byHash.set(mined.hash, mined);
    return mined;
  }

  async function simulate(request: CallRequest): Promise<CallResult> {
    await vm.stateManager.checkpoint();
    try {
      const caller = request.from ? address(request.from) : undefined;
      const result = await vm.evm.runCall({
        ...(caller ? { caller, origin: caller } : {}),
        ...(request.to ? { to: address(request.to) } : {}),
        data: hexToBytes((request.data ?? '0x') as PrefixedHexString),
        gasLimit: GAS_LIMIT,
        block: blockAt(nowS()),
        skipBalance: true,
      });
      return {
        returnValue: bytesToHex(result.execResult.returnValue),
        gasUsed: result.execResult.executionGasUsed,
        reverted: result.execResult.exceptionError !== undefined,
      };
    } finally {
      await vm.stateManager.revert();
      vm.evm.journal.cleanup && (await vm.evm.journal.cleanup());
    }
  }

  for (const owner of options.gasPayers ?? []) await fundGas(vm, owner);
  const { onAccepted } = options;
  options = { ...options, onAccepted: undefined };
  for (const past of options.history ?? []) await mine(past.raw, past.timestampS);
  options = { ...options, onAccepted };

  return {
    head: () => ({ number: transactions.length, timestampS: nowS() }),
    call: (request) => inTurn(() => simulate(request)),
    send: (raw) => inTurn(() => mine(raw, nowS())),
    nonce: (owner) =>
      inTurn(async () => Number((await vm.stateManager.getAccount(address(owner)))?.nonce ?? 0n)),
    balance: (owner) => inTurn(async () => (await vm.stateManager.getAccount(address(owner)))?.balance ?? 0n),
    code: (owner) => inTurn(async () => bytesToHex(await vm.stateManager.getCode(address(owner)))),
    find: (hash) => byHash.get(hash.toLowerCase()),
    mined: () => transactions,
    fundGas: (owner) => inTurn(() => fundGas(vm, owner)),
  };
}

async function fundGas(vm: VM, owner: string): Promise<void> {
  const account = await vm.stateManager.getAccount(address(owner));
  await vm.stateManager.putAccount(
    address(owner),
    createAccount({ nonce: account?.nonce ?? 0n, balance: 10n ** 24n }),
  );
}

function address(text: string): Address {
  return createAddressFromString(text.toLowerCase());
}

async function placeContract(vm: VM, at: string, bytecode: string): Promise<void> {
  await vm.stateManager.putAccount(address(at), createAccount({ nonce: 1n }));
  await vm.stateManager.putCode(address(at), hexToBytes(bytecode as PrefixedHexString));
}

function parseTransaction(raw: string, common: Common): TypedTransaction {
  try {
    const tx = createTxFromRLP(hexToBytes(raw as PrefixedHexString), { common });
    if (!tx.verifySignature()) throw new Error('invalid signature');
    return tx;
  } catch (error) {
    throw new TransactionRefused(
      `cannot read transaction: ${error instanceof Error ? error.message : error}`,
    );
  }
}

async function requireExecutable(vm: VM, tx: TypedTransaction): Promise<void> {
  const account = await vm.stateManager.getAccount(tx.getSenderAddress());
  const nonce = account?.nonce ?? 0n;
  if (tx.nonce < nonce)
    throw new TransactionRefused(`nonce too low: next nonce ${nonce}, tx nonce ${tx.nonce}`);
  if (tx.nonce > nonce)
    throw new TransactionRefused(`nonce too high: next nonce ${nonce}, tx nonce ${tx.nonce}`);
  if ((account?.balance ?? 0n) < tx.getUpfrontCost(BASE_FEE_WEI)) {
    throw new TransactionRefused('insufficient funds for gas * price + value');
  }
}

type RawLog = [Uint8Array, Uint8Array[], Uint8Array];

function describeMined(
  tx: TypedTransaction,
  raw: string,
  blockNumber: number,
  blockTimestampS: number,
  outcome: { succeeded: boolean; gasUsed: bigint; logs: readonly RawLog[] },
): MinedTransaction {
  const hash = bytesToHex(tx.hash());
  return {
    hash,
    raw,
    from: tx.getSenderAddress().toString(),
    to: tx.to?.toString() ?? null,
    nonce: Number(tx.nonce),
    blockNumber,
    blockTimestampS,
    succeeded: outcome.succeeded,
    gasUsed: outcome.gasUsed,
    logs: outcome.logs.map(([emitter, topics, data], logIndex) => ({
      address: bytesToHex(emitter),
      topics: topics.map((topic) => bytesToHex(topic)),
      data: bytesToHex(data),
      blockNumber,
      transactionHash: hash,
      logIndex,
    })),
  };
}
