// The steps from an empty wallet to the first order: what is done, what is missing, and how to do it. What needs the
// owner's key is returned as a request to sign elsewhere.

import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { MICRO } from '../../../domain/units.ts';
import { errorMessage } from '../../../runtime/errors.ts';
import { readAmount, readFields } from '../answer-fields.ts';
import {
  type AccessOptions,
  describe,
  findBlock,
  findSessionEnd,
  openSession,
  type Session,
} from './session.ts';
import { APPROVALS, type Approval } from './signing/contracts.ts';
import { FACTORIES } from './signing/derive-wallets.ts';
import { batchTypedData, SIGNATURE_TYPES, type Signer, type WalletCall } from './signing/sign-order.ts';
import type { Chain } from './wallet/chain.ts';
import { type Discovery, discoverWallet } from './wallet/discover-wallet.ts';
import type { Relayer } from './wallet/relayer.ts';

export interface SetupStep {
  name: string;
  state: 'done' | 'missing' | 'unknown';
  detail: string;
  /** What to do about it. */
  fix?: string;
  /** For the owner's machine: what to sign, and where to send it. */
  request?: object;
}

export interface SetupParts extends Omit<AccessOptions, 'signer'> {
  account: Signer['account'];
  wallet: Hex | null;
  /** The owner's address, which gives the nonce of requests to sign. */
  owner: Hex | null;
  chain: Chain;
  relayer: Relayer;
  relayerUrl: string;
  hasRelayerKey: boolean;
}

const ABI = parseAbi([
  'function authorizeSessionSigner(address session, uint256 validUntil)',
  'function approve(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
]);
/** The exchange accepts no other lifetime. */
const SESSION_LIFE_S = 4_315 * 3_600;
const DEADLINE_S = 3_600;
const ASSETS = ['COLLATERAL', 'CONDITIONAL', 'CONDITIONAL-V2'] as const;

/** Every step in order; later ones are left out while the wallet is unknown. */
export async function listSetupSteps(
  parts: SetupParts,
): Promise<{ signer: Signer | null; steps: SetupStep[] }> {
  const discovery = await discoverWallet(parts);
  const { signer } = discovery;
  const steps = [await locationStep(parts), walletStep(parts, discovery)];
  if (signer === null) {
    if (parts.wallet !== null && (await parts.chain.hasCode(parts.wallet)))
      steps.push(await authoriseStep(parts));
    return { signer, steps };
  }
  const session = await openSession({ ...parts, signer });
  steps.push(
    await sessionStep(parts, signer, session),
    await fundsStep(parts, signer),
    await approvalsStep(parts, signer),
    await cacheStep(parts, signer, session),
    redeemStep(parts, signer),
    {
      name: 'terms of service',
      state: 'unknown',
      detail: 'only an order shows whether they were accepted',
      fix: 'Sign in once at polymarket.com with this account and accept the terms.',
    },
  );
  return { signer, steps };
}

async function locationStep({ geoblockUrl, fetch }: SetupParts): Promise<SetupStep> {
  const name = 'location';
  try {
    const country = await findBlock(geoblockUrl, fetch);
    return country === null
      ? { name, state: 'done', detail: 'trading is allowed from here' }
      : {
          name,
          state: 'missing',
          detail: `trading is blocked from ${country}`,
          fix: 'Do not trade from here.',
        };
  } catch (error) {
    return { name, state: 'unknown', detail: errorMessage(error) };
  }
}

const KINDS = { key: 'plain key', proxy: 'proxy', safe: 'Safe', deposit: 'deposit wallet' } as const;

function walletStep(
  { account, wallet, owner, relayerUrl }: SetupParts,
  { signer, problem }: Discovery,
): SetupStep {
  const name = 'wallet';
  if (signer && signer.kind !== 'key') {
    const form = signer.kind === 'deposit' ? `, ${signer.form} signatures` : '';
    const detail = `${signer.wallet}: ${KINDS[signer.kind]}, signature type ${SIGNATURE_TYPES[signer.kind]}${form}`;
    return { name, state: 'done', detail };
  }
  if (problem !== null && wallet !== null && /no signature/.test(problem))
    return { name, state: 'done', detail: `${wallet}: deployed` };
  const fix = [
    'Sign in at polymarket.com with the owner’s wallet, which deploys a deposit wallet; or send the request below from the owner’s machine.',
    'Then pass its address with --wallet.',
  ].join(' ');
  const request = {
    send: `POST ${relayerUrl}/submit`,
    body: { type: 'WALLET-CREATE', from: owner ?? 'OWNER_ADDRESS', to: FACTORIES.deposit },
  };
  if (problem !== null) return { name, state: 'missing', detail: problem, fix, request };
  const detail = `${account.address}: plain key; the exchange takes orders only from those that traded before 2026-05-04`;
  return { name, state: wallet === null ? 'missing' : 'done', detail, fix, request };
}

async function sessionStep(parts: SetupParts, signer: Signer, session: Session): Promise<SetupStep> {
  const name = 'session key';
  if (signer.kind !== 'deposit')
    return { name, state: 'done', detail: 'not needed: only deposit wallets have session keys' };
  if (!signer.isSession) {
    const detail = "this is the owner's key, which can withdraw everything";
    const fix = 'Make a new key here, have the owner authorise it, and remove this one from the machine.';
    return { name, state: 'missing', detail, fix };
  }
  const endTs = await findSessionEnd({ ...parts, signer }, session);
  if (endTs === 'missing') return authoriseStep(parts);
  const until =
    endTs === null
      ? 'authorised; its end is unknown (pass --session-expires)'
      : `authorised until ${new Date(endTs).toISOString().slice(0, 10)}`;
  return { name, state: endTs === null ? 'unknown' : 'done', detail: `${signer.account.address}: ${until}` };
}

async function authoriseStep(parts: SetupParts): Promise<SetupStep> {
  const nowS = Math.floor(parts.clock.now() / 1000);
  const validUntil = String(nowS + SESSION_LIFE_S);
  const session = parts.account.address;
  const data = encodeFunctionData({
    abi: ABI,
    functionName: 'authorizeSessionSigner',
    args: [session, BigInt(validUntil)],
  });
  const { typedData, nonce, deadline } = await describeBatch(parts, parts.wallet!, [
    { target: parts.wallet!, data },
  ]);
  return {
    name: 'session key',
    state: 'missing',
    detail: `${session} is not authorised for ${parts.wallet}`,
    fix: 'On the owner’s machine: sign the typed data with the owner’s key and send the body with a Builder API key and an Idempotency-Key header.',
    request: {
      sign: typedData,
      send: `POST ${parts.relayerUrl}/v1/session-signers/authorizations`,
      body: {
        walletAddress: parts.wallet,
        sessionSignerAddress: session,
        scopes: ['CLOB'],
        validUntil,
        nonce,
        deadline,
        signature: 'SIGNATURE',
      },
    },
  };
}

async function fundsStep({ chain }: SetupParts, { wallet }: Signer): Promise<SetupStep> {
  const name = 'funds';
  const micro = await chain.collateralMicro(wallet);
  const detail = `${(micro / MICRO).toFixed(2)} pUSD at ${wallet}`;
  if (micro >= MICRO) return { name, state: 'done', detail };
  return {
    name,
    state: 'missing',
    detail,
    fix: `Deposit at polymarket.com, or send pUSD on Polygon to ${wallet}.`,
  };
}

async function approvalsStep(parts: SetupParts, { wallet, kind }: Signer): Promise<SetupStep> {
  const name = 'approvals';
  const missing: Approval[] = [];
  for (const approval of APPROVALS)
    if (!(await parts.chain.isApproved(wallet, approval))) missing.push(approval);
  const detail = `${APPROVALS.length - missing.length} of ${APPROVALS.length} contracts approved`;
  if (missing.length === 0) return { name, state: 'done', detail };
  const calls = missing.map(toCall);
  const towards = [...new Set(missing.map((one) => one.towards))].join(', ');
  if (kind !== 'deposit') {
    const fix = 'Have the wallet send these calls.';
    return { name, state: 'missing', detail: `${detail}; missing: ${towards}`, fix, request: { calls } };
  }
  const { typedData, nonce, deadline } = await describeBatch(parts, wallet, calls);
  return {
    name,
    state: 'missing',
    detail: `${detail}; missing: ${towards}`,
    fix: 'On the owner’s machine: sign the typed data with the owner’s key and send the body with a relayer key.',
    request: {
      sign: typedData,
      send: `POST ${parts.relayerUrl}/submit`,
      body: {
        type: 'WALLET',
        from: parts.owner ?? 'OWNER_ADDRESS',
        to: FACTORIES.deposit,
        nonce,
        signature: 'SIGNATURE',
        metadata: '',
        depositWalletParams: {
          depositWallet: wallet,
          deadline,
          calls: calls.map((call) => ({ ...call, value: '0' })),
        },
      },
    },
  };
}

function toCall({ token, spender, kind }: Approval): WalletCall {
  const data =
    kind === 'erc20'
      ? encodeFunctionData({ abi: ABI, functionName: 'approve', args: [spender, 2n ** 256n - 1n] })
      : encodeFunctionData({ abi: ABI, functionName: 'setApprovalForAll', args: [spender, true] });
  return { target: token, data };
}

/** The exchange reads the chain only when asked to; this step needs no one else. */
async function cacheStep({ chain }: SetupParts, signer: Signer, { signed }: Session): Promise<SetupStep> {
  const name = "exchange's balance";
  const type = `signature_type=${SIGNATURE_TYPES[signer.kind]}`;
  for (const asset of ASSETS)
    await signed('GET', '/balance-allowance/update', `?asset_type=${asset}&${type}`);
  const reply = await signed('GET', '/balance-allowance', `?asset_type=COLLATERAL&${type}`);
  if (reply.status !== 200) return { name, state: 'unknown', detail: describe(reply) };
  const shownMicro = readAmount(readFields(reply.body, 'balance'), 'balance');
  const detail = `refreshed; the exchange shows ${(shownMicro / MICRO).toFixed(2)} pUSD`;
  if (shownMicro === (await chain.collateralMicro(signer.wallet))) return { name, state: 'done', detail };
  return {
    name,
    state: 'missing',
    detail: `${detail}, the chain another amount`,
    fix: 'Wait a minute and repeat.',
  };
}

function redeemStep({ hasRelayerKey }: SetupParts, { kind }: Signer): SetupStep {
  const name = 'redemption';
  if (kind !== 'deposit')
    return { name, state: 'done', detail: 'sent by this key, which needs a little POL for gas' };
  if (hasRelayerKey) return { name, state: 'done', detail: 'through the relayer' };
  const fix =
    'Create a relayer key at polymarket.com and set TALLYCAST_RELAYER_KEY=KEY:ADDRESS, or redeem on the site.';
  return { name, state: 'unknown', detail: 'no relayer key, so won positions are not paid out', fix };
}

/** Typed data for the owner to sign; the nonce is the owner's. */
async function describeBatch(parts: SetupParts, wallet: Hex, calls: readonly WalletCall[]) {
  const nonce = parts.owner === null ? '0' : await parts.relayer.nonceOf(parts.owner);
  const deadline = String(Math.floor(parts.clock.now() / 1000) + DEADLINE_S);
  const { domain, types, primaryType, message } = batchTypedData({ wallet, nonce, deadline, calls });
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  return {
    nonce,
    deadline,
    typedData: JSON.parse(JSON.stringify({ domain, types, primaryType, message }, text)) as object,
  };
}
