// The history file: one post per line with id and time and, if known, whether it is a reply, quote or repost
// and whether it counts. Columns are found by header or by an explicit mapping. Pure line parsing, shared by
// backtest and import.

export const HISTORY_COLUMNS = [
  'tweet_id',
  'created_ts',
  'is_reply',
  'is_quote',
  'is_retweet',
  'is_counted',
] as const;
export type HistoryColumn = (typeof HISTORY_COLUMNS)[number];

/** Headers used by other tools, in lower case, without spaces, hyphens or underscores. */
const ALIASES: Readonly<Record<HistoryColumn, readonly string[]>> = {
  tweet_id: ['tweetid', 'id', 'postid', 'statusid', 'idstr'],
  created_ts: [
    ...['createdts', 'createdat', 'created', 'timestamp', 'datetime', 'date', 'time'],
    ...['postedat', 'publishedat'],
  ],
  is_reply: ['isreply', 'reply'],
  is_quote: ['isquote', 'quote', 'isquotestatus'],
  is_retweet: ['isretweet', 'retweet', 'isrt', 'isrepost', 'repost', 'isreblog', 'reblog'],
  is_counted: ['iscounted', 'counted', 'counts'],
};

/** Maps fields to column positions. */
export interface HistoryLayout {
  delimiter: ',' | ';' | '\t';
  width: number;
  headers: readonly string[];
  at: Readonly<Partial<Record<HistoryColumn, number>>>;
}

/** Our column -> the file's header. */
export type ColumnMapping = Readonly<Partial<Record<HistoryColumn, string>>>;

export interface HistoryRow {
  postId: string;
  createdTs: number;
  /** null if blank in the file. */
  isReply: boolean | null;
  isQuote: boolean | null;
  isRetweet: boolean | null;
  /** From the file; if blank, true unless the post is a reply. */
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

/** Earliest and latest plausible creation times: 2006, when the first posts were made, to 2100. */
const EARLIEST_TS = 1_136_073_600_000;
const LATEST_TS = 4_102_444_800_000;
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

export const STANDARD_LAYOUT: HistoryLayout = {
  delimiter: ',',
  width: HISTORY_COLUMNS.length,
  headers: HISTORY_COLUMNS,
  at: Object.fromEntries(HISTORY_COLUMNS.map((name, i) => [name, i])),
};

/** Locates the columns from the header line; throws unless there is an id and a time. */
export function readHistoryHeader(line: string, mapping: ColumnMapping = {}): HistoryLayout {
  const delimiter = findDelimiter(line);
  const headers = splitLine(line.replace(/^\uFEFF/, ''), delimiter);
  const at = Object.fromEntries(
    HISTORY_COLUMNS.map((name) => [name, findColumn(headers, name, mapping[name])]).filter(
      ([, place]) => place !== undefined,
    ),
  ) as HistoryLayout['at'];
  for (const name of ['tweet_id', 'created_ts'] as const)
    if (at[name] === undefined)
      throw new HistoryLineError(1, `no column for ${name}; pass --columns ${name}=HEADER`);
  return { delimiter, width: headers.length, headers, at };
}

export function findDelimiter(line: string): HistoryLayout['delimiter'] {
  if (line.includes(',')) return ',';
  return line.includes('\t') ? '\t' : line.includes(';') ? ';' : ',';
}

function findColumn(
  headers: readonly string[],
  name: HistoryColumn,
  given: string | undefined,
): number | undefined {
  const plain = (header: string) => header.toLowerCase().replace(/[\s_-]/g, '');
  if (given === undefined) {
    const place = headers.findIndex((header) => ALIASES[name].includes(plain(header)));
    return place < 0 ? undefined : place;
  }
  const place = headers.findIndex((header) => header.toLowerCase() === given.trim().toLowerCase());
  if (place < 0) throw new HistoryLineError(1, `the header has no column ${JSON.stringify(given)}`);
  return place;
}

/** Describes which column each field is read from. */
export function describeLayout({ headers, at }: HistoryLayout): string {
  const taken = HISTORY_COLUMNS.map((name) => {
    const place = at[name];
    if (place !== undefined) return headers[place] === name ? name : `${name} from "${headers[place]}"`;
    return name === 'is_counted' ? 'is_counted derived (all but replies)' : `${name} unknown`;
  });
  return `columns: ${taken.join(', ')}`;
}

/** Parses one data line; throws a HistoryLineError with line and column. */
export function parseHistoryLine(line: string, lineNumber: number, layout = STANDARD_LAYOUT): HistoryRow {
  const fields = splitLine(line, layout.delimiter);
  if (fields.length !== layout.width)
    throw new HistoryLineError(lineNumber, `expected ${layout.width} fields, found ${fields.length}`);
  const read = (name: HistoryColumn) => {
    const place = layout.at[name];
    return place === undefined ? '' : fields[place]!;
  };
  const fail = (name: HistoryColumn, problem: string): never => {
    throw new HistoryLineError(lineNumber, `${name} (column ${layout.at[name]! + 1}) ${problem}`);
  };
  const flag = (name: HistoryColumn) => {
    const value = parseFlag(read(name));
    return value === undefined ? fail(name, 'must be 0, 1 or blank') : value;
  };
  const postId = read('tweet_id');
  if (!/^[\w.:-]{1,64}$/.test(postId)) fail('tweet_id', 'is missing or invalid');
  const isReply = flag('is_reply');
  return {
    postId,
    createdTs:
      parseTime(read('created_ts')) ?? fail('created_ts', 'must be UTC milliseconds or an ISO 8601 date'),
    isReply,
    isQuote: flag('is_quote'),
    isRetweet: flag('is_retweet'),
    isCounted: flag('is_counted') ?? isReply !== true,
  };
}

export function splitLine(line: string, delimiter: string): string[] {
  const text = line.replace(/\r$/, '');
  const fields = text.includes('"') ? splitQuoted(text, delimiter) : text.split(delimiter);
  return fields.map((field) => field.trim());
}

/** A quoted field may contain the delimiter; a doubled quote inside it is a literal quote. */
function splitQuoted(text: string, delimiter: string): string[] {
  const fields = [''];
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === delimiter && !isQuoted) fields.push('');
    else fields[fields.length - 1] += character;
  }
  return fields;
}

/** Times without a zone are UTC. */
function parseTime(text: string): number | null {
  const iso = ISO.exec(text);
  const isZoned = iso?.[1] !== undefined;
  const zoned = text.length === 10 || isZoned ? text : `${text.replace(' ', 'T')}Z`;
  const ts = iso ? Date.parse(zoned.replace(' ', 'T')) : /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return ts >= EARLIEST_TS && ts <= LATEST_TS ? ts : null;
}

function parseFlag(text: string): boolean | null | undefined {
  if (text === '') return null;
  if (text === '1' || /^(true|yes|t|y)$/i.test(text)) return true;
  return text === '0' || /^(false|no|f|n)$/i.test(text) ? false : undefined;
}
