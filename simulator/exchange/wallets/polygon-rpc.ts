// The chain over JSON-RPC, as far as traders use it: code, signatures, balances, approvals, and the transactions of
// wallets that pay their own gas.

import {
  decodeFunctionData,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  parseTransaction,
  recoverTransactionAddress,
} from 'viem';
import { CHAIN_ID, CONTRACTS } from '../../../src/trading/venue/polymarket/signing/contracts.ts';
import { deriveWallets, FACTORIES } from '../../../src/trading/venue/polymarket/signing/derive-wallets.ts';
import type { ExchangeContext } from '../context.ts';
import { USD } from '../settling/ledger.ts';
import { runCall, type WalletCall } from './wallet-calls.ts';

const READS = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
  'function balanceOf(address owner) view returns (uint256)',
  'function balanceOf(address owner, uint256 id) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
]);
const RELAYS = parseAbi([
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'struct ProxyCall { uint8 typeCode; address to; uint256 value; bytes data; }',
  'function proxy(ProxyCall[] calls)',
]);
const WALLET_CODE = '0x363d3d373d3d363d7f00';
const GAS_PRICE_WEI = 30n * 10n ** 9n;
const GAS = 200_000n;

export type RpcAnswer = Record<string, unknown>;

export function createPolygonRpc(
  context: ExchangeContext,
): (body: unknown) => Promise<RpcAnswer | RpcAnswer[]> {
  const { exchange, wallets, now } = context;
  const nonces = new Map<string, number>();
  const receipts = new Map<string, { status: Hex; from: Hex }>();

  async function call(to: Hex, data: Hex): Promise<Hex> {
    exchange.advance(now());
    const read = decodeFunctionData({ abi: READS, data });
    const word = (value: bigint) => numberToHex(value, { size: 32 });
    const [owner, second] = read.args as readonly [string, unknown];
    if (read.functionName === 'isValidSignature') {
      const [hash, signature] = read.args;
      const signer = await wallets.contracts.findSigner(to, hash, signature, now());
      return encodeAbiParameters([{ type: 'bytes4' }], [signer ? '0x1626ba7e' : '0xffffffff']);
    }
    if (read.functionName === 'isApprovedForAll')
      return word(BigInt(wallets.isApproved(owner, to, second as Hex)));
    if (read.functionName === 'allowance')
      return word(wallets.isApproved(owner, to, second as Hex) ? 2n ** 256n - 1n : 0n);
    const asset = to.toLowerCase() === CONTRACTS.collateral.toLowerCase() ? USD : String(second ?? '');
    return word(BigInt(exchange.ledger.balance(owner.toLowerCase(), asset)));
  }

  /** A failed transaction has a receipt, too. */
  async function send(serialized: Hex): Promise<Hex> {
    const { to, data = '0x' } = parseTransaction(serialized);
    const from = await recoverTransactionAddress({ serializedTransaction: serialized as never });
    const sender = from.toLowerCase();
    const fundsWei = wallets.gas.get(sender) ?? 0n;
    if (fundsWei < GAS * GAS_PRICE_WEI) throw new Error('insufficient funds for gas * price + value');
    wallets.gas.set(sender, fundsWei - GAS * GAS_PRICE_WEI);
    nonces.set(sender, (nonces.get(sender) ?? 0) + 1);
    const hash = keccak256(serialized);
    receipts.set(hash, { status: runTransaction(from, { target: to!, data }) ? '0x1' : '0x0', from });
    return hash;
  }

  function runTransaction(from: Hex, given: WalletCall): boolean {
    try {
      const { wallet, calls } = unwrap(context, from, given);
      for (const one of calls) runCall(wallet, one, { ...context, nowTs: now() });
      return true;
    } catch {
      return false;
    }
  }

  const methods: Record<string, (...params: never[]) => unknown> = {
    eth_chainId: () => numberToHex(CHAIN_ID),
    eth_blockNumber: () => numberToHex(80_000_000 + (Math.floor(now() / 2_000) % 1_000_000)),
    eth_getCode: (address: string) => (wallets.contracts.find(address) ? WALLET_CODE : '0x'),
    eth_call: ({ to, data }: { to: Hex; data: Hex }) => call(to, data),
    eth_getBalance: (address: string) => numberToHex(wallets.gas.get(address.toLowerCase()) ?? 0n),
    eth_getTransactionCount: (address: string) => numberToHex(nonces.get(address.toLowerCase()) ?? 0),
    eth_gasPrice: () => numberToHex(GAS_PRICE_WEI),
    eth_estimateGas: () => numberToHex(GAS),
    eth_sendRawTransaction: (serialized: Hex) => send(serialized),
    eth_getTransactionReceipt: (hash: string) => {
      const receipt = receipts.get(hash);
      return receipt ? { ...receipt, transactionHash: hash, blockNumber: '0x1' } : null;
    },
  };

  async function answer(given: unknown): Promise<RpcAnswer> {
    const {
      id = null,
      method = '',
      params = [],
    } = (given ?? {}) as {
      id?: unknown;
      method?: string;
      params?: never[];
    };
    const base = { jsonrpc: '2.0', id };
    if (!Object.hasOwn(methods, method))
      return { ...base, error: { code: -32601, message: `the method ${method} does not exist` } };
    try {
      return { ...base, result: await methods[method]!(...params) };
    } catch (error) {
      return {
        ...base,
        error: { code: -32000, message: error instanceof Error ? error.message : String(error) },
      };
    }
  }

  return (body) => (Array.isArray(body) ? Promise.all(body.map(answer)) : answer(body));
}

/** The wallet behind a transaction and what it does: a key acts for itself, its proxy, or its safe. */
function unwrap(
  { wallets }: ExchangeContext,
  from: Hex,
  given: WalletCall,
): { wallet: string; calls: WalletCall[] } {
  if (given.target.toLowerCase() === FACTORIES.proxy.toLowerCase()) {
    const { args } = decodeFunctionData({ abi: RELAYS, data: given.data });
    const calls = (args[0] as readonly { to: Hex; data: Hex }[]).map(({ to, data }) => ({
      target: to,
      data,
    }));
    return { wallet: deriveWallets(from).proxy, calls };
  }
  const safe = wallets.contracts.find(given.target);
  if (safe?.kind !== 'safe') return { wallet: from, calls: [given] };
  const { args } = decodeFunctionData({ abi: RELAYS, data: given.data });
  const [target, , data] = args as unknown as readonly [Hex, bigint, Hex];
  const approvedBy = `0x${String(args.at(-1)).slice(26, 66)}`;
  if (safe.owner.toLowerCase() !== from.toLowerCase() || approvedBy !== from.toLowerCase())
    throw new Error('execution reverted: GS026');
  return { wallet: safe.address, calls: [{ target, data }] };
}
