// Declares the agent tools. Each tool exposes one route under a descriptive name.

import type { TSchema } from 'typebox';
import { Type } from '../../contract/schema.ts';
import {
  type Shape,
  shapeChanges,
  shapeCourse,
  shapeHours,
  shapeRecords,
  shapeTrades,
  shapeWhatIf,
} from './short-answers.ts';
import type { SUMMARIES } from './summaries.ts';

export interface ToolDeclaration {
  name: keyof typeof SUMMARIES;
  title: string;
  description: string;
  /** each: an argument selects the account; none: no account. */
  of: 'each' | 'none';
  /** `{event_id}` in the path becomes an argument. */
  path(segment: string): string;
  /** With POST, arguments are sent as the body. */
  method?: 'POST';
  /** Default parameters for the route; the call may override them. */
  defaults?: Readonly<Record<string, string>>;
  /** Whether `offset` returns the omitted rows. */
  isPaged?: boolean;
  /** Arguments in addition to the route's own parameters. */
  takes?: Record<string, TSchema>;
  /** Shortens the result unless `detail` is full. */
  shape?: Shape;
  /** Maximum characters in the result; defaults to the common limit. */
  budgetChars?: number;
}

/** JSON full of numbers takes about one token per three characters, prose one per four. */
export const CHARS_PER_TOKEN = 3;
export const DEFAULT_BUDGET_CHARS = 4_000 * CHARS_PER_TOKEN;

const EVENT = { event_id: Type.Optional(Type.Integer({ description: 'Only this event' })) };
const action = (values: string[]) => ({ action: Type.Optional(Type.Enum(values)) });
const SIGNAL_ACTION = action(['BUY', 'SELL', 'HOLD', 'SKIP']);

export const DECLARATIONS: readonly ToolDeclaration[] = [
  {
    name: 'what_to_trade',
    title: 'What to trade',
    description:
      'Start here. All current trades across accounts, best first: side, limit, stake, gain per USD; if none, the largest disagreement between model and market. `total` counts trades that pass the filters; `offset` gets the rest. Needs PRO. Model estimates, not guaranteed profit; places no orders.',
    of: 'none',
    path: () => '/signals',
    takes: {
      account: Type.Optional(Type.String()),
      ...EVENT,
      side: Type.Optional(Type.Enum(['YES', 'NO'])),
      min_gain: Type.Optional(Type.Number({ description: 'Minimum expected gain per USD, such as 0.1' })),
      offset: Type.Optional(Type.Integer({ minimum: 0 })),
    },
    defaults: { limit: '100' },
    isPaged: true,
    shape: shapeTrades,
    budgetChars: 1_000 * CHARS_PER_TOKEN,
  },
  {
    name: 'what_changed',
    title: 'What changed',
    description:
      'What happened since a time, newest first: posts, advice given and ended, price jumps, counts that disagreed, settlements; and the last advice with its outcome. `since` takes a time or a span such as 2h.',
    of: 'none',
    path: () => '/activity',
    shape: shapeChanges,
  },
  {
    name: 'get_counters',
    title: 'Counters',
    description:
      "Counts for an account's active events by the settlement oracle, by us (faster) and on the market page, and how they differ.",
    of: 'each',
    path: (segment) => `/meta/${segment}`,
    takes: EVENT,
    shape: shapeRecords({ without: ['image', 'feeds'] }),
  },
  {
    name: 'get_posts',
    title: 'Posts',
    description: 'Recent posts, newest first. Without PRO: the latest 15, is_counted null.',
    of: 'each',
    path: (segment) => `/meta/${segment}/tweets`,
  },
  {
    name: 'get_hourly',
    title: 'Posts by hour and day',
    description: 'Counted and total posts per day for each active event, and per hour for its last 24 hours.',
    of: 'each',
    path: (segment) => `/meta/${segment}/hourly`,
    shape: shapeHours,
  },
  {
    name: 'get_forecast',
    title: 'Forecast',
    description:
      'Final-count forecasts for active events: percentiles, and model, market and edge per bucket. Without PRO: counters and prices.',
    of: 'each',
    path: (segment) => `/prediction/${segment}`,
    takes: EVENT,
    shape: shapeRecords({ without: ['feeds', 'internal_delta', 'display_delta'], rows: 'markets' }),
  },
  {
    name: 'get_signals',
    title: 'Signals',
    description:
      "Signals for an account's buckets, best edge first, with stake and reasons; SKIP only on request. Needs PRO.",
    of: 'each',
    path: (segment) => `/signals/${segment}`,
    takes: { ...EVENT, ...SIGNAL_ACTION },
    shape: shapeRecords({
      without: ['feeds'],
      rows: 'signals',
      withoutInRow: ['bankroll', 'asymmetry_edge', 'moneyness', 'reasons', 'token_id', 'advice'],
    }),
  },
  {
    name: 'get_ladder',
    title: 'Price ladder',
    description:
      'Buckets with book, cost, edge and target size; unlikely buckets only on request. Needs PRO.',
    of: 'each',
    path: (segment) => `/signals/${segment}/ladder`,
    takes: SIGNAL_ACTION,
    shape: shapeRecords({
      without: ['feeds'],
      rows: 'rows',
      withoutInRow: ['low', 'high', 'edge_percent', 'reasons', 'token_id', 'advice'],
    }),
  },
  {
    name: 'what_if',
    title: 'What if',
    description:
      'Forecast and advice for an event under an assumption: a posting pace, a silence, or extra posts now. Needs PRO.',
    of: 'each',
    method: 'POST',
    path: (segment) => `/what-if/${segment}`,
    shape: shapeWhatIf,
  },
  {
    name: 'get_past_events',
    title: 'Past events',
    description: "An account's events with their results, latest end first.",
    of: 'each',
    path: (segment) => `/history/${segment}/events`,
    defaults: { limit: '20' },
    shape: shapeRecords({ without: ['image', 'feeds', 'buckets'] }),
  },
  {
    name: 'get_event_history',
    title: 'Event history',
    description:
      'Counts and prices of one event over its window, thinned out; with PRO also forecasts and signals with results.',
    of: 'each',
    path: (segment) => `/history/${segment}/{event_id}`,
    takes: { event_id: Type.Integer() },
    defaults: { step: 'hour', limit: '300' },
    shape: shapeCourse,
  },
  {
    name: 'get_portfolio',
    title: 'Portfolio',
    description: "A wallet's positions in an account's active events, valued by the model. Needs PRO.",
    of: 'each',
    path: (segment) => `/portfolio/${segment}`,
    takes: { ...EVENT, ...action(['ADD_MORE', 'TRIM', 'HOLD']) },
    shape: shapeRecords({ without: ['feeds'], rows: 'positions', withoutInRow: ['token_id', 'event_id'] }),
  },
  {
    name: 'get_performance',
    title: 'Model performance',
    description: 'Forecast error 24, 48 and 72 hours before the end, and the win rate of BUY signals.',
    of: 'none',
    path: () => '/performance/overview',
  },
  {
    name: 'get_paper_ledger',
    title: 'Paper ledger',
    description: 'Paper trades on past BUY signals and their results; trades on open events need PRO.',
    of: 'none',
    path: () => '/performance/ledger',
  },
  {
    name: 'get_alerts',
    title: 'Alerts',
    description: "Your key's recent alerts, newest first. Needs PRO.",
    of: 'none',
    path: () => '/notices',
  },
  {
    name: 'get_alert_rules',
    title: 'Alert rules',
    description: "Your key's alert rules. Needs PRO.",
    of: 'none',
    path: () => '/rules',
  },
  {
    name: 'get_health',
    title: 'Health',
    description: 'Service health and the age of each feed.',
    of: 'none',
    path: () => '/health',
  },
];
