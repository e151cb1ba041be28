// Wallets that are contracts: who owns them, which session keys they trust, and which signatures they accept.
// Written from the standards (ERC-1271, ERC-7739, ERC-6492), independently of the trader's signing.

import {
  concat,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  hexToNumber,
  hexToString,
  keccak256,
  recoverAddress,
  size,
  slice,
  stringToHex,
} from 'viem';
import { CHAIN_ID } from '../../../src/trading/venue/polymarket/signing/contracts.ts';

export type ContractKind = 'proxy' | 'safe' | 'deposit';

export interface SessionKey {
  scopes: readonly string[];
  validUntilS: number;
}

export interface ContractWallet {
  address: Hex;
  kind: ContractKind;
  owner: Hex;
  /** Session keys by lower-case address. */
  sessions: Map<string, SessionKey>;
  /** Which form of signature the contract accepts for its owner; null means both. */
  takes: 'plain' | 'wrapped' | null;
}

export interface ContractWallets {
  deploy(wallet: Omit<ContractWallet, 'sessions'>): ContractWallet;
  find(address: string): ContractWallet | null;
  /** The deposit wallet that trusts this session key. */
  findOfSession(session: string): ContractWallet | null;
  /** The key that made the signature, if the wallet accepts it. */
  findSigner(
    address: string,
    hash: Hex,
    signature: Hex,
    nowTs: number,
    purpose?: 'order' | 'batch',
  ): Promise<Hex | null>;
}

export function createContractWallets(): ContractWallets {
  const wallets = new Map<string, ContractWallet>();
  const find = (address: string) => wallets.get(address.toLowerCase()) ?? null;
  return {
    deploy(given) {
      const wallet = { ...given, sessions: new Map<string, SessionKey>() };
      wallets.set(given.address.toLowerCase(), wallet);
      return wallet;
    },
    find,
    findOfSession: (session) =>
      [...wallets.values()].find(({ sessions }) => sessions.has(session.toLowerCase())) ?? null,
    async findSigner(address, hash, signature, nowTs, purpose = 'order') {
      const found = find(address);
      // Batches are always plain.
      const wallet = found && (purpose === 'order' ? found : { ...found, takes: 'plain' as const });
      try {
        return wallet && (await recoverSigner(wallet, hash, signature, nowTs));
      } catch {
        return null;
      }
    },
  };
}

const ENVELOPE_END = '6492'.repeat(16);
const PLAIN_BYTES = 65;

async function recoverSigner(wallet: ContractWallet, hash: Hex, signature: Hex, nowTs: number) {
  const isSession = signature.endsWith(ENVELOPE_END);
  const { key, inner } = isSession ? openEnvelope(signature) : { key: wallet.owner, inner: signature };
  if (isSession && !isTrusted(wallet, key, nowTs)) return null;
  const isPlain = size(inner) === PLAIN_BYTES;
  if (wallet.takes !== null && (wallet.takes === 'plain') !== isPlain) return null;
  const signed = isPlain ? hash : nestedHash(wallet.address, hash, inner);
  const recovered =
    signed && (await recoverAddress({ hash: signed, signature: slice(inner, 0, PLAIN_BYTES) }));
  return recovered?.toLowerCase() === key.toLowerCase() ? key : null;
}

function openEnvelope(signature: Hex): { key: Hex; inner: Hex } {
  const fields = [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes' }] as const;
  const [padded, , inner] = decodeAbiParameters(fields, slice(signature, 0, size(signature) - 32));
  return { key: slice(padded, 12), inner };
}

function isTrusted(wallet: ContractWallet, key: Hex, nowTs: number): boolean {
  const session = wallet.sessions.get(key.toLowerCase());
  return session !== undefined && session.validUntilS * 1000 > nowTs;
}

/** What was signed if the order is inside a message of the wallet; null if the parts contradict the hash. */
function nestedHash(wallet: Hex, hash: Hex, signature: Hex): Hex | null {
  const typeBytes = hexToNumber(slice(signature, size(signature) - 2));
  const separator = slice(signature, PLAIN_BYTES, PLAIN_BYTES + 32);
  const contents = slice(signature, PLAIN_BYTES + 32, PLAIN_BYTES + 64);
  const contentsType = hexToString(slice(signature, PLAIN_BYTES + 64, PLAIN_BYTES + 64 + typeBytes));
  if (size(signature) !== PLAIN_BYTES + 64 + typeBytes + 2) return null;
  if (keccak256(concat(['0x1901', separator, contents])) !== hash) return null;
  const name = contentsType.slice(0, contentsType.indexOf('('));
  const type = `TypedDataSign(${name} contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)${contentsType}`;
  const text = (value: string) => keccak256(stringToHex(value));
  const struct = keccak256(
    encodeAbiParameters(
      ['bytes32', 'bytes32', 'bytes32', 'bytes32', 'uint256', 'address', 'bytes32'].map((one) => ({
        type: one,
      })),
      [
        text(type),
        contents,
        text('DepositWallet'),
        text('1'),
        BigInt(CHAIN_ID),
        wallet,
        `0x${'0'.repeat(64)}`,
      ],
    ),
  );
  return keccak256(concat(['0x1901', separator, struct]));
}
