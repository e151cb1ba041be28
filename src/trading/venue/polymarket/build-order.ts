// Converts an order request to the signed payload. The order id is derived from the payload, so it can be
// recorded before sending.

import { randomInt } from 'node:crypto';
import { usdMicroFor } from '../../../domain/micro-units.ts';
import type { OrderRequest, PreparedOrder } from '../../types.ts';
import type { MarketForm } from './signing/contracts.ts';
import { hashOrder, type UnsignedOrder } from './signing/order-typed-data.ts';
import { SIGNATURE_TYPES, type Signer, signOrder } from './signing/sign-order.ts';

const EMPTY = `0x${'0'.repeat(64)}` as const;
const MAX_SALT = 2 ** 47;

export async function buildOrder(
  signer: Signer,
  apiKey: string,
  request: OrderRequest,
  market: MarketForm,
  nowTs: number,
): Promise<PreparedOrder> {
  const order = toUnsigned(signer, request, nowTs);
  const signature = await signOrder(signer, order, market);
  const expiration = String(Math.floor(request.expiresTs / 1000));
  const payload = JSON.stringify({
    deferExec: false,
    postOnly: false,
    order: { ...order, salt: Number(order.salt), expiration, signature },
    owner: apiKey,
    orderType: 'GTD',
  });
  return { orderId: hashOrder(order, market), payload };
}

function toUnsigned({ account, wallet, kind }: Signer, request: OrderRequest, nowTs: number): UnsignedOrder {
  const usd = String(usdMicroFor(request.sizeMicro, request.pricePips));
  const shares = String(request.sizeMicro);
  const [makerAmount, takerAmount] = request.action === 'BUY' ? [usd, shares] : [shares, usd];
  return {
    salt: String(randomInt(1, MAX_SALT)),
    maker: wallet,
    // A deposit wallet signs for itself, whichever key does it.
    signer: kind === 'deposit' ? wallet : account.address,
    tokenId: request.tokenId,
    makerAmount,
    takerAmount,
    side: request.action,
    signatureType: SIGNATURE_TYPES[kind],
    timestamp: String(nowTs),
    metadata: EMPTY,
    builder: EMPTY,
  };
}
