// Orders that the exchange refuses for a reason that will not pass: counted by kind, with the fix.

import { type Journal, LIFTED_NOTE } from '../journal/journal.ts';

export interface RefusalCount {
  count: number;
  /** The exchange's words for the latest one. */
  reason: string;
  fix: string;
}

export const MAX_REFUSALS = 3;

const FIXES: readonly [RegExp, string][] = [
  [
    /deposit wallet flow/,
    'A key on its own may not trade: make a deposit wallet and a session key (npx tallycast trade setup)',
  ],
  [
    /signer address has to be/,
    'The API key belongs to another address, or the wallet is not deployed (npx tallycast trade doctor)',
  ],
  [/allowance is not enough/, 'Approve the exchange contracts, then run npx tallycast trade setup'],
  [/balance is not enough/, 'Deposit pUSD, or run npx tallycast trade setup to refresh the balance'],
  [/insufficient_balance/, 'Deposit money, or pass a lower --bankroll'],
  [/terms/i, 'Accept the terms of service at polymarket.com with this account'],
  [
    /invalid signature|version_mismatch/,
    'Run npx tallycast trade doctor: the wallet wants another signature',
  ],
];
/** These pass by themselves: overload, restart, post-only mode. */
const PASSING = /^(425|429|5\d\d) /;

/** Refusals of each kind since the last accepted order, or since the operator lifted the halt. */
export function countRefusals(journal: Journal): RefusalCount[] {
  const liftedTs = Number(journal.note(LIFTED_NOTE) ?? 0);
  const counts = new Map<string, RefusalCount>();
  for (const { state, reason, createdTs } of journal.intents().reverse()) {
    if (createdTs <= liftedTs || ['open', 'cancelled', 'closed'].includes(state)) break;
    if (state !== 'refused' || PASSING.test(reason)) continue;
    const kind = reason.replaceAll(/0x[0-9a-f]+|\d[\d.]*/gi, '#');
    const known = counts.get(kind);
    counts.set(kind, {
      count: (known?.count ?? 0) + 1,
      reason: known?.reason ?? reason,
      fix: fixFor(reason),
    });
  }
  return [...counts.values()];
}

/** The refusal that was repeated too often; null if none. */
export function findRepeatedRefusal(journal: Journal): string | null {
  const repeated = countRefusals(journal).find(({ count }) => count >= MAX_REFUSALS);
  return repeated ? describeRefusal(repeated) : null;
}

export function describeRefusal({ count, reason, fix }: RefusalCount): string {
  return `${count} orders refused: ${reason}. ${fix}. Then run npx tallycast trade resume --after-loss.`;
}

function fixFor(reason: string): string {
  return FIXES.find(([words]) => words.test(reason))?.[1] ?? 'Run npx tallycast trade doctor';
}
