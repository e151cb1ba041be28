// The simulated dollar: balances and EIP-3009 authorisations, with the domain of Base Sepolia's test dollar. A
// call is first computed as an effect and changes the state only if the effect is applied.

import {
  type AbiEvent,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  type Hex,
  hashTypedData,
  parseAbi,
  parseAbiItem,
  recoverAddress,
  serializeSignature,
  zeroAddress,
} from 'viem';
import { CHAIN_ID, TOKEN_ADDRESS } from './chain.ts';

const ABI = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function balanceOf(address owner) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);
const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
const USED = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)');
const CANCELED = parseAbiItem(
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
);
const DOMAIN = { name: 'USDC', version: '2', chainId: CHAIN_ID, verifyingContract: TOKEN_ADDRESS } as const;
const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;
/** A signature with a larger s is the mirror image of a valid one, and is refused. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

export interface DollarLog {
  topics: Hex[];
  data: Hex;
}

export interface Effect {
  returnValue: Hex;
  logs: DollarLog[];
  apply(): void;
}

/** The contract refused the call; the message is its reason. */
export class Reverted extends Error {}

export interface DollarCall {
  sender: string;
  data: Hex;
  timestampS: number;
}

interface Signature {
  v: number;
  r: Hex;
  s: Hex;
}

interface Transfer {
  from: Hex;
  to: Hex;
  value: bigint;
}

interface Authorization extends Transfer {
  validAfter: bigint;
  validBefore: bigint;
  nonce: Hex;
}

export function createDollar(): { run(call: DollarCall): Promise<Effect> } {
  const balances = new Map<string, bigint>();
  const spent = new Set<string>();
  const balanceOf = (owner: string) => balances.get(owner.toLowerCase()) ?? 0n;
  const add = (owner: string, value: bigint) => balances.set(owner.toLowerCase(), balanceOf(owner) + value);
  const keyOf = (authorizer: string, nonce: Hex) => `${authorizer}/${nonce}`.toLowerCase();

  function move({ from, to, value }: Transfer): Effect {
    if (to === zeroAddress) throw new Reverted('transfer to the zero address');
    if (balanceOf(from) < value) throw new Reverted('transfer amount exceeds balance');
    return {
      returnValue: '0x',
      logs: [transferLog({ from, to, value })],
      apply() {
        add(from, -value);
        add(to, value);
      },
    };
  }

  function requireUnspent(authorizer: Hex, nonce: Hex): void {
    if (spent.has(keyOf(authorizer, nonce))) throw new Reverted('authorization is used or canceled');
  }

  async function transferAuthorized(
    authorization: Authorization,
    signature: Signature,
    timestampS: number,
  ): Promise<Effect> {
    const { from, nonce, validAfter, validBefore } = authorization;
    if (BigInt(timestampS) <= validAfter) throw new Reverted('authorization is not yet valid');
    if (BigInt(timestampS) >= validBefore) throw new Reverted('authorization is expired');
    requireUnspent(from, nonce);
    const primaryType = 'TransferWithAuthorization';
    const digest = hashTypedData({ domain: DOMAIN, types: TYPES, primaryType, message: authorization });
    await requireSigned(from, digest, signature);
    const moved = move(authorization);
    return {
      ...moved,
      logs: [noteLog(USED, from, nonce), ...moved.logs],
      apply() {
        spent.add(keyOf(from, nonce));
        moved.apply();
      },
    };
  }

  async function cancel(authorizer: Hex, nonce: Hex, signature: Signature): Promise<Effect> {
    requireUnspent(authorizer, nonce);
    const primaryType = 'CancelAuthorization';
    const message = { authorizer, nonce };
    await requireSigned(
      authorizer,
      hashTypedData({ domain: DOMAIN, types: TYPES, primaryType, message }),
      signature,
    );
    return {
      returnValue: '0x',
      logs: [noteLog(CANCELED, authorizer, nonce)],
      apply: () => void spent.add(keyOf(authorizer, nonce)),
    };
  }

  return {
    async run({ sender, data, timestampS }) {
      const call = decode(data);
      switch (call.functionName) {
        case 'name':
        case 'symbol':
          return view(
            encodeFunctionResult({ abi: ABI, functionName: call.functionName, result: DOMAIN.name }),
          );
        case 'version':
          return view(encodeFunctionResult({ abi: ABI, functionName: 'version', result: DOMAIN.version }));
        case 'decimals':
          return view(encodeFunctionResult({ abi: ABI, functionName: 'decimals', result: 6 }));
        case 'balanceOf': {
          const result = balanceOf(call.args[0]);
          return view(encodeFunctionResult({ abi: ABI, functionName: 'balanceOf', result }));
        }
        case 'authorizationState': {
          const result = spent.has(keyOf(...call.args));
          return view(encodeFunctionResult({ abi: ABI, functionName: 'authorizationState', result }));
        }
        case 'mint': {
          const [to, value] = call.args;
          const logs = [transferLog({ from: zeroAddress, to, value })];
          return { returnValue: '0x', logs, apply: () => void add(to, value) };
        }
        case 'transfer': {
          const moved = move({ from: sender as Hex, to: call.args[0], value: call.args[1] });
          const returnValue = encodeFunctionResult({ abi: ABI, functionName: 'transfer', result: true });
          return { ...moved, returnValue };
        }
        case 'transferWithAuthorization': {
          const [from, to, value, validAfter, validBefore, nonce, first, r, s] = call.args;
          const authorization = { from, to, value, validAfter, validBefore, nonce };
          const signature = typeof first === 'string' ? splitSignature(first) : { v: first, r: r!, s: s! };
          return transferAuthorized(authorization, signature, timestampS);
        }
        case 'cancelAuthorization': {
          const [authorizer, nonce, v, r, s] = call.args;
          return cancel(authorizer, nonce, { v, r, s });
        }
      }
    },
  };
}

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi: ABI, data });
  } catch {
    throw new Reverted('');
  }
}

function view(returnValue: Hex): Effect {
  return { returnValue, logs: [], apply() {} };
}

function splitSignature(signature: Hex): Signature {
  if (signature.length !== 132) throw new Reverted('invalid signature length');
  return {
    r: `0x${signature.slice(2, 66)}`,
    s: `0x${signature.slice(66, 130)}`,
    v: Number(`0x${signature.slice(130)}`),
  };
}

async function requireSigned(signer: Hex, hash: Hex, { v, r, s }: Signature): Promise<void> {
  if (BigInt(s) > HALF_ORDER || (v !== 27 && v !== 28)) throw new Reverted('invalid signature');
  const signature = serializeSignature({ r, s, v: BigInt(v) });
  const recovered = await recoverAddress({ hash, signature }).catch(() => null);
  if (recovered?.toLowerCase() !== signer.toLowerCase()) throw new Reverted('invalid signature');
}

function transferLog({ from, to, value }: Transfer): DollarLog {
  const topics = encodeEventTopics({ abi: [TRANSFER], args: { from, to } }) as Hex[];
  return { topics, data: encodeAbiParameters([{ type: 'uint256' }], [value]) };
}

function noteLog(event: AbiEvent, authorizer: Hex, nonce: Hex): DollarLog {
  return { topics: encodeEventTopics({ abi: [event], args: { authorizer, nonce } }) as Hex[], data: '0x' };
}
