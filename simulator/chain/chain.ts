// What the JSON-RPC server needs of a chain.

export const CHAIN_ID = 84532;
/** The address of the Base Sepolia test dollar, which off-the-shelf clients use by default. */
export const TOKEN_ADDRESS = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
export const MULTICALL_ADDRESS = '0xcA11bde05977b3631167028862bE2a173976CA11';
export const BASE_FEE_WEI = 7n;

export interface ChainLog {
  address: string;
  topics: string[];
  data: string;
  blockNumber: number;
  transactionHash: string;
  logIndex: number;
}

export interface MinedTransaction {
  hash: string;
  raw: string;
  from: string;
  to: string | null;
  nonce: number;
  blockNumber: number;
  blockTimestampS: number;
  succeeded: boolean;
  gasUsed: bigint;
  logs: ChainLog[];
}

export interface CallRequest {
  from?: string;
  to?: string;
  data?: string;
}

export interface CallResult {
  returnValue: string;
  gasUsed: bigint;
  reverted: boolean;
}

/** The chain rejected a transaction: bad signature, wrong nonce, or not enough gas. */
export class TransactionRefused extends Error {}

/** One block per transaction, mined immediately. */
export interface Chain {
  head(): { number: number; timestampS: number };
  call(request: CallRequest): Promise<CallResult>;
  send(raw: string): Promise<MinedTransaction>;
  nonce(address: string): Promise<number>;
  balance(address: string): Promise<bigint>;
  code(address: string): Promise<string>;
  find(hash: string): MinedTransaction | undefined;
  mined(): readonly MinedTransaction[];
  /** Gives an address money for gas, as part of the genesis state rather than the history. */
  fundGas(address: string): Promise<void>;
}

export interface ChainOptions {
  /** Wall-clock time in milliseconds. */
  clock: { now(): number };
  /** Called before a transaction is executed, so that the chain can be rebuilt from its history. */
  onAccepted?: ((raw: string, timestampS: number) => void) | undefined;
  /** Transactions accepted before a restart, in order. */
  history?: readonly { raw: string; timestampS: number }[];
  /** Accounts funded for gas from the start. */
  gasPayers?: readonly string[];
}
