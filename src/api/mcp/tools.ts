// The tools that agents see. Each is one route of the interface under a name that says what it is for: its
// parameters, its answer, its tier and its price are the route's own.

import { API_PREFIX, type Route } from '../route.ts';

export type JsonSchema = Record<string, unknown>;

export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { type: 'object' };
  readonly outputSchema: JsonSchema & { type: 'object' };
  /** Segments among which `account` chooses; null where the tool takes none. */
  readonly accounts: readonly string[] | null;
  /** The route's path; null for an account that there is not. */
  findPath(account: string | undefined): string | null;
}

interface ToolDeclaration {
  name: string;
  title: string;
  description: string;
  /** each: an argument chooses the account; some: of those accounts that have it; none: about no account. */
  of: 'each' | 'some' | 'none';
  path(segment: string): string;
}

const DECLARATIONS: readonly ToolDeclaration[] = [
  {
    name: 'get_counters',
    title: 'Counters',
    description:
      "Counts of every active event of an account: the settlement oracle's, the service's own (faster) and the one on the market's page, with the differences between them and the age of each feed. Open to all.",
    of: 'each',
    path: (segment) => `/meta/${segment}`,
  },
  {
    name: 'list_posts',
    title: 'Posts',
    description:
      'Recent posts, newest first, with type flags. Without a PRO key or payment: the latest 15, and is_counted is null.',
    of: 'each',
    path: (segment) => `/meta/${segment}/tweets`,
  },
  {
    name: 'get_hourly',
    title: 'Posts by hour and day',
    description:
      'Counted and all posts per hour and day of the window of each active event, or of one event.',
    of: 'each',
    path: (segment) => `/meta/${segment}/hourly`,
  },
  {
    name: 'get_forecast',
    title: 'Forecast',
    description:
      'Forecast of the final count of every active event: percentiles, and per bucket model probability, market price and edge. Without a PRO key or payment: counters and market prices only.',
    of: 'each',
    path: (segment) => `/prediction/${segment}`,
  },
  {
    name: 'get_signals',
    title: 'Signals',
    description:
      'Trading signals of every open bucket, best edge first, with stakes for a bankroll in USD and the reasons. Needs PRO. Model estimates, not guaranteed profit; nothing is ever ordered.',
    of: 'each',
    path: (segment) => `/signals/${segment}`,
  },
  {
    name: 'get_ladder',
    title: 'Price ladder',
    description:
      'Every bucket of one active event, or of all, with book, cost, edge and target size. Needs PRO.',
    of: 'each',
    path: (segment) => `/signals/${segment}/ladder`,
  },
  {
    name: 'analyse_portfolio',
    title: 'Portfolio',
    description:
      'Open positions of a wallet in active events of an account, valued by the model, with signal and recommendation. Needs PRO.',
    of: 'each',
    path: (segment) => `/portfolio/${segment}`,
  },
  {
    name: 'rebalance',
    title: 'Rebalancing',
    description:
      'Positions of a wallet that need ADD_MORE or TRIM for a bankroll, where the adjustment reaches the threshold. Exists for {accounts}. Needs PRO.',
    of: 'some',
    path: (segment) => `/portfolio/${segment}/rebalancing`,
  },
  {
    name: 'model_performance',
    title: 'Model performance',
    description:
      'Forecast error 24, 48 and 72 hours before the end, and how often BUY signals won. Open to all.',
    of: 'none',
    path: () => '/performance/overview',
  },
  {
    name: 'performance_history',
    title: 'Performance history',
    description:
      'Forecast error of each settled event at one horizon, and when the model changed. Open to all.',
    of: 'none',
    path: () => '/performance/history',
  },
  {
    name: 'get_calibration',
    title: 'Calibration',
    description: 'Whether stated probabilities came true as often as stated, against baselines. Open to all.',
    of: 'none',
    path: () => '/performance/calibration',
  },
  {
    name: 'get_paper_ledger',
    title: 'Paper ledger',
    description:
      'Paper trades of the BUY signals that stood, and what came of them. Open to all; those of open events need PRO.',
    of: 'none',
    path: () => '/performance/ledger',
  },
  {
    name: 'get_crypto_markets',
    title: 'Crypto markets',
    description: 'Metadata and prices of crypto price markets. Open to all.',
    of: 'none',
    path: () => '/meta/crypto',
  },
  {
    name: 'get_health',
    title: 'Health',
    description: 'Whether the service can answer truthfully, and how old each feed is. Open to all.',
    of: 'none',
    path: () => '/health',
  },
];

export function listTools(routes: readonly Route[], segments: readonly string[]): AgentTool[] {
  return DECLARATIONS.flatMap((declaration) => {
    const path = (segment: string) => `${API_PREFIX}${declaration.path(segment)}`;
    const having = segments.filter((segment) => findRoute(routes, path(segment)));
    const route = widestRoute(routes, having.map(path));
    if (!route) return [];
    const accounts = choosesAccount(declaration, having) ? having : null;
    return {
      name: declaration.name,
      title: declaration.title,
      description: describe(declaration, having, segments),
      inputSchema: inputSchema(route, accounts),
      outputSchema: plain(route.document.ok) as AgentTool['outputSchema'],
      accounts,
      findPath(account) {
        if (!accounts) return path(having[0]!);
        return account !== undefined && accounts.includes(account) ? path(account) : null;
      },
    };
  });
}

/** A tool that exists for one account alone needs not be told which. */
function choosesAccount({ of }: ToolDeclaration, having: readonly string[]): boolean {
  return of === 'each' || (of === 'some' && having.length > 1);
}

function describe(
  { of, description }: ToolDeclaration,
  having: readonly string[],
  all: readonly string[],
): string {
  if (of !== 'some') return description;
  const isFirstOnly = having.length === 1 && having[0] === all[0];
  const whose = isFirstOnly ? 'the first account' : having.join(', ');
  return description.replace('{accounts}', whose);
}

function findRoute(routes: readonly Route[], path: string): Route | undefined {
  return routes.find((candidate) => candidate.path === path && candidate.method === 'GET');
}

/** Accounts may differ in what a call takes; the tool takes all of it, and what an account does not know is ignored. */
function widestRoute(routes: readonly Route[], paths: readonly string[]): Route | undefined {
  const found = paths.flatMap((path) => findRoute(routes, path) ?? []);
  const width = ({ query }: Route) => Object.keys(query?.properties ?? {}).length;
  return found.reduce<Route | undefined>(
    (best, route) => (best && width(best) >= width(route) ? best : route),
    undefined,
  );
}

function inputSchema(route: Route, accounts: readonly string[] | null): AgentTool['inputSchema'] {
  const own = (route.query ? plain(route.query) : {}) as { properties?: JsonSchema; required?: string[] };
  const account = accounts && {
    account: { type: 'string', enum: [...accounts], description: 'Which account' },
  };
  const required = [...(accounts ? ['account'] : []), ...(own.required ?? [])];
  return {
    type: 'object',
    properties: { ...account, ...own.properties },
    ...(required.length > 0 && { required }),
  };
}

/** Without the builder's own marks. */
function plain(schema: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema;
}
