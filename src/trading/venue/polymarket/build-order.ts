// Converts an order request to the signed payload. The order id is derived from the payload, so it can be
// recorded before sending.

import { randomInt } from 'node:crypto';
import type { Hex, LocalAccount } from 'viem';
import { usdMicroFor } from '../../../domain/micro-units.ts';
import type { OrderRequest, PreparedOrder } from '../../types.ts';
import { hashOrder, orderTypedData, type UnsignedOrder } from './order-typed-data.ts';

export interface OrderIdentity {
  account: LocalAccount;
  /** The paying wallet: the signing key's own address unless the key signs for another wallet. */
  wallet: Hex;
  /** 0: the key itself, 1: proxy, 2: safe. */
  signatureType: 0 | 1 | 2;
}

const EMPTY = `0x${'0'.repeat(64)}` as const;
const MAX_SALT = 2 ** 47;

export async function buildOrder(
  identity: OrderIdentity,
  apiKey: string,
  request: OrderRequest,
  nowTs: number,
): Promise<PreparedOrder> {
  const order = toUnsigned(identity, request, nowTs);
  const signature = await identity.account.signTypedData(orderTypedData(order, request.isNegRisk));
  const expiration = String(Math.floor(request.expiresTs / 1000));
  const payload = JSON.stringify({
    deferExec: false,
    postOnly: false,
    order: { ...order, salt: Number(order.salt), expiration, signature },
    owner: apiKey,
    orderType: 'GTD',
  });
  return { orderId: hashOrder(order, request.isNegRisk), payload };
}

function toUnsigned(
  { account, wallet, signatureType }: OrderIdentity,
  request: OrderRequest,
  nowTs: number,
): UnsignedOrder {
  const usd = String(usdMicroFor(request.sizeMicro, request.pricePips));
  const shares = String(request.sizeMicro);
  const [makerAmount, takerAmount] = request.action === 'BUY' ? [usd, shares] : [shares, usd];
  return {
    salt: String(randomInt(1, MAX_SALT)),
    maker: wallet,
    signer: account.address,
    tokenId: request.tokenId,
    makerAmount,
    takerAmount,
    side: request.action,
    signatureType,
    timestamp: String(nowTs),
    metadata: EMPTY,
    builder: EMPTY,
  };
}
