// Calls that a wallet makes on the simulated contracts: approvals, session keys and redemptions.

import { decodeFunctionData, type Hex, parseAbi } from 'viem';
import { CONTRACTS } from '../../../src/trading/venue/polymarket/signing/contracts.ts';
import type { Exchange } from '../exchange.ts';
import { type Movement, USD, VAULT } from '../settling/ledger.ts';
import type { ExchangeMarket, MarketDirectory } from '../types.ts';
import type { ExchangeWallets } from './exchange-wallets.ts';

const ABI = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function redeemPositions(address collateral, bytes32 parent, bytes32 conditionId, uint256[] indexSets)',
  'function redeem(bytes31 conditionId, uint256 outcomeIndex, uint256 amount)',
  'function authorizeSessionSigner(address session, uint256 validUntil)',
  'function revokeSessionSigner(address session)',
]);

export interface WalletCall {
  target: Hex;
  data: Hex;
}

export interface CallParts {
  exchange: Exchange;
  wallets: ExchangeWallets;
  markets: MarketDirectory;
  nowTs: number;
}

/** Throws with the reason of the revert; then nothing has changed. */
export function runCall(wallet: string, { target, data }: WalletCall, parts: CallParts): void {
  const { functionName, args } = decodeFunctionData({ abi: ABI, data });
  const { wallets } = parts;
  if (functionName === 'approve') wallets.approve(wallet, target, args[0], args[1] > 0n);
  else if (functionName === 'setApprovalForAll') wallets.approve(wallet, target, args[0], args[1]);
  else if (functionName === 'redeemPositions') redeemVersion1(wallet, target, args[2], parts);
  else if (functionName === 'redeem')
    redeemVersion2(wallet, target, args[0], Number(args[1]), Number(args[2]), parts);
  else changeSession(wallet, target, args[0], args[1], wallets);
}

/** Pays both outcomes of a condition through the adapter of its kind. */
function redeemVersion1(wallet: string, target: Hex, conditionId: Hex, parts: CallParts): void {
  const market = resolved(conditionId, parts);
  const adapter = market.isNegRisk ? CONTRACTS.negRiskCollateralAdapter : CONTRACTS.collateralAdapter;
  if (market.version !== 'v1' || !isSame(target, adapter))
    throw new Error('execution reverted: wrong adapter');
  expectApproval(wallet, CONTRACTS.conditionalTokens, target, parts.wallets);
  market.tokenIds.forEach((_, side) => {
    pay(
      wallet,
      market,
      side,
      parts.exchange.ledger.balance(wallet.toLowerCase(), market.tokenIds[side]!),
      parts,
    );
  });
}

function redeemVersion2(
  wallet: string,
  target: Hex,
  conditionId: Hex,
  side: number,
  micro: number,
  parts: CallParts,
): void {
  const market = resolved(conditionId, parts);
  if (market.version !== 'v2' || !isSame(target, CONTRACTS.router)) throw new Error('execution reverted');
  expectApproval(wallet, CONTRACTS.positionManager, target, parts.wallets);
  if (parts.exchange.ledger.balance(wallet.toLowerCase(), market.tokenIds[side] ?? '') < micro)
    throw new Error('execution reverted: insufficient balance');
  pay(wallet, market, side, micro, parts);
}

function resolved(conditionId: Hex, { markets, exchange, nowTs }: CallParts): ExchangeMarket {
  exchange.advance(nowTs);
  const market = markets.byCondition(conditionId, nowTs);
  if (!market || market.winner === null) throw new Error('execution reverted: condition not resolved');
  return market;
}

/** A winning share pays a dollar; a losing one is burned. */
function pay(wallet: string, market: ExchangeMarket, side: number, micro: number, parts: CallParts): void {
  const owner = wallet.toLowerCase();
  const paidMicro = side === market.winner ? micro : 0;
  const movements: Movement[] = [
    { owner, asset: market.tokenIds[side]!, deltaMicro: -micro },
    { owner, asset: USD, deltaMicro: paidMicro },
    { owner: VAULT, asset: USD, deltaMicro: -paidMicro },
  ];
  parts.wallets.change(movements.filter(({ deltaMicro }) => deltaMicro !== 0));
}

function expectApproval(wallet: string, token: Hex, spender: Hex, wallets: ExchangeWallets): void {
  if (!wallets.isApproved(wallet, token, spender)) throw new Error('execution reverted: not approved');
}

function changeSession(
  address: string,
  target: Hex,
  session: Hex,
  /** Absent to revoke. */
  validUntil: bigint | undefined,
  { contracts }: ExchangeWallets,
): void {
  const wallet = contracts.find(address);
  if (!wallet || !isSame(target, address)) throw new Error('execution reverted');
  if (validUntil === undefined) wallet.sessions.delete(session.toLowerCase());
  else wallet.sessions.set(session.toLowerCase(), { scopes: ['CLOB'], validUntilS: Number(validUntil) });
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
