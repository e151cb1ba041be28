// The admin API, on loopback only: faults, speed, manual posts, and the ground truth.

import { createPublicKey } from 'node:crypto';
import type { Hex } from 'viem';
import { DAY_MS } from '../../src/domain/units.ts';
import { errorMessage, UsageError } from '../../src/runtime/errors.ts';
import type { ExchangeWallets } from '../exchange/wallets/exchange-wallets.ts';
import { FAULTS, parseFault } from '../faults/fault-registry.ts';
import { covers } from '../faults/fault-switch.ts';
import type { KalshiMember } from '../kalshi/signing.ts';
import type { PostKind } from '../posts/simulator-post.ts';
import { speedOf } from '../simulator-clock.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { DEMO_WALLET, otherWallets } from '../trading/wallets.ts';
import { presentEvents, presentPosts } from '../truth.ts';
import { type Answer, failure, matchPath, ok, type SimulatorRequest } from './answer.ts';
import type { Received } from './mailbox.ts';

export interface InjectedPost {
  accountId: string;
  kind?: PostKind;
  deleteAfterMs?: number;
}

export interface AdminActions {
  injectPost(post: InjectedPost): { id: string; createdTs: number };
}

/** Actions on the simulated alert receivers. */
export interface ReceiverActions {
  say(text: string, chatId: number, personId: number): void;
  listReceived(): readonly Received[];
}

/** Default sender of messages. */
const SIMULATED_CHAT = 700_001;

export function createAdminApi(
  state: SimulatorState,
  actions: AdminActions & ReceiverActions & { wallets: ExchangeWallets },
): (request: SimulatorRequest) => Promise<Answer> {
  function listFaults(): Answer {
    const nowTs = state.now();
    return ok({
      known: FAULTS,
      active: state.faults.list().filter((fault) => covers(fault, nowTs) || fault.fromTs > nowTs),
    });
  }

  function truth(query: URLSearchParams): Answer {
    const nowTs = state.now();
    const fromTs = Number(query.get('from') ?? nowTs - 30 * DAY_MS);
    const toTs = Number(query.get('to') ?? nowTs + 1);
    return ok({
      timestamp: nowTs,
      events: presentEvents(state, fromTs),
      posts: query.get('posts') === 'false' ? [] : presentPosts(state, fromTs, toTs, query.get('account')),
    });
  }

  function snapshot(): Answer {
    const nowTs = state.now();
    return ok({
      timestamp: nowTs,
      seed: state.options.seed,
      anchorTs: state.options.anchorTs,
      speed: speedOf(state.clock),
      accounts: state.accounts.map(({ parameters, ledger }) => ({
        accountId: parameters.accountId,
        handle: parameters.handle,
        platformUserId: parameters.platformUserId,
        countedPosts: ledger.countIn(state.options.anchorTs, nowTs + 1),
      })),
      activeEvents: presentEvents(state, nowTs),
      demoWallet: DEMO_WALLET,
      wallets: [DEMO_WALLET, ...otherWallets(state.seedKey)],
    });
  }

  async function change(request: SimulatorRequest): Promise<Answer> {
    const body = ((await request.body()) ?? {}) as Record<string, unknown>;
    if (request.path === '/faults') {
      const text = body.fault ?? `${body.name}${body.value === undefined ? '' : `=${body.value}`}`;
      return ok(state.faults.add(parseFault(String(text)), state.now()));
    }
    if (request.path === '/posts') return ok(actions.injectPost(body as unknown as InjectedPost));
    if (request.path === '/exchange') return ok(prepareWallet(actions.wallets, body, state.now()));
    if (request.path === '/kalshi-members') return ok(join(state.kalshiMembers, body));
    if (request.path === '/telegram') {
      const chatId = Number(body.chat_id ?? SIMULATED_CHAT);
      actions.say(String(body.text ?? ''), chatId, Number(body.person_id ?? chatId));
      return ok({ said: true });
    }
    if (request.path === '/speed') {
      const speed = Number(body.speed);
      if (!(speed > 0)) throw new UsageError('speed must be above 0');
      if (!('setSpeed' in state.clock)) throw new UsageError('this clock has a fixed speed');
      (state.clock as { setSpeed(speed: number): void }).setSpeed(speed);
      return ok({ speed });
    }
    return failure(404, { error: 'not found' });
  }

  return async (request) => {
    try {
      if (request.method === 'POST') return await change(request);
      const fault = matchPath('/faults/:name', request.path);
      if (request.method === 'DELETE' && (fault || request.path === '/faults')) {
        state.faults.clear(fault?.name ?? null, state.now());
        return listFaults();
      }
      if (request.method !== 'GET') return failure(405, { error: 'method not allowed' });
      if (request.path === '/faults') return listFaults();
      if (request.path === '/truth') return truth(request.query);
      if (request.path === '/messages') return ok({ messages: actions.listReceived() });
      if (request.path === '/snapshot') return snapshot();
      if (request.path === '/speed')
        return ok({
          speed: speedOf(state.clock),
          timestamp: state.now(),
        });
      return failure(404, { error: 'not found' });
    } catch (error) {
      if (error instanceof UsageError) return failure(400, { error: errorMessage(error) });
      throw error;
    }
  };
}

/** Registers a member of the second venue by public key; a known id gets the new key. */
function join(
  members: KalshiMember[],
  { keyId, publicKeyPem }: Record<string, unknown>,
): { members: number } {
  if (typeof keyId !== 'string' || typeof publicKeyPem !== 'string' || !isPublicKey(publicKeyPem))
    throw new UsageError('keyId and publicKeyPem (a PEM-encoded RSA key) are required');
  const at = members.findIndex((member) => member.keyId === keyId);
  members.splice(at < 0 ? members.length : at, at < 0 ? 0 : 1, { keyId, publicKeyPem });
  return { members: members.length };
}

function isPublicKey(pem: string): boolean {
  try {
    return createPublicKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const KINDS = ['key', 'proxy', 'safe', 'deposit'] as const;

/**
 * With `session` or `kind`: an account with every step done. With `address`: one step of an existing wallet, from
 * outside of the exchange ({usd, gas, terms, allowance_usd}).
 */
function prepareWallet(
  wallets: ExchangeWallets,
  body: Record<string, unknown>,
  nowTs: number,
): Record<string, unknown> {
  const readAddress = (name: string): Hex | undefined => {
    if (body[name] === undefined) return undefined;
    if (!ADDRESS.test(String(body[name]))) throw new UsageError(`${name} must be a wallet address`);
    return String(body[name]) as Hex;
  };
  const [address, session] = [readAddress('address'), readAddress('session')];
  const kind = KINDS.find((one) => one === body.kind);
  if (body.kind !== undefined && !kind) throw new UsageError(`kind must be one of ${KINDS.join(', ')}`);
  if (session || kind) {
    if (!address && !session) throw new UsageError('address (of the key) or session is required');
    const wallet = wallets.setUp(
      {
        ...(address ? { key: address } : {}),
        ...(session ? { session } : {}),
        ...(kind ? { kind } : {}),
        ...(body.usd === undefined ? {} : { usd: Number(body.usd) }),
      },
      nowTs,
    );
    return { wallet, allowance: wallets.allowance(wallet) };
  }
  if (!address) throw new UsageError('address must be a wallet address');
  if (body.usd !== undefined) wallets.give(address, Number(body.usd));
  if (body.gas !== undefined)
    wallets.gas.set(address.toLowerCase(), BigInt(Math.round(Number(body.gas) * 1e18)));
  if (body.terms === true) wallets.acceptTerms(address);
  if (body.allowance_usd !== undefined)
    wallets.setAllowance(
      address,
      body.allowance_usd === null ? null : Number(body.allowance_usd) * 1_000_000,
    );
  return { address, allowance: wallets.allowance(address) };
}
