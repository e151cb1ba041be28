// Thins old quotes token by token in short writes, so that a capture waits for at most one token's rows.
// Keeps only the last quote of each hour after a few days, and none after a few weeks. A cursor stores the
// position, so no row is thinned twice.

import { HOUR_MS } from '../../domain/units.ts';
import type { Store } from '../../store/ports.ts';

const CURSOR = 'quotes thin';
/** Every pass checks all tokens, even unchanged ones, so a few passes a day are enough. */
const LEAST_STRETCH_MS = 6 * HOUR_MS;
/** Most tokens have nothing in the range; reading this many takes about a millisecond. */
const TOKENS_AT_ONCE = 200;

/** Returns how many quotes were deleted. */
export async function walkQuotes(
  { quotes, cursors }: Pick<Store, 'quotes' | 'cursors'>,
  keptFromTs: number,
  wholeFromTs: number,
): Promise<number> {
  const fromTs = Number((await cursors.find(CURSOR)) ?? 0);
  const untilTs = Math.floor(wholeFromTs / HOUR_MS) * HOUR_MS;
  if (untilTs - fromTs < LEAST_STRETCH_MS) return 0;
  let rows = await quotes.dropMonths(keptFromTs);
  const stretch = { keptFromTs, hourlyFromTs: fromTs, hourlyUntilTs: untilTs };
  let afterTokenId: string | undefined = '';
  while (afterTokenId !== undefined) {
    const tokens = await quotes.listTokens(afterTokenId, stretch, TOKENS_AT_ONCE);
    for (const { tokenId, isDue } of tokens) if (isDue) rows += await quotes.shorten(tokenId, stretch);
    afterTokenId = tokens.at(-1)?.tokenId;
  }
  await cursors.put(CURSOR, String(untilTs));
  return rows;
}
