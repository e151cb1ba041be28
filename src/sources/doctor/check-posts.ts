// Checks each of an account's post sources once: which one leads, what the others could do, and what it
// costs.

import type { Post } from '../../domain/post.ts';
import { DAY_MS, SECOND_MS } from '../../domain/units.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import { BARE_READS_PER_POST, estimateMonthUsd, X_READ_USD } from '../post-costs.ts';
import type { AccountSources, PostPage, PostSource } from '../source.ts';
import { ShapeError } from '../wire-reader.ts';
import { firstCall } from './check-market.ts';
import {
  adviseOn,
  ago,
  attempt,
  type DoctorOptions,
  type Finding,
  finding,
  fromError,
  type Look,
  type NamedField,
  nameField,
  withLimit,
} from './finding.ts';

export const SHOWS_NO_POST = 'shows no post';
/** Days a paid source covers in the first backfill if free sources have the rest; otherwise it reads all. */
const PAID_BACKFILL_DAYS = 4;
const PAID_BACKFILL_POSTS = 3_200;

interface SourceLook {
  source: PostSource;
  posts: readonly Post[];
  /** Why it cannot be used; null if it can. */
  failure: unknown;
  skipped: string | null;
  creditUsd: number | null;
  /** Cost of reading the page, if the source tracks it. */
  pageUsd: number;
}

export async function checkPosts(entry: AccountSources, options: DoctorOptions): Promise<Finding[]> {
  const looks: SourceLook[] = [];
  for (const source of entry.posts) looks.push(await lookAt(source, options));
  const look: Look = { capability: 'posts', account: entry.account.segment, settings: [] };
  const leader = looks.find(({ failure, posts }) => failure === null && posts.length > 0);
  const findings = leader
    ? [describeLeader(look, looks, leader, options)]
    : [describeNoLeader(look, entry, looks, options)];
  if (leader) findings.push(...describeShortCap(look, leader, looks));
  for (const one of looks) findings.push(...describeRest(look, entry, one, leader ?? null, options));
  for (const { source } of looks) findings.push(...(await checkPush(look, source, options)));
  return findings;
}

/** A stream that opens counts as working; the running service watches for silence later. */
async function checkPush(look: Look, source: PostSource, options: DoctorOptions): Promise<Finding[]> {
  const { openStream } = source;
  if (!options.usesPush || !openStream) return [];
  const ignored = { onPost() {}, onDeletion() {}, onAlive() {} };
  const heard = await attempt({ ...look, settings: ['X_PUSH'] }, options, async (signal) => {
    await firstCall(signal, (onCall, within) => openStream({ ...ignored, onOpen: onCall }, within), {
      clock: options.clock,
    });
    return [finding(look, 'ok', `${source.name} pushes its posts`)];
  });
  return heard.map((one) =>
    one.verdict === 'ok'
      ? one
      : {
          ...one,
          verdict: 'warning',
          message: `${source.name} does not push (${one.message}); polling it`,
        },
  );
}

async function lookAt(source: PostSource, options: DoctorOptions): Promise<SourceLook> {
  const seen: SourceLook = { source, posts: [], failure: null, skipped: null, creditUsd: null, pageUsd: 0 };
  const beforeUsd = source.spend()?.dayUsd ?? 0;
  try {
    const page = await withLimit(options, (signal) => source.fetchLatest(null, signal));
    seen.posts = page.posts;
    seen.pageUsd = (source.spend()?.dayUsd ?? 0) - beforeUsd;
    seen.skipped = page.skipped[0]?.reason ?? page.problem;
    seen.failure = findPageFailure(source, page, options);
  } catch (error) {
    seen.failure = error;
  }
  try {
    if (source.fetchCredit)
      seen.creditUsd = await withLimit(options, (signal) => source.fetchCredit!(signal));
  } catch {
    // Some credentials cannot query the remaining credit; the essential check has already run.
  }
  return seen;
}

/** Why a page is useless: it is too old, or none of its posts can be read. */
function findPageFailure(source: PostSource, page: PostPage, options: DoctorOptions): SourceError | null {
  const { posts, skipped, asofTs = null } = page;
  if (posts.length === 0 && skipped.length > 0)
    return new ShapeError(`none of ${skipped.length} posts can be read: ${skipped[0]!.reason}`);
  if (asofTs === null || options.clock.now() - asofTs <= source.staleAfterMs) return null;
  return new SourceError(`its list is stale: it last synced ${ago(asofTs, options)}`, {
    isRetryable: true,
  });
}

function describeLeader(
  look: Look,
  live: readonly SourceLook[],
  leader: SourceLook,
  options: DoctorOptions,
): Finding {
  const { source, posts } = leader;
  const newest = ago(posts.at(-1)!.createdTs, options);
  const words = [
    `${source.name} leads: ${posts.length} posts read, the newest ${newest}`,
    describeLag(source),
  ];
  if (!source.knows.replies) words.push('it cannot identify replies, so counts have bounds');
  const cost = estimateCost(leader, live);
  if (cost !== null) words.push(describeCost(source, cost));
  const isFirst = leader === live[0];
  const base = finding(look, isFirst ? 'ok' : 'warning', words.join('; '));
  return cost === null ? base : { ...base, costUsdPerMonth: cost.monthUsd };
}

/** Warns up front: once the cap is reached, the next source leads for the rest of the month. */
function describeShortCap(look: Look, leader: SourceLook, live: readonly SourceLook[]): Finding[] {
  const cost = estimateCost(leader, live);
  const capUsd = leader.source.spend()?.capUsd ?? null;
  if (cost === null || capUsd === null || cost.monthUsd + cost.backfillUsd <= capUsd) return [];
  const needed = cost.monthUsd + cost.backfillUsd;
  const setting = `${leader.source.kind.toUpperCase()}_MONTHLY_CAP_USD`;
  const message = `the cap of ${capUsd} USD is below the estimated ${needed} USD for the first month: ${leader.source.name} will stop early`;
  return [
    finding(look, 'warning', message, `Set ${setting} to ${needed} or more, or list a free source first.`),
  ];
}

function describeLag({ lagMs }: PostSource): string {
  return lagMs < 10 * SECOND_MS ? 'within seconds' : `about ${Math.round(lagMs / SECOND_MS)} s late`;
}

interface Cost {
  monthUsd: number;
  backfillUsd: number;
}

function describeCost(source: PostSource, { monthUsd, backfillUsd }: Cost): string {
  const spent = source.spend();
  const cap = spent?.capUsd == null ? '' : `, capped at ${spent.capUsd} USD`;
  return `about ${monthUsd} USD a month at this rate and ${backfillUsd} USD for the first backfill${cap}`;
}

function estimateCost({ source, posts, pageUsd }: SourceLook, live: readonly SourceLook[]): Cost | null {
  const monthUsd = estimateMonthUsd(source.kind, source.periodMs);
  if (source.kind !== 'x') return monthUsd === null ? null : { monthUsd, backfillUsd: 0 };
  const [first, last] = [posts[0], posts.at(-1)];
  if (!first || !last) return null;
  const days = Math.max(0.25, (last.createdTs - first.createdTs) / DAY_MS);
  const postsPerDay = posts.length / days;
  const perPost = Math.max(X_READ_USD, pageUsd / posts.length);
  const isAlone = live.every((one) => one.source === source || one.source.spend() !== null);
  const backfillPosts = isAlone ? PAID_BACKFILL_POSTS : postsPerDay * PAID_BACKFILL_DAYS;
  return {
    monthUsd: Math.ceil(postsPerDay * 30 * (perPost + BARE_READS_PER_POST * X_READ_USD)),
    backfillUsd: Math.ceil(backfillPosts * perPost),
  };
}

/** Failures, refusals and remaining credit of one source. describeLeader covers the leader. */
function describeRest(
  look: Look,
  entry: AccountSources,
  { source, posts, failure, skipped, creditUsd }: SourceLook,
  leader: SourceLook | null,
  options: DoctorOptions,
): Finding[] {
  const findings: Finding[] = [];
  const settings = settingsOf(entry, source, options);
  if (failure !== null && leader) {
    findings.push(fromError(look, 'warning', failure, `${source.name}: ${errorMessage(failure)}`, settings));
  } else if (failure === null && posts.length === 0 && leader) {
    findings.push(
      finding(
        look,
        'warning',
        `${source.name} responds but ${SHOWS_NO_POST}`,
        `Is ${settings.at(-1)} right?`,
      ),
    );
  }
  if (skipped !== null) findings.push(finding(look, 'warning', `${source.name}: ${skipped}`));
  if (creditUsd !== null && creditUsd < 1)
    findings.push(
      finding(
        look,
        'warning',
        `${source.name}: ${creditUsd} USD of credit left`,
        'Top up the developer account.',
      ),
    );
  return findings;
}

function describeNoLeader(
  look: Look,
  entry: AccountSources,
  live: readonly SourceLook[],
  options: DoctorOptions,
): Finding {
  const base = finding(look, 'problem', describeNone(live), adviseFirst(entry, live, options));
  const isUnreadable = live.some(({ failure }) => failure instanceof ShapeError);
  return isUnreadable ? { ...base, isUnreadable } : base;
}

function describeNone(live: readonly SourceLook[]): string {
  if (live.length === 0) return 'no listed source serves current posts';
  return live
    .map(
      ({ source, failure }) => `${source.name}: ${failure === null ? SHOWS_NO_POST : errorMessage(failure)}`,
    )
    .join('; ');
}

function adviseFirst(
  entry: AccountSources,
  live: readonly SourceLook[],
  options: DoctorOptions,
): string | null {
  const [first] = live;
  if (!first) return `Set ${nameField(entry.account, 'POST_SOURCES', options)}.`;
  const settings = settingsOf(entry, first.source, options);
  return first.failure === null ? `Is ${settings.at(-1)} right?` : adviseOn(first.failure, settings);
}

function settingsOf(entry: AccountSources, { kind }: PostSource, options: DoctorOptions): string[] {
  const name = (field: NamedField) => nameField(entry.account, field, options);
  const settings: Record<PostSource['kind'], string[]> = {
    x: ['X_API_BASE_URL', 'X_BEARER_TOKEN', name('PLATFORM_USER_ID')],
    mastodon: ['MASTODON_BASE_URL', 'MASTODON_PROXY', name('HANDLE'), name('PLATFORM_USER_ID')],
    oracle: ['ORACLE_BASE_URL', name('HANDLE')],
    rss: [name('RSS_URL')],
    rollcall: ['ROLLCALL_BASE_URL'],
  };
  return settings[kind];
}
