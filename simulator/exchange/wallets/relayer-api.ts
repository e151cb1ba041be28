// The relayer: deploys deposit wallets and carries out their signed batches without gas.

import { encodeFunctionData, type Hex, hashTypedData, parseAbi } from 'viem';
import { deriveWallets } from '../../../src/trading/venue/polymarket/signing/derive-wallets.ts';
import { batchTypedData, type WalletCall } from '../../../src/trading/venue/polymarket/signing/sign-order.ts';
import type { ExchangeContext } from '../context.ts';
import { type ExchangeAnswer, failure, ok } from '../wire/route.ts';
import { runCall } from './wallet-calls.ts';

export interface RelayerRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body(): Promise<unknown>;
}

interface Transaction {
  state: 'STATE_NEW' | 'STATE_FAILED';
  madeTs: number;
  error: string;
}

interface SignedBatch {
  wallet: Hex;
  /** The key that signed the batch. */
  from: Hex;
  nonce: string;
  deadline: string;
  signature: Hex;
  calls: readonly WalletCall[];
}

const SESSION_ABI = parseAbi([
  'function authorizeSessionSigner(address session, uint256 validUntil)',
  'function revokeSessionSigner(address session)',
]);
const MANAGES_SESSIONS = /^0x(24017fae|e63f952f)/;
const CONFIRMED_AFTER_MS = 2_000;
const MIN_DEADLINE_S = 10;
const SESSION_LIFE_S = 4_315 * 3_600;
const SESSION_SLACK_S = 600;

type Fields = Record<string, unknown>;

/** Checks and carries out signed batches; remembers their state. */
function createBatches(context: ExchangeContext) {
  const { wallets, now } = context;
  const nonces = new Map<string, number>();
  const transactions = new Map<string, Transaction>();
  const nonceOf = (signer: string) => String(nonces.get(signer.toLowerCase()) ?? 0);

  /** Why a batch is not accepted; null if it is. */
  async function refuseBatch(batch: SignedBatch): Promise<string | null> {
    const wallet = wallets.contracts.find(batch.wallet);
    if (wallet?.kind !== 'deposit') return 'wallet not deployed';
    if (batch.nonce !== nonceOf(batch.from)) return 'invalid nonce';
    if (Number(batch.deadline) < now() / 1000 + MIN_DEADLINE_S) return 'deadline too close';
    const hash = hashTypedData(batchTypedData(batch));
    const signer = await wallets.contracts.findSigner(batch.wallet, hash, batch.signature, now(), 'batch');
    if (signer?.toLowerCase() !== batch.from.toLowerCase()) return 'invalid signature';
    const isOwner = signer.toLowerCase() === wallet.owner.toLowerCase();
    return !isOwner && batch.calls.some(({ data }) => MANAGES_SESSIONS.test(data))
      ? 'only the owner may do this'
      : null;
  }

  function carryOut({ wallet, from, calls }: SignedBatch): string {
    const id = `relay-${transactions.size + 1}`;
    nonces.set(from.toLowerCase(), Number(nonceOf(from)) + 1);
    const transaction: Transaction = { state: 'STATE_NEW', madeTs: now(), error: '' };
    try {
      for (const call of calls) runCall(wallet, call, { ...context, nowTs: now() });
    } catch (error) {
      transaction.state = 'STATE_FAILED';
      transaction.error = (error as Error).message;
    }
    transactions.set(id, transaction);
    return id;
  }

  function state(id: string): ExchangeAnswer {
    const found = transactions.get(id);
    if (!found) return failure(404, { error: 'transaction not found' });
    const isDone = found.state === 'STATE_NEW' && now() - found.madeTs >= CONFIRMED_AFTER_MS;
    return ok({
      transaction_id: id,
      transaction_hash: `0x${'ab'.repeat(32)}`,
      state: isDone ? 'STATE_CONFIRMED' : found.state,
      error_msg: found.error,
    });
  }

  return { nonceOf, refuseBatch, carryOut, transactions, state };
}

export function createRelayerApi(context: ExchangeContext) {
  const { wallets, now } = context;
  const { nonceOf, refuseBatch, carryOut, transactions, state } = createBatches(context);

  async function submit(body: Fields): Promise<ExchangeAnswer> {
    if (body.type === 'WALLET-CREATE') return create(String(body.from) as Hex);
    if (body.type !== 'WALLET') return failure(400, { error: 'invalid transaction type' });
    const params = (body.depositWalletParams ?? {}) as Fields;
    const batch = {
      wallet: params.depositWallet,
      from: body.from,
      nonce: body.nonce,
      deadline: params.deadline,
      signature: body.signature,
      calls: params.calls,
    } as SignedBatch;
    const refusal = await refuseBatch(batch);
    if (refusal !== null) return failure(400, { error: refusal });
    return ok({ transactionID: carryOut(batch), state: 'STATE_NEW' });
  }

  function create(owner: Hex): ExchangeAnswer {
    const address = deriveWallets(owner).depositBeacon;
    if (!wallets.contracts.find(address))
      wallets.contracts.deploy({ address, kind: 'deposit', owner, takes: null });
    transactions.set(`create-${address}`, { state: 'STATE_NEW', madeTs: now(), error: '' });
    return ok({ transactionID: `create-${address}`, state: 'STATE_NEW' });
  }

  /** The owner's signed batch, sent as an order to manage a session key. */
  async function manage(body: Fields, isAuthorisation: boolean): Promise<ExchangeAnswer> {
    const [wallet, session] = [body.walletAddress as Hex, body.sessionSignerAddress as Hex];
    const validUntil = String(body.validUntil ?? '0');
    const lifeS = Number(validUntil) - now() / 1000;
    if (isAuthorisation && Math.abs(lifeS - SESSION_LIFE_S) > SESSION_SLACK_S)
      return failure(400, { error: 'invalid validUntil' });
    const data = isAuthorisation
      ? encodeFunctionData({
          abi: SESSION_ABI,
          functionName: 'authorizeSessionSigner',
          args: [session, BigInt(validUntil)],
        })
      : encodeFunctionData({ abi: SESSION_ABI, functionName: 'revokeSessionSigner', args: [session] });
    const from = wallets.contracts.find(wallet)?.owner ?? wallet;
    const { nonce, deadline, signature } = body as unknown as SignedBatch;
    const batch: SignedBatch = {
      wallet,
      from,
      nonce,
      deadline,
      signature,
      calls: [{ target: wallet, data }],
    };
    const refusal = await refuseBatch(batch);
    if (refusal !== null) return failure(400, { error: refusal });
    const transactionId = carryOut(batch);
    return ok({
      operationId: transactionId,
      transactionId,
      status: isAuthorisation ? 'REGISTERED' : 'FENCED',
      fenced: true,
    });
  }

  function read(path: string, query: URLSearchParams): ExchangeAnswer {
    const address = query.get('address') ?? '';
    if (path === '/deployed') {
      const kind = query.get('type') === 'WALLET' ? 'deposit' : 'safe';
      return ok({ deployed: wallets.contracts.find(address)?.kind === kind });
    }
    if (path === '/v1/account/transactions/params') return ok({ address, nonce: nonceOf(address) });
    const id = /^\/v1\/account\/transactions\/([^/]+)$/.exec(path)?.[1];
    return id === undefined ? failure(404, { error: 'not found' }) : state(id);
  }

  return async ({ method, path, query, headers, body }: RelayerRequest): Promise<ExchangeAnswer> => {
    if (method === 'GET') return read(path, query);
    const isBuilder = headers.has('poly_builder_api_key');
    const hasKey = isBuilder || (headers.has('relayer_api_key') && headers.has('relayer_api_key_address'));
    if (!hasKey) return failure(401, { error: 'unauthorized' });
    const fields = ((await body()) ?? {}) as Fields;
    if (path === '/submit') return submit(fields);
    if (!headers.has('idempotency-key')) return failure(400, { error: 'Idempotency-Key is required' });
    if (path === '/v1/session-signers/authorizations')
      return isBuilder ? manage(fields, true) : failure(401, { error: 'a builder key is required' });
    if (path === '/v1/session-signers/revocations') return manage(fields, false);
    return failure(404, { error: 'not found' });
  };
}
