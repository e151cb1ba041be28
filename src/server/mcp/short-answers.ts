// Shortens results for agents: applies filters and drops fields that agents rarely read. `detail: "full"`
// returns the route's records unchanged.

export type Json = Record<string, unknown>;

export interface Asked {
  account?: string;
  side?: string;
  min_gain?: number;
  offset?: number;
  event_id?: number;
  action?: string;
  detail?: string;
}

/** Returns the remaining rows and how many were omitted. */
export type Shape = (body: Json, asked: Asked) => { body: Json; leftOut: number };

export interface RecordShape {
  without: readonly string[];
  /** Name of the list within each record. */
  rows?: string;
  withoutInRow?: readonly string[];
}

/** Buckets below this probability are too unlikely to list. */
const MIN_PROBABILITY = 0.01;
const RECENT_HOURS = 24;

export function shapeRecords({ without, rows, withoutInRow = [] }: RecordShape): Shape {
  return (body, { event_id, action, detail }) => {
    const isShort = detail !== 'full';
    const kept = listOf(body.data).filter((record) => event_id === undefined || eventOf(record) === event_id);
    let leftOut = 0;
    const data = kept.map((record) => {
      const reported = isShort ? shorten(record, without) : record;
      if (rows === undefined || !Array.isArray(record[rows])) return reported;
      const all = listOf(record[rows]);
      const chosen = all.filter((row) =>
        action === undefined ? !isShort || isWorthALine(row) : actionOf(row) === action,
      );
      if (action === undefined) leftOut += all.length - chosen.length;
      return { ...reported, [rows]: isShort ? chosen.map((row) => shortenRow(row, withoutInRow)) : chosen };
    });
    return { body: { ...body, data }, leftOut };
  };
}

/** Reduces advice to its sentence: order, price and reason. */
function shortenRow(row: Json, without: readonly string[]): Json {
  const sentence = isAdvised(row) ? { advice: (row.advice as Json).sentence } : {};
  return { ...omit(row, without), ...sentence };
}

/** Includes advice to buy No, which `action` does not show. */
function isAdvised({ advice }: Json): boolean {
  const verdict = (advice as Json | null | undefined)?.verdict;
  return verdict !== undefined && verdict !== 'NOTHING';
}

/** Replaces all feeds with a list of the stale and incomplete ones. */
function shorten(record: Json, without: readonly string[]): Json {
  const stale = staleFeeds(record.feeds);
  return { ...omit(record, without), ...(stale.length > 0 && { stale_feeds: stale }) };
}

export const shapeHours: Shape = (body, { detail }) => {
  if (detail === 'full') return { body, leftOut: 0 };
  let leftOut = 0;
  const data = listOf(body.data).map((record) => {
    const hours = listOf(record.hours);
    leftOut += Math.max(0, hours.length - RECENT_HOURS);
    return { ...record, hours: hours.slice(-RECENT_HOURS) };
  });
  return { body: { ...body, data }, leftOut };
};

const TRADE_WITHOUT = [
  ...['feeds', 'reasons', 'market_url', 'model_prob', 'belief_prob', 'cost_per_share', 'fillable_usd'],
  ...['settlement_source', 'market_price', 'expected_gain'],
];

export const shapeTrades: Shape = (body, asked) => {
  const trades = listOf(body.data).filter((trade) => isWanted(trade, asked));
  return {
    body: {
      ...body,
      total: trades.length,
      data: trades.slice(asked.offset ?? 0).map((trade) => omit(trade, TRADE_WITHOUT)),
      blind: listOf(body.blind).map(shortenBlind),
      // Only answers "what is closest?" if nothing is advised.
      nearest: trades.length > 0 ? null : shortenBucket(body.nearest),
      disagreement: trades.length > 0 ? null : shortenBucket(body.disagreement),
    },
    leftOut: 0,
  };
};

function shortenBucket(bucket: unknown): Json | null {
  return bucket === null || bucket === undefined ? null : omit(bucket as Json, BUCKET_WITHOUT);
}

const BUCKET_WITHOUT = ['market_url', 'model_prob', 'settlement_source'];

export const shapeChanges: Shape = (body, { detail }) => {
  if (detail === 'full') return { body, leftOut: 0 };
  const data = listOf(body.data).map((item) => omit(item, ['id']));
  const last_advice = listOf(body.last_advice).map((advice) => omit(advice, []));
  return { body: { ...body, data, last_advice }, leftOut: 0 };
};

/** Reports which event has no advice and why; all bucket labels would make the result too long. */
function shortenBlind(row: Json): Json {
  const labels = (row.buckets ?? []) as string[];
  const buckets = `${labels.length} from ${labels[0]} to ${labels.at(-1)}`;
  return { ...omit(row, ['settlement_source']), buckets };
}

function isWanted(trade: Json, { account, event_id, side, min_gain }: Asked): boolean {
  return (
    (account === undefined || trade.account === account) &&
    (event_id === undefined || trade.event_id === event_id) &&
    (side === undefined || trade.verdict === `BUY_${side}`) &&
    (min_gain === undefined || Number(trade.gain_per_usd) >= min_gain)
  );
}

function actionOf(row: Json): unknown {
  return row.action ?? (row.sizing as Json | undefined)?.action;
}

/** SKIP rows in signals carry no information; in other lists, likely outcomes are worth showing. */
function isWorthALine(row: Json): boolean {
  if (isAdvised(row)) return true;
  const action = actionOf(row);
  if (action !== undefined && action !== 'SKIP') return true;
  if ('suggested_bet' in row) return false;
  const probability = row.model_prob ?? row.market_price;
  return typeof probability !== 'number' || probability >= MIN_PROBABILITY;
}

function eventOf(record: Json): unknown {
  return record.event_id ?? (record.event as Json | null | undefined)?.id;
}

function staleFeeds(feeds: unknown): string[] {
  const entries = Object.entries((feeds ?? {}) as Record<string, { stale: boolean }>);
  return entries.filter(([, { stale }]) => stale).map(([name]) => name);
}

/** Drops the given fields and all nulls. */
function omit(record: Json, names: readonly string[]): Json {
  return Object.fromEntries(
    Object.entries(record).filter(([name, value]) => value !== null && !names.includes(name)),
  );
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

const MAX_POINTS = 24;
const WHAT_IF_WITHOUT = ['low', 'high', 'edge_percent', 'reasons', 'token_id', 'advice'];

/** Keeps evenly spaced points, including the latest. */
export const shapeCourse: Shape = (body, { detail }) => {
  const data = body.data as Json;
  const points = listOf(data.points);
  if (detail === 'full' || points.length <= MAX_POINTS) return { body, leftOut: 0 };
  const step = (points.length - 1) / (MAX_POINTS - 1);
  const kept = Array.from({ length: MAX_POINTS }, (_, i) => points[Math.round(i * step)]!);
  return { body: { ...body, data: { ...data, points: kept } }, leftOut: points.length - kept.length };
};

/** Reduces each bucket's advice to one sentence. */
export const shapeWhatIf: Shape = (body, { detail }) => {
  const data = body.data as Json;
  const ladder = data.ladder as Json;
  const all = listOf(ladder.rows);
  if (detail === 'full') return { body, leftOut: 0 };
  const rows = all.filter(isWorthALine).map((row) => ({
    ...omit(row, WHAT_IF_WITHOUT),
    advice: (row.advice as Json | undefined)?.sentence,
  }));
  const short = { ...data, ladder: { ...omit(ladder, ['feeds']), rows } };
  return { body: { ...body, data: short }, leftOut: all.length - rows.length };
};

// Fits a result into an agent's context: drops rows from the end of the longest list and reports how many.

interface SizedList {
  rows: unknown[];
  /** Size of each remaining row, including its comma. */
  sizes: number[];
  chars: number;
}

const HOW_TO_GET = 'filter by event_id or action where available, or use detail "full"';
/** Characters reserved for the note about omitted rows and the wrapper. */
const AROUND_CHARS = 300;

/** `leftOut` is the number of rows already omitted. */
export function fitAnswer(body: Json, budgetChars: number, leftOut = 0): Json {
  const fitted = structuredClone(body);
  let excess = JSON.stringify(fitted).length + AROUND_CHARS - budgetChars;
  let dropped = leftOut;
  for (let lists = findLists(fitted); excess > 0 && lists.length > 0; lists = findLists(fitted)) {
    while (excess > 0) {
      const size = dropFromLongest(lists);
      if (size === null) break;
      excess -= size;
      dropped += 1;
    }
  }
  return dropped === 0 ? fitted : { ...fitted, left_out: { rows: dropped, how_to_get: HOW_TO_GET } };
}

function dropFromLongest(lists: readonly SizedList[]): number | null {
  const longest = lists.reduce((best, list) => (list.chars > best.chars ? list : best));
  const size = longest.sizes.pop();
  if (size === undefined) return null;
  longest.rows.pop();
  longest.chars -= size;
  return size;
}

/** Finds the innermost lists, so that rows are dropped before the records that contain them. */
function findLists(value: unknown): SizedList[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(findLists);
  const isList = Array.isArray(value) && value.some((row) => typeof row === 'object' && row !== null);
  return inner.length === 0 && isList ? [measure(value)] : inner;
}

function measure(rows: unknown[]): SizedList {
  const sizes = rows.map((row) => JSON.stringify(row).length + 1);
  return { rows, sizes, chars: sizes.reduce((sum, size) => sum + size, 0) };
}
