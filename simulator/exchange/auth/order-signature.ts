// Verifies order signatures.

import {
  concat,
  encodeAbiParameters,
  type Hex,
  keccak256,
  recoverTypedDataAddress,
  size,
  slice,
  stringToHex,
} from 'viem';
import {
  CHAIN_ID,
  ORDER_FIELDS,
  orderDomain,
  orderMessage,
  orderTypedData,
  type UnsignedOrder,
} from '../../../src/trading/venue/polymarket/order-typed-data.ts';
import { SIGNATURE_TYPES, walletsOf } from './wallets.ts';

export interface SignedOrder extends UnsignedOrder {
  signature: Hex;
}

const ORDER_TYPE = `Order(${ORDER_FIELDS.map(({ name, type }) => `${type} ${name}`).join(',')})`;
const WRAPPED_FIELDS = [
  { name: 'contents', type: 'Order' },
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const;
const NO_SALT = `0x${'0'.repeat(64)}` as const;

/** Whether the key signed this order for a wallet it controls. */
export async function isSignedBy(key: Hex, order: SignedOrder, isNegRisk: boolean): Promise<boolean> {
  const own = walletsOf(key, order.signatureType).map((wallet) => wallet.toLowerCase());
  if (!own.includes(order.maker.toLowerCase())) return false;
  const isWrapped = order.signatureType === SIGNATURE_TYPES.deposit;
  const expectedSigner = isWrapped ? order.maker : key;
  if (order.signer.toLowerCase() !== expectedSigner.toLowerCase()) return false;
  try {
    const recovered = isWrapped
      ? await recoverWrapped(order, isNegRisk)
      : await recoverTypedDataAddress({ ...orderTypedData(order, isNegRisk), signature: order.signature });
    return recovered?.toLowerCase() === key.toLowerCase();
  } catch {
    return false;
  }
}

const INNER_BYTES = 65;

/** A deposit wallet checks a nested signature: the order inside a wallet message, with proof of its type. */
async function recoverWrapped(order: SignedOrder, isNegRisk: boolean): Promise<Hex | null> {
  const domain = orderDomain(isNegRisk);
  const tail = concat([
    separatorOf(domain),
    contentsHash(order),
    stringToHex(ORDER_TYPE),
    `0x${ORDER_TYPE.length.toString(16).padStart(4, '0')}`,
  ]);
  if (size(order.signature) !== INNER_BYTES + size(tail)) return null;
  if (slice(order.signature, INNER_BYTES).toLowerCase() !== tail.toLowerCase()) return null;
  return recoverTypedDataAddress({
    domain,
    types: { TypedDataSign: WRAPPED_FIELDS, Order: ORDER_FIELDS },
    primaryType: 'TypedDataSign',
    message: {
      contents: orderMessage(order),
      name: 'DepositWallet',
      version: '1',
      chainId: BigInt(CHAIN_ID),
      verifyingContract: order.signer,
      salt: NO_SALT,
    },
    signature: slice(order.signature, 0, INNER_BYTES),
  });
}

function separatorOf(domain: ReturnType<typeof orderDomain>): Hex {
  const type = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
  return keccak256(
    encodeAbiParameters(
      [
        { type: 'bytes32' },
        { type: 'bytes32' },
        { type: 'bytes32' },
        { type: 'uint256' },
        { type: 'address' },
      ],
      [
        keccak256(stringToHex(type)),
        keccak256(stringToHex(domain.name)),
        keccak256(stringToHex(domain.version)),
        BigInt(domain.chainId),
        domain.verifyingContract,
      ],
    ),
  );
}

function contentsHash(order: SignedOrder): Hex {
  const message = orderMessage(order);
  return keccak256(
    encodeAbiParameters([{ type: 'bytes32' }, ...ORDER_FIELDS.map(({ type }) => ({ type }))], [
      keccak256(stringToHex(ORDER_TYPE)),
      ...ORDER_FIELDS.map(({ name }) => message[name]),
    ] as never),
  );
}
