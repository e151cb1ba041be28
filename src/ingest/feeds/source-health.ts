// Chooses which of an account's post sources leads: the first healthy one. Pure.

import type { PostSourceStatus } from '../../domain/feed.ts';
import { SECOND_MS } from '../../domain/units.ts';
import type { PostSource } from '../../sources/source.ts';

export interface SourceHealth {
  readonly source: PostSource;
  /** When it was first polled; until it responds, its silence is measured from this time. */
  readonly startedTs: number;
  /** When it last responded; null if never. */
  readonly answeredTs: number | null;
  /** The time its last response refers to, if the response includes it. */
  readonly asofTs: number | null;
  readonly problem: string | null;
  /** Polling is useless until the operator acts. */
  readonly isStopped: boolean;
}

/** A few real seconds of silence are not a failure at any simulator speed. */
const MIN_REAL_SILENCE_MS = 5 * SECOND_MS;

export function openHealth(source: PostSource, nowTs: number): SourceHealth {
  return { source, startedTs: nowTs, answeredTs: null, asofTs: null, problem: null, isStopped: false };
}

/** The time up to which the source has reported posts; null if it has never responded. */
export function heardTs(health: SourceHealth): number | null {
  if (health.answeredTs === null) return null;
  return Math.min(health.answeredTs, health.asofTs ?? Number.POSITIVE_INFINITY);
}

export function staleAfterMs(source: PostSource, timeScale: number): number {
  return timeScale > 1 ? Math.max(source.staleAfterMs, MIN_REAL_SILENCE_MS * timeScale) : source.staleAfterMs;
}

export function isWell(health: SourceHealth, nowTs: number, timeScale: number): boolean {
  if (health.isStopped) return false;
  // A source that has never responded gets time to do so, unless it has already failed.
  if (health.answeredTs === null && health.problem !== null) return false;
  return nowTs - (heardTs(health) ?? health.startedTs) <= staleAfterMs(health.source, timeScale);
}

/** If no source is healthy, returns the one with the latest response; null if none can be polled. */
export function chooseLeader(
  sources: readonly SourceHealth[],
  nowTs: number,
  timeScale: number,
): SourceHealth | null {
  const well = sources.find((health) => isWell(health, nowTs, timeScale));
  if (well) return well;
  const askable = sources.filter(({ isStopped }) => !isStopped);
  return askable.reduce<SourceHealth | null>(
    (best, health) => (best === null || (heardTs(health) ?? 0) > (heardTs(best) ?? 0) ? health : best),
    null,
  );
}

export function describeSources(
  sources: readonly SourceHealth[],
  nowTs: number,
  timeScale: number,
): PostSourceStatus[] {
  const leader = chooseLeader(sources, nowTs, timeScale);
  return sources.map((health) => {
    const { source, problem } = health;
    const spend = source.spend();
    return {
      name: source.name,
      state: stateOf(health, health === leader, isWell(health, nowTs, timeScale)),
      answeredTs: health.answeredTs,
      lagMs: source.lagMs,
      problem,
      ...(spend ? { spend } : {}),
    };
  });
}

function stateOf(health: SourceHealth, isLeader: boolean, isHealthy: boolean): PostSourceStatus['state'] {
  if (health.isStopped) return 'stopped';
  if (!isHealthy) return 'failing';
  return isLeader ? 'leads' : 'repairs';
}

/** A message for the operator; null if the preferred source leads and no action is needed. */
export function describeFallback(statuses: readonly PostSourceStatus[]): string | null {
  const leader = statuses.find(({ state }) => state === 'leads');
  const better = statuses.slice(0, leader ? statuses.indexOf(leader) : statuses.length);
  const failed = better.filter(({ state }) => state === 'failing' || state === 'stopped');
  if (failed.length === 0) return null;
  const reasons = failed.map(({ name, problem }) => `${name}: ${problem ?? 'no response'}`).join('; ');
  const meanwhile = leader
    ? `using ${leader.name} meanwhile, about ${Math.round(leader.lagMs / SECOND_MS)} s late`
    : 'no other post source responds';
  return `${reasons}; ${meanwhile}`;
}
