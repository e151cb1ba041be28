// Presents a dossier: everyone sees the explanation, counts and settlements; PRO also sees the verdict on
// every post.

import type { View } from '../../access/authorise.ts';
import type { Account } from '../../domain/account.ts';
import type { Dossier } from '../../domain/dossier.ts';
import type { CountAt, DossierInput, DossierPost, SettledCount } from '../../domain/explain-settlement.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { Settlement } from '../../store/ports.ts';
import { presentPastEvent } from './history.ts';

export interface DossierParts {
  account: Account;
  input: Omit<DossierInput, 'settlements'> & { settlements: readonly Settlement[] };
  dossier: Dossier;
  snapshot: AccountSnapshot | undefined;
  nowTs: number;
}

export function presentDossier({ account, input, dossier, snapshot, nowTs }: DossierParts, view: View) {
  const { event, settlements, oracle, ui } = input;
  return {
    account: account.segment,
    ...presentPastEvent(event, settlements.at(-1), snapshot),
    compiled_ts: nowTs,
    explanation: dossier.explanation,
    own_count: dossier.ownCount,
    oracle_counts: oracle.map(presentCount),
    ui_counts: ui.map(presentCount),
    settlements: settlements.map(presentSettlement),
    ...(view === 'pro' && presentDetail(dossier)),
  };
}

function presentDetail({ countsByRule, disagreements, posts }: Dossier) {
  return {
    counts_by_rule: countsByRule,
    disagreements: disagreements.map(({ postId, createdTs, what }) => ({
      ...{ tweet_id: postId, created_ts: createdTs, what },
    })),
    posts: posts.map(presentPost),
  };
}

function presentPost({ post, kind, isCounted, verdict, listing }: DossierPost) {
  return {
    tweet_id: post.postId,
    kind,
    created_ts: post.createdTs,
    first_seen_ts: post.firstSeenTs,
    first_source: post.firstSource ?? null,
    is_counted: isCounted,
    verdict,
    deleted_ts: post.deletedTs,
    oracle_imported_ts: listing?.importedTs ?? null,
    oracle_listed_ts: listing?.listedTs ?? null,
  };
}

function presentCount({ ts, count }: CountAt) {
  return { timestamp: ts, count };
}

function presentSettlement({ finalCount, winningLabel, source, revision, settledTs }: SettledCount) {
  return {
    ...{ final_count: finalCount, winning_bucket: winningLabel, source, revision, settled_ts: settledTs },
  };
}
