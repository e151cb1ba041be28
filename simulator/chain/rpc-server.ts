// Serves the simulated chain's Ethereum JSON-RPC over HTTP on loopback, with a faucet.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorMessage } from '../../src/runtime/errors.ts';
import { BASE_FEE_WEI, CHAIN_ID, type Chain, type ChainLog, type MinedTransaction } from './chain.ts';

const MAX_BODY_BYTES = 1_000_000;
const ZERO_HASH = `0x${'0'.repeat(64)}`;
const EMPTY_BLOOM = `0x${'0'.repeat(512)}`;

interface RpcRequest {
  id: unknown;
  method: string;
  params: unknown[];
}

class RpcFault extends Error {
  readonly code: number;
  readonly data: string | undefined;
  constructor(code: number, message: string, data?: string) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

type RpcMethod = (chain: Chain, params: unknown[]) => unknown;

const METHODS: Record<string, RpcMethod> = {
  web3_clientVersion: () => 'pretend-chain',
  net_version: () => String(CHAIN_ID),
  eth_chainId: () => quantity(CHAIN_ID),
  eth_blockNumber: (chain) => quantity(chain.head().number),
  eth_gasPrice: () => quantity(BASE_FEE_WEI + 1n),
  eth_maxPriorityFeePerGas: () => quantity(1),
  eth_feeHistory: (chain) => ({
    oldestBlock: quantity(chain.head().number),
    baseFeePerGas: [quantity(BASE_FEE_WEI), quantity(BASE_FEE_WEI)],
    gasUsedRatio: [0],
    reward: [[quantity(1)]],
  }),
  eth_getTransactionCount: async (chain, [owner]) => quantity(await chain.nonce(String(owner))),
  eth_getBalance: async (chain, [owner]) => quantity(await chain.balance(String(owner))),
  eth_getCode: (chain, [owner]) => chain.code(String(owner)),
  eth_call: (chain, [request]) => call(chain, request),
  eth_estimateGas: (chain, [request]) => estimateGas(chain, request),
  eth_sendRawTransaction: async (chain, [raw]) => (await chain.send(String(raw))).hash,
  eth_getTransactionReceipt: (chain, [hash]) => describeReceipt(chain.find(String(hash))),
  eth_getTransactionByHash: (chain, [hash]) => describeTransaction(chain.find(String(hash))),
  eth_getBlockByNumber: (chain, [tag]) => describeBlock(chain, tag),
  eth_getLogs: (chain, [filter]) => filterLogs(chain, filter as LogFilter),
};

export interface ChainServer {
  url: string;
  faucetUrl: string;
  close(): Promise<void>;
}

export interface ChainServerOptions {
  chain: Chain;
  port?: number;
  /** Funds an address and returns the transaction hash. */
  drip: (address: string) => Promise<{ transaction: string; amount: string }>;
}

export async function startChainServer(options: ChainServerOptions): Promise<ChainServer> {
  const server = createServer((request, response) => {
    answer(options, request, response).catch((error) => send(response, 500, { error: errorMessage(error) }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, faucetUrl: `${url}/faucet`, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(options: ChainServerOptions, request: IncomingMessage, response: ServerResponse) {
  if (request.method !== 'POST') return send(response, 405, { error: 'POST only' });
  const body: unknown = JSON.parse(await readBody(request));
  if (request.url === '/faucet') {
    const address = (body as { address?: unknown }).address;
    if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address)) {
      return send(response, 400, { error: 'address must be 0x and 40 hex characters' });
    }
    return send(response, 200, await options.drip(address));
  }
  if (Array.isArray(body)) {
    return send(
      response,
      200,
      await Promise.all(body.map((each) => runRpc(options.chain, each as RpcRequest))),
    );
  }
  send(response, 200, await runRpc(options.chain, body as RpcRequest));
}

async function runRpc(chain: Chain, request: RpcRequest): Promise<object> {
  const base = { jsonrpc: '2.0', id: request.id ?? null };
  try {
    const method = METHODS[request.method];
    if (!method) throw new RpcFault(-32601, `the method ${request.method} does not exist`);
    return { ...base, result: await method(chain, request.params ?? []) };
  } catch (error) {
    const code = error instanceof RpcFault ? error.code : -32000;
    const data = error instanceof RpcFault ? error.data : undefined;
    return { ...base, error: { code, message: errorMessage(error), ...(data ? { data } : {}) } };
  }
}

async function call(chain: Chain, request: unknown): Promise<string> {
  const result = await chain.call(toCall(request));
  if (result.reverted)
    throw new RpcFault(3, `execution reverted${revertReason(result.returnValue)}`, result.returnValue);
  return result.returnValue;
}

async function estimateGas(chain: Chain, request: unknown): Promise<string> {
  const result = await chain.call(toCall(request));
  if (result.reverted)
    throw new RpcFault(3, `execution reverted${revertReason(result.returnValue)}`, result.returnValue);
  return quantity(result.gasUsed + 100_000n);
}

function toCall(request: unknown): { from?: string; to?: string; data?: string } {
  const { from, to, data, input } = request as { from?: string; to?: string; data?: string; input?: string };
  return { ...(from ? { from } : {}), ...(to ? { to } : {}), data: data ?? input ?? '0x' };
}

/** The message of Error(string), returned by a failed require. */
function revertReason(returnValue: string): string {
  if (!returnValue.startsWith('0x08c379a0')) return '';
  const bytes = Buffer.from(returnValue.slice(10), 'hex');
  const length = Number(BigInt(`0x${bytes.subarray(32, 64).toString('hex')}`));
  return `: ${bytes.subarray(64, 64 + length).toString('utf8')}`;
}

function describeReceipt(mined: MinedTransaction | undefined): object | null {
  if (!mined) return null;
  return {
    transactionHash: mined.hash,
    transactionIndex: '0x0',
    blockHash: blockHash(mined.blockNumber),
    blockNumber: quantity(mined.blockNumber),
    from: mined.from,
    to: mined.to,
    contractAddress: null,
    cumulativeGasUsed: quantity(mined.gasUsed),
    gasUsed: quantity(mined.gasUsed),
    effectiveGasPrice: quantity(BASE_FEE_WEI + 1n),
    logsBloom: EMPTY_BLOOM,
    status: mined.succeeded ? '0x1' : '0x0',
    type: '0x2',
    logs: mined.logs.map(describeLog),
  };
}

function describeTransaction(mined: MinedTransaction | undefined): object | null {
  if (!mined) return null;
  return {
    hash: mined.hash,
    from: mined.from,
    to: mined.to,
    nonce: quantity(mined.nonce),
    blockHash: blockHash(mined.blockNumber),
    blockNumber: quantity(mined.blockNumber),
    transactionIndex: '0x0',
    value: '0x0',
    gas: quantity(mined.gasUsed),
    gasPrice: quantity(BASE_FEE_WEI + 1n),
    input: '0x',
    type: '0x2',
    v: '0x0',
    r: '0x0',
    s: '0x0',
  };
}

function describeBlock(chain: Chain, tag: unknown): object | null {
  const head = chain.head();
  const isTag = typeof tag !== 'string' || !tag.startsWith('0x');
  const number = isTag ? head.number : Number(tag);
  if (number > head.number) return null;
  const mined = chain.mined()[number - 1];
  return {
    number: quantity(number),
    hash: blockHash(number),
    parentHash: number === 0 ? ZERO_HASH : blockHash(number - 1),
    timestamp: quantity(isTag ? head.timestampS : (mined?.blockTimestampS ?? 0)),
    gasLimit: quantity(30_000_000),
    gasUsed: quantity(mined?.gasUsed ?? 0),
    baseFeePerGas: quantity(BASE_FEE_WEI),
    miner: `0x${'0'.repeat(40)}`,
    difficulty: '0x0',
    totalDifficulty: '0x0',
    extraData: '0x',
    logsBloom: EMPTY_BLOOM,
    nonce: '0x0000000000000000',
    sha3Uncles: ZERO_HASH,
    size: '0x0',
    stateRoot: ZERO_HASH,
    receiptsRoot: ZERO_HASH,
    transactionsRoot: ZERO_HASH,
    mixHash: ZERO_HASH,
    uncles: [],
    transactions: mined ? [mined.hash] : [],
  };
}

interface LogFilter {
  address?: string | string[];
  topics?: (string | string[] | null)[];
  fromBlock?: string;
  toBlock?: string;
}

function filterLogs(chain: Chain, filter: LogFilter): object[] {
  const from = blockOf(filter.fromBlock, 0);
  const to = blockOf(filter.toBlock, chain.head().number);
  return chain
    .mined()
    .slice(Math.max(0, from - 1), to)
    .flatMap((mined) => mined.logs)
    .filter((log) => isOneOf(filter.address, log.address))
    .filter((log) => (filter.topics ?? []).every((topic, i) => isOneOf(topic, log.topics[i])))
    .map(describeLog);
}

function blockOf(tag: string | undefined, fallback: number): number {
  return tag?.startsWith('0x') ? Number(tag) : fallback;
}

function isOneOf(wanted: string | string[] | null | undefined, actual: string | undefined): boolean {
  if (wanted === null || wanted === undefined) return true;
  const list = Array.isArray(wanted) ? wanted : [wanted];
  return list.some((each) => each.toLowerCase() === actual?.toLowerCase());
}

function describeLog(log: ChainLog): object {
  return {
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockNumber: quantity(log.blockNumber),
    blockHash: blockHash(log.blockNumber),
    transactionHash: log.transactionHash,
    transactionIndex: '0x0',
    logIndex: quantity(log.logIndex),
    removed: false,
  };
}

function blockHash(number: number): string {
  return `0x${number.toString(16).padStart(64, '0')}`;
}

function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('request too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
