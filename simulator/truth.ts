// The ground truth, for tests and benchmarks to compare counts with.

import type { SimulatorPost } from './posts/simulator-post.ts';
import type { SimulatorAccount, SimulatorState } from './simulator-state.ts';

export interface PostTruth {
  accountId: string;
  id: string;
  editIds: string[];
  createdTs: number;
  visibleTs: number;
  deletedTs: number | null;
  importedTs: number | null;
  kind: string;
  replyToId: string | null;
  isCommunity: boolean;
  isCounted: boolean;
  firstServedTs: number | null;
}

export interface EventTruth {
  eventId: number;
  accountId: string;
  title: string;
  slug: string;
  startTs: number;
  endTs: number;
  /** Counted posts of the window visible so far, including deleted ones: no client can count more. */
  counted: number;
  /**
   * Posts among them that are not deleted: a client that has caught up counts at least these, even after
   * kills.
   */
  standing: number;
  /**
   * Posts this process delivered at least once. Only a hint: a restart forgets them, and a client killed
   * before its commit may have lost one that has since been deleted.
   */
  served: number;
  /** The oracle's current count. */
  oracle: number;
  /** The oracle's count at settlement, and the winning bucket; null while open. */
  final: number | null;
  winningLabel: string | null;
}

export function presentPosts(
  state: SimulatorState,
  fromTs: number,
  toTs: number,
  accountId: string | null,
): PostTruth[] {
  const nowTs = state.now();
  return state.accounts
    .filter(({ parameters }) => accountId === null || parameters.accountId === accountId)
    .flatMap((account) =>
      account.ledger
        .range(fromTs, Math.min(toTs, nowTs + 1))
        .filter((post) => account.ledger.visibleTsOf(post) <= nowTs)
        .map((post) => presentPost(account, post, nowTs)),
    );
}

function presentPost(account: SimulatorAccount, post: SimulatorPost, nowTs: number): PostTruth {
  const deletedTs = account.ledger.deletedTsOf(post);
  const importedTs = post.isCounted ? account.oracle.importedTsOf(post) : null;
  return {
    accountId: post.accountId,
    id: post.id,
    editIds: post.edits.filter((edit) => edit.editedTs <= nowTs).map((edit) => edit.id),
    createdTs: post.createdTs,
    visibleTs: account.ledger.visibleTsOf(post),
    deletedTs: deletedTs !== null && deletedTs <= nowTs ? deletedTs : null,
    importedTs: importedTs !== null && importedTs <= nowTs ? importedTs : null,
    kind: post.kind,
    replyToId: post.replyToId,
    isCommunity: post.isCommunity,
    isCounted: post.isCounted,
    firstServedTs: post.firstServedTs,
  };
}

/** Started count events with a window that ended at or after `endedSinceTs`. */
export function presentEvents(state: SimulatorState, endedSinceTs: number): EventTruth[] {
  const nowTs = state.now();
  return state.countEvents
    .list(nowTs)
    .filter((event) => event.kind === 'count' && event.startTs <= nowTs && event.endTs >= endedSinceTs)
    .map((event) => {
      const account = state.findAccount((one) => one.accountId === event.accountId)!;
      const slot = state.countEvents.slot(event.eventId)!;
      const final = state.countEvents.finalCount(slot, nowTs);
      const posts = account.ledger
        .range(event.startTs, Math.min(event.endTs, nowTs + 1))
        .filter((post) => post.isCounted && account.ledger.visibleTsOf(post) <= nowTs);
      return {
        eventId: event.eventId,
        accountId: event.accountId!,
        title: event.title,
        slug: event.slug,
        startTs: event.startTs,
        endTs: event.endTs,
        counted: posts.length,
        standing: posts.filter((post) => account.ledger.isShownAt(post, nowTs)).length,
        served: posts.filter((post) => post.firstServedTs !== null).length,
        oracle: account.oracle.countIn(event.startTs, event.endTs, nowTs),
        final,
        winningLabel: state.countEvents.paidLabel(slot, nowTs),
      };
    });
}
