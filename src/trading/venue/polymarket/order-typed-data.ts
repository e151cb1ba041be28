// The typed data that a wallet signs for an order (version 2 of the exchange).

import { type Hex, hashTypedData } from 'viem';

export const CHAIN_ID = 137;

const EXCHANGES = {
  standard: '0xE111180000d2663C0091e4f400237545B87B996B',
  negRisk: '0xe2222d279d744050d28e00520010520000310F59',
} as const;

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

export function exchangeFor(isNegRisk: boolean): Hex {
  return isNegRisk ? EXCHANGES.negRisk : EXCHANGES.standard;
}

export function orderDomain(isNegRisk: boolean) {
  return {
    name: 'Polymarket CTF Exchange',
    version: '2',
    chainId: CHAIN_ID,
    verifyingContract: exchangeFor(isNegRisk),
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

export function orderTypedData(order: UnsignedOrder, isNegRisk: boolean) {
  return {
    domain: orderDomain(isNegRisk),
    types: { Order: ORDER_FIELDS },
    primaryType: 'Order',
    message: orderMessage(order),
  } as const;
}

/** The exchange's id for the order. */
export function hashOrder(order: UnsignedOrder, isNegRisk: boolean): Hex {
  return hashTypedData(orderTypedData(order, isNegRisk));
}
