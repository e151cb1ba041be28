// Routes for keys, balances and heartbeats.

import { CONTRACTS } from '../../../src/trading/venue/polymarket/signing/contracts.ts';
import { accountOf } from '../auth/order-signature.ts';
import type { ExchangeContext } from '../context.ts';
import { USD } from '../settling/ledger.ts';
import type { AssetClass } from '../wallets/exchange-wallets.ts';
import { type Call, type ExchangeAnswer, failure, ok, type Route } from './route.ts';

const UNLIMITED = (2n ** 256n - 1n).toString();
const SPENDERS = [CONTRACTS.exchange, CONTRACTS.negRiskExchange, CONTRACTS.exchangeV3] as const;
const CLASSES: readonly AssetClass[] = ['COLLATERAL', 'CONDITIONAL', 'CONDITIONAL-V2'];

export function accountRoutes(context: ExchangeContext): Record<string, Route> {
  const { exchange, credentials, wallets } = context;

  const walletOf = ({ key, query }: Call) =>
    accountOf(key.address, Number(query.get('signature_type') ?? '0'), wallets);

  function classOf({ query }: Call): AssetClass | null {
    return CLASSES.find((one) => one === query.get('asset_type')) ?? null;
  }

  /** A position has a balance only in the class of its market's version. */
  function assetOf({ query }: Call, asset: AssetClass): string {
    if (asset === 'COLLATERAL') return USD;
    const tokenId = query.get('token_id') ?? '';
    const version = context.markets.byToken(tokenId, context.now())?.version;
    return (version === 'v2') === (asset === 'CONDITIONAL-V2') ? tokenId : '';
  }

  function balance(call: Call): ExchangeAnswer {
    exchange.advance(context.now());
    const [wallet, asset] = [walletOf(call), classOf(call)];
    if (asset === null) return failure(400, { error: 'invalid asset type' });
    const limit = wallets.allowance(wallet);
    const allowances = SPENDERS.map((spender) => {
      const isApproved = wallets.cached.isApproved(wallet, asset, spender);
      return [spender, isApproved ? String(limit ?? UNLIMITED) : '0'];
    });
    return ok({
      balance: String(wallets.cached.balance(wallet, assetOf(call, asset))),
      allowances: Object.fromEntries(allowances),
    });
  }

  function update(call: Call): ExchangeAnswer {
    const asset = classOf(call);
    if (asset === null) return failure(400, { error: 'invalid asset type' });
    wallets.refresh(walletOf(call), asset);
    return ok({});
  }

  /** A session key sees its own entry, the owner all of them. */
  function sessionSigners({ key }: Call): ExchangeAnswer {
    const own = wallets.contracts.findOfSession(key.address);
    const wallet = own ?? wallets.contracts.find(accountOf(key.address, 3, wallets));
    if (!wallet) return failure(404, { error: 'no deposit wallet' });
    const listed = [...wallet.sessions].filter(([address]) => !own || address === key.address.toLowerCase());
    const signers = listed.map(([address, { scopes, validUntilS }]) => ({
      address,
      scopes,
      valid_until: validUntilS,
    }));
    return ok({ wallet: wallet.address, signers });
  }

  function heartbeat({ key, body }: Call): ExchangeAnswer {
    exchange.advance(context.now());
    const given = String((body as { heartbeat_id?: unknown } | null)?.heartbeat_id ?? '');
    const next = exchange.heartbeats.beat(key.apiKey, given, context.now());
    if (next !== null) return ok({ heartbeat_id: next });
    return failure(400, {
      heartbeat_id: exchange.heartbeats.currentId(key.apiKey),
      error: 'Invalid heartbeat id',
      error_msg: 'Invalid heartbeat id',
    });
  }

  return {
    'GET /auth/api-keys': ({ key }) => ok({ apiKeys: credentials.listOf(key.address) }),
    'GET /auth/ban-status/closed-only': () => ok({ closed_only: false }),
    'DELETE /auth/api-key': ({ key }) => {
      credentials.revoke(key.apiKey);
      return ok('OK');
    },
    'GET /balance-allowance': balance,
    'GET /balance-allowance/update': update,
    'GET /v1/user/session-signers': sessionSigners,
    'POST /v1/heartbeats': heartbeat,
    'GET /notifications': () => ok([]),
    'DELETE /notifications': () => ok('OK'),
    'GET /order-scoring': () => ok({ scoring: false }),
  };
}
