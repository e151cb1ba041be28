// The history file: tweet_id, created_ts, is_reply, is_quote, is_retweet, is_counted; a blank field is unknown.
// Pure line parsing, shared by the backtest and by the import; a bad line is reported by its number.

export const HISTORY_COLUMNS = ['tweet_id', 'created_ts', 'is_reply', 'is_quote', 'is_retweet', 'is_counted'];

export interface HistoryRow {
  postId: string;
  createdTs: number;
  /** null if the file leaves it blank. */
  isReply: boolean | null;
  isQuote: boolean | null;
  isRetweet: boolean | null;
  /** As given, or derived: a post counts unless it is a reply. */
  isCounted: boolean;
}

export class HistoryLineError extends Error {
  readonly lineNumber: number;

  constructor(lineNumber: number, problem: string) {
    super(`line ${lineNumber}: ${problem}`);
    this.name = 'HistoryLineError';
    this.lineNumber = lineNumber;
  }
}

/** Earliest and latest plausible creation times: 2006 (first posts anywhere) to 2100. */
const EARLIEST_TS = 1_136_073_600_000;
const LATEST_TS = 4_102_444_800_000;

/** Throws unless the first line names the six columns in order. */
export function checkHistoryHeader(line: string): void {
  const names = splitLine(line.replace(/^\uFEFF/, '')).map((name) => name.toLowerCase());
  const isRight =
    names.length === HISTORY_COLUMNS.length && HISTORY_COLUMNS.every((name, i) => names[i] === name);
  if (!isRight) throw new HistoryLineError(1, `expected the header ${HISTORY_COLUMNS.join(',')}`);
}

/** One data line; throws HistoryLineError naming the line. */
export function parseHistoryLine(line: string, lineNumber: number): HistoryRow {
  const fields = splitLine(line);
  if (fields.length !== HISTORY_COLUMNS.length) {
    throw new HistoryLineError(
      lineNumber,
      `expected ${HISTORY_COLUMNS.length} fields, found ${fields.length}`,
    );
  }
  const [postId, created, reply, quote, retweet, counted] = fields as [string, ...string[]];
  if (!/^[\w.:-]{1,64}$/.test(postId)) throw new HistoryLineError(lineNumber, 'tweet_id is missing or odd');
  const isReply = parseFlag(reply!, 'is_reply', lineNumber);
  return {
    postId,
    createdTs: parseCreatedTs(created!, lineNumber),
    isReply,
    isQuote: parseFlag(quote!, 'is_quote', lineNumber),
    isRetweet: parseFlag(retweet!, 'is_retweet', lineNumber),
    isCounted: parseFlag(counted!, 'is_counted', lineNumber) ?? isReply !== true,
  };
}

function splitLine(line: string): string[] {
  return line
    .replace(/\r$/, '')
    .split(',')
    .map((field) => field.trim().replace(/^"(.*)"$/, '$1'));
}

function parseCreatedTs(text: string, lineNumber: number): number {
  const ts = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(ts >= EARLIEST_TS && ts <= LATEST_TS)) {
    throw new HistoryLineError(lineNumber, 'created_ts is not UTC milliseconds');
  }
  return ts;
}

function parseFlag(text: string, column: string, lineNumber: number): boolean | null {
  if (text === '') return null;
  if (text === '1' || /^true$/i.test(text)) return true;
  if (text === '0' || /^false$/i.test(text)) return false;
  throw new HistoryLineError(lineNumber, `${column} is neither 0, 1 nor blank`);
}
