// Transfers of a match: shares change hands, are minted if two buyers meet, or burned if two sellers do.

import { type FeeAsset, type FeeTerms, feeSharesMicro, feeUsdMicro } from '../../../src/domain/taker-fee.ts';
import { PIPS, usdMicroFor } from '../../../src/domain/units.ts';
import type { BookSide } from '../matching/order-book.ts';
import { FEES, type Movement, USD, VAULT } from './ledger.ts';

export type Action = 'BUY' | 'SELL';

/** One side of a match: action and token. */
export interface Party {
  owner: string;
  action: Action;
  tokenId: string;
  /** Price of a share of that token. */
  pricePips: number;
}

export interface TakerFee extends FeeTerms {
  paidIn: FeeAsset;
}

/** The order's side of the book in Yes terms: buying No is selling Yes. */
export function sideOf(action: Action, isYes: boolean): BookSide {
  return (action === 'BUY') === isYes ? 'bid' : 'ask';
}

export function flipPips(pricePips: number): number {
  return PIPS - pricePips;
}

/** The fee is charged once per trade, see `feeFor`. */
export function transferFor(taker: Party, maker: Party, sizeMicro: number): Movement[] {
  // The second amount is the remainder to one dollar, so that a minted pair is fully paid.
  const takerUsd = usdMicroFor(sizeMicro, taker.pricePips);
  const makerUsd = taker.tokenId === maker.tokenId ? takerUsd : sizeMicro - takerUsd;
  const movements = [...moves(taker, sizeMicro, takerUsd), ...moves(maker, sizeMicro, makerUsd)];
  const pairs = vaultChange(taker, maker) * sizeMicro;
  if (pairs !== 0) movements.push({ owner: VAULT, asset: USD, deltaMicro: pairs });
  return movements;
}

export function feeFor(
  taker: Party,
  sizeMicro: number,
  terms: TakerFee,
): { micro: number; movements: Movement[] } {
  const isInShares = taker.action === 'BUY' && terms.paidIn === 'shares';
  const micro = (isInShares ? feeSharesMicro : feeUsdMicro)(sizeMicro, taker.pricePips, terms);
  return { micro, movements: feeMovements(taker.owner, isInShares ? taker.tokenId : USD, micro) };
}

export function feeMovements(owner: string, asset: string, micro: number): Movement[] {
  if (micro === 0) return [];
  return [
    { owner, asset, deltaMicro: -micro },
    { owner: FEES, asset, deltaMicro: micro },
  ];
}

function moves({ owner, action, tokenId }: Party, sizeMicro: number, usdMicro: number): Movement[] {
  const sign = action === 'BUY' ? 1 : -1;
  return [
    { owner, asset: tokenId, deltaMicro: sign * sizeMicro },
    { owner, asset: USD, deltaMicro: -sign * usdMicro },
  ];
}

function vaultChange(taker: Party, maker: Party): number {
  if (taker.action !== maker.action) return 0;
  return taker.action === 'BUY' ? 1 : -1;
}
