// Routes for keys, balances and heartbeats.

import { walletsOf } from '../auth/wallets.ts';
import { type ExchangeContext, SPENDERS } from '../context.ts';
import { USD } from '../settling/ledger.ts';
import { type Call, type ExchangeAnswer, failure, ok, type Route } from './route.ts';

const UNLIMITED = (2n ** 256n - 1n).toString();

export function accountRoutes(context: ExchangeContext): Record<string, Route> {
  const { exchange, credentials } = context;

  function walletOf({ key, query }: Call): string {
    const wallets = walletsOf(key.address, Number(query.get('signature_type') ?? '0'));
    const wallet = (wallets[0] ?? key.address).toLowerCase();
    context.wallets.meet(wallet);
    return wallet;
  }

  function balance(call: Call): ExchangeAnswer {
    exchange.advance(context.now());
    const wallet = walletOf(call);
    const asset = call.query.get('asset_type') === 'CONDITIONAL' ? (call.query.get('token_id') ?? '') : USD;
    const allowance = context.wallets.allowance(wallet);
    const allowances = SPENDERS.map((spender) => [
      spender,
      allowance === null ? UNLIMITED : String(allowance),
    ]);
    return ok({
      balance: String(exchange.ledger.balance(wallet, asset)),
      allowances: Object.fromEntries(allowances),
    });
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
    'GET /balance-allowance/update': (call) => {
      walletOf(call);
      return ok({});
    },
    'POST /v1/heartbeats': heartbeat,
    'GET /notifications': () => ok([]),
    'DELETE /notifications': () => ok('OK'),
    'GET /order-scoring': () => ok({ scoring: false }),
  };
}
