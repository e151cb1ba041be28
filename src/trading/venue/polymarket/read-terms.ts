// Fees of a market, and whether it is decided.

import type { MarketTerms } from '../../types.ts';

/** `get` requests a path from the exchange and throws without an answer. */
export async function readTerms(
  get: (path: string) => Promise<unknown>,
  tokenId: string,
  feePaidIn: MarketTerms['feePaidIn'],
): Promise<MarketTerms> {
  const { condition_id } = (await get(`/markets-by-token/${tokenId}`)) as { condition_id: string };
  const [info, market] = await Promise.all([
    get(`/clob-markets/${condition_id}`),
    get(`/markets/${condition_id}`),
  ]);
  const { fd } = info as { fd?: { r?: number; e?: number } };
  const { closed, tokens } = market as { closed: boolean; tokens: { token_id: string; winner: boolean }[] };
  return {
    conditionId: condition_id,
    fee: { rate: fd?.r ?? 0, exponent: fd?.e ?? 0 },
    feePaidIn,
    isClosed: closed,
    winningTokenId: tokens.find(({ winner }) => winner)?.token_id ?? null,
  };
}
