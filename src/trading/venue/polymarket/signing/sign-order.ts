// Signs for the four kinds of wallet. A deposit wallet checks signatures itself: it takes the plain signature of
// the order, or one nested in a wallet message (ERC-7739); a session key adds an envelope with its address.

import {
  concat,
  domainSeparator,
  encodeAbiParameters,
  type Hex,
  hashStruct,
  type LocalAccount,
  numberToHex,
  pad,
  stringToHex,
} from 'viem';
import { CHAIN_ID, type MarketForm } from './contracts.ts';
import {
  ORDER_FIELDS,
  orderDomain,
  orderMessage,
  orderTypedData,
  type UnsignedOrder,
} from './order-typed-data.ts';

export type WalletKind = 'key' | 'proxy' | 'safe' | 'deposit';

/** How a deposit wallet wants its signatures; the other kinds are always plain. */
export type SignatureForm = 'plain' | 'wrapped';

export interface Signer {
  /** The key that signs. */
  account: LocalAccount;
  /** The wallet that holds the money: the key's own address, or a contract. */
  wallet: Hex;
  kind: WalletKind;
  form: SignatureForm;
  /** Whether the key is an authorised session key, not the wallet's owner. */
  isSession: boolean;
}

export const SIGNATURE_TYPES = { key: 0, proxy: 1, safe: 2, deposit: 3 } as const satisfies Record<
  WalletKind,
  number
>;

const EMPTY = `0x${'0'.repeat(64)}` as const;
const ENVELOPE_END: Hex = `0x${'6492'.repeat(16)}`;
const ORDER_TYPE = `Order(${ORDER_FIELDS.map(({ name, type }) => `${type} ${name}`).join(',')})`;
const DOMAIN_FIELDS = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const;
const NESTED_FIELDS = [
  { name: 'contents', type: 'Order' },
  ...DOMAIN_FIELDS,
  { name: 'salt', type: 'bytes32' },
] as const;

export async function signOrder(signer: Signer, order: UnsignedOrder, market: MarketForm): Promise<Hex> {
  const isNested = signer.kind === 'deposit' && signer.form === 'wrapped';
  const signature = isNested
    ? await signNested(signer, order, market)
    : await signer.account.signTypedData(orderTypedData(order, market));
  return signer.isSession ? putInEnvelope(signer.account.address, signature) : signature;
}

async function signNested(
  { account, wallet }: Signer,
  order: UnsignedOrder,
  market: MarketForm,
): Promise<Hex> {
  const domain = orderDomain(market);
  const message = orderMessage(order);
  const inner = await account.signTypedData({
    domain,
    types: { TypedDataSign: NESTED_FIELDS, Order: ORDER_FIELDS },
    primaryType: 'TypedDataSign',
    message: {
      contents: message,
      name: 'DepositWallet',
      version: '1',
      chainId: BigInt(CHAIN_ID),
      verifyingContract: wallet,
      salt: EMPTY,
    },
  });
  return concat([
    inner,
    domainSeparator({ domain, types: { EIP712Domain: DOMAIN_FIELDS } } as never),
    hashStruct({ data: message, primaryType: 'Order', types: { Order: ORDER_FIELDS } } as never),
    stringToHex(ORDER_TYPE),
    numberToHex(ORDER_TYPE.length, { size: 2 }),
  ]);
}

/** Says which session key signed. */
export function putInEnvelope(session: Hex, signature: Hex): Hex {
  const fields = [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes' }] as const;
  return concat([encodeAbiParameters(fields, [pad(session, { size: 32 }), EMPTY, signature]), ENVELOPE_END]);
}

const BATCH_TYPES = {
  Call: [
    { name: 'target', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
  Batch: [
    { name: 'wallet', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'calls', type: 'Call[]' },
  ],
} as const;

export interface WalletCall {
  target: Hex;
  data: Hex;
}

export interface Batch {
  wallet: Hex;
  nonce: string;
  /** Unix seconds. */
  deadline: string;
  calls: readonly WalletCall[];
}

/** Calls that a deposit wallet carries out for its owner or a session key, without gas. */
export function batchTypedData({ wallet, nonce, deadline, calls }: Batch) {
  return {
    domain: { name: 'DepositWallet', version: '1', chainId: CHAIN_ID, verifyingContract: wallet },
    types: BATCH_TYPES,
    primaryType: 'Batch',
    message: {
      wallet,
      nonce: BigInt(nonce),
      deadline: BigInt(deadline),
      calls: calls.map(({ target, data }) => ({ target, data, value: 0n })),
    },
  } as const;
}

export async function signBatch({ account, isSession }: Signer, batch: Batch): Promise<Hex> {
  const signature = await account.signTypedData(batchTypedData(batch));
  return isSession ? putInEnvelope(account.address, signature) : signature;
}
