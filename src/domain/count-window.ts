// Resolves one count window from several sources: rules, title, slug, the oracle's tracking, the listed end.
// No single machine-written field is trusted alone; differences are reported.

import { parseWindowSlug, parseWindowText } from './count-window-text.ts';
import type { CountWindow } from './market-event.ts';

export interface WindowEvidence {
  rules: string;
  title: string;
  slug: string;
  /** End listed by the market; null if absent. */
  listedEndTs: number | null;
  trackingWindow: CountWindow | null;
  timeZone: string;
}

export interface WindowResolution {
  window: CountWindow | null;
  /** Differences between sources; empty if all agree. */
  conflicts: string[];
}

interface Statement {
  by: string;
  window: CountWindow;
}

/** Oracle end times are up to a minute early; a difference above two minutes means a different window. */
const WINDOW_TOLERANCE_MS = 120_000;

export function resolveWindow(evidence: WindowEvidence): WindowResolution {
  const statements = collectStatements(evidence);
  const chosen = chooseStatement(statements, evidence.listedEndTs);
  if (!chosen) return { window: null, conflicts: statements.map(describe) };
  const conflicts = statements.filter((other) => !isSameWindow(other.window, chosen.window)).map(describe);
  const { listedEndTs } = evidence;
  if (listedEndTs !== null && !isNear(listedEndTs, chosen.window.endTs)) {
    conflicts.push(`the listing ends at ${toIso(listedEndTs)}`);
  }
  return { window: chosen.window, conflicts };
}

/** In order of authority; the rules come first because the market settles by them. */
function collectStatements(evidence: WindowEvidence): Statement[] {
  const nearEndTs = evidence.listedEndTs ?? evidence.trackingWindow?.endTs ?? null;
  const options = { timeZone: evidence.timeZone, nearEndTs };
  const found: [string, CountWindow | null][] = [
    ['the rules', parseWindowText(evidence.rules, options)],
    ['the title', parseWindowText(evidence.title, options)],
    ['the slug', parseWindowSlug(evidence.slug, options)],
    ['the oracle', evidence.trackingWindow],
  ];
  return found.flatMap(([by, window]) => (window ? [{ by, window }] : []));
}

/** The most agreement wins; authority breaks ties. The oracle alone must be confirmed by the listed end. */
function chooseStatement(statements: readonly Statement[], listedEndTs: number | null): Statement | null {
  const votesFor = (candidate: Statement) =>
    statements.filter((other) => isSameWindow(other.window, candidate.window)).length +
    (listedEndTs !== null && isNear(listedEndTs, candidate.window.endTs) ? 1 : 0);
  let best: Statement | null = null;
  for (const statement of statements) {
    if (!best || votesFor(statement) > votesFor(best)) best = statement;
  }
  return best && best.by === 'the oracle' && votesFor(best) < 2 ? null : best;
}

export function isSameWindow(left: CountWindow, right: CountWindow): boolean {
  return isNear(left.startTs, right.startTs) && isNear(left.endTs, right.endTs);
}

function isNear(leftTs: number, rightTs: number): boolean {
  return Math.abs(leftTs - rightTs) <= WINDOW_TOLERANCE_MS;
}

function describe(statement: Statement): string {
  return `${statement.by}: ${toIso(statement.window.startTs)} to ${toIso(statement.window.endTs)}`;
}

function toIso(ts: number): string {
  return new Date(ts).toISOString();
}
