// The typed data that a wallet signs for an order. Version 2 markets have their own exchange and domain version.

import { type Hex, hashTypedData } from 'viem';
import { CHAIN_ID, exchangeFor, type MarketForm } from './contracts.ts';

export const ORDER_FIELDS = [
  { name: 'salt', type: 'uint256' },
  { name: 'maker', type: 'address' },
  { name: 'signer', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'makerAmount', type: 'uint256' },
  { name: 'takerAmount', type: 'uint256' },
  { name: 'side', type: 'uint8' },
  { name: 'signatureType', type: 'uint8' },
  { name: 'timestamp', type: 'uint256' },
  { name: 'metadata', type: 'bytes32' },
  { name: 'builder', type: 'bytes32' },
] as const;

/** As sent in a request; amounts are in millionths. */
export interface UnsignedOrder {
  salt: string;
  maker: Hex;
  signer: Hex;
  tokenId: string;
  makerAmount: string;
  takerAmount: string;
  side: 'BUY' | 'SELL';
  signatureType: number;
  timestamp: string;
  metadata: Hex;
  builder: Hex;
}

export function orderDomain(market: MarketForm) {
  return {
    name: 'Polymarket CTF Exchange',
    version: market.version === 'v2' ? '3' : '2',
    chainId: CHAIN_ID,
    verifyingContract: exchangeFor(market),
  } as const;
}

export function orderMessage(order: UnsignedOrder) {
  return {
    salt: BigInt(order.salt),
    maker: order.maker,
    signer: order.signer,
    tokenId: BigInt(order.tokenId),
    makerAmount: BigInt(order.makerAmount),
    takerAmount: BigInt(order.takerAmount),
    side: order.side === 'BUY' ? 0 : 1,
    signatureType: order.signatureType,
    timestamp: BigInt(order.timestamp),
    metadata: order.metadata,
    builder: order.builder,
  };
}

export function orderTypedData(order: UnsignedOrder, market: MarketForm) {
  return {
    domain: orderDomain(market),
    types: { Order: ORDER_FIELDS },
    primaryType: 'Order',
    message: orderMessage(order),
  } as const;
}

/** The exchange's id for the order. */
export function hashOrder(order: UnsignedOrder, market: MarketForm): Hex {
  return hashTypedData(orderTypedData(order, market));
}
