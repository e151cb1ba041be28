// A market's fees, and whether the market is decided.

import type { MarketTerms } from '../../types.ts';
import { type AnswerFields, readAmount, readFields, readFlag, readList, readText } from '../answer-fields.ts';

/** `get` requests a path from the exchange and throws if there is no response. */
export async function readTerms(
  get: (path: string) => Promise<unknown>,
  tokenId: string,
  feePaidIn: MarketTerms['feePaidIn'],
): Promise<MarketTerms> {
  const owner = readFields(await get(`/markets-by-token/${tokenId}`), 'token market');
  const conditionId = readText(owner, 'condition_id');
  const [info, market] = await Promise.all([
    get(`/clob-markets/${conditionId}`),
    get(`/markets/${conditionId}`),
  ]);
  const { closed, tokens } = readMarket(market);
  return { conditionId, fee: readFee(info), feePaidIn, isClosed: closed, winningTokenId: findWinner(tokens) };
}

function readMarket(value: unknown): { closed: boolean; tokens: AnswerFields[] } {
  const market = readFields(value, 'market');
  const tokens = readList(market.tokens, 'tokens').map((token) => readFields(token, 'tokens'));
  return { closed: readFlag(market, 'closed'), tokens };
}

function findWinner(tokens: readonly AnswerFields[]): string | null {
  const winner = tokens.find((token) => token.winner === true);
  return winner ? readText(winner, 'token_id') : null;
}

/** A market without fees has no `fd`. */
function readFee(value: unknown): MarketTerms['fee'] {
  const { fd } = readFields(value, 'market fees');
  if (fd === undefined || fd === null) return { rate: 0, exponent: 0 };
  const fee = readFields(fd, 'fd');
  return { rate: readAmount(fee, 'r'), exponent: readAmount(fee, 'e') };
}
