// The history file: one post per line with id and time and, if known, whether it is a reply, quote or repost
// and whether it counts. Columns are found by header or by an explicit mapping. Shared by backtest and import.

import { CsvError, type CsvFile, type CsvPlaces, type CsvRow, readCsv } from './csv.ts';

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

export interface HistoryFile extends CsvFile {
  /** Which column each field is read from. */
  columns: string;
}

/** Throws unless there are columns for the id and the time. */
export function readHistoryFile(text: string, mapping: ColumnMapping = {}): HistoryFile {
  let columns = '';
  const file = readCsv(text, (headers) => {
    const places = findColumns(headers, mapping);
    columns = describeColumns(headers, places);
    return places;
  });
  return { ...file, columns };
}

/** Our names, and the file's own in lower case. */
function findColumns(headers: readonly string[], mapping: ColumnMapping): CsvPlaces {
  const places = new Map(headers.map((header, i) => [header.toLowerCase(), i]));
  for (const name of HISTORY_COLUMNS) {
    const place = findColumn(headers, name, mapping[name]);
    if (place >= 0) places.set(name, place);
    else if (name === 'tweet_id' || name === 'created_ts')
      throw new CsvError(1, `no column for ${name}; pass --columns ${name}=HEADER`);
  }
  return places;
}

function findColumn(headers: readonly string[], name: HistoryColumn, given: string | undefined): number {
  const plain = (header: string) => header.toLowerCase().replace(/[\s_-]/g, '');
  if (given === undefined) return headers.findIndex((header) => ALIASES[name].includes(plain(header)));
  const place = headers.findIndex((header) => header.toLowerCase() === given.trim().toLowerCase());
  if (place < 0) throw new CsvError(1, `the header has no column ${JSON.stringify(given)}`);
  return place;
}

function describeColumns(headers: readonly string[], places: CsvPlaces): string {
  const taken = HISTORY_COLUMNS.map((name) => {
    const place = places.get(name);
    if (place !== undefined) return headers[place] === name ? name : `${name} from "${headers[place]}"`;
    return name === 'is_counted' ? 'is_counted derived (all but replies)' : `${name} unknown`;
  });
  return `columns: ${taken.join(', ')}`;
}

export function parseHistoryRow(row: CsvRow, { headers }: CsvFile): HistoryRow {
  if (row.fields.length !== headers.length)
    throw new CsvError(row.line, `expected ${headers.length} fields, found ${row.fields.length}`);
  const flag = (name: HistoryColumn) => {
    const value = parseFlag(row.text(name));
    return value === undefined ? row.fail(name, 'must be 0, 1 or blank') : value;
  };
  const postId = row.text('tweet_id');
  if (!/^[\w.:-]{1,64}$/.test(postId)) row.fail('tweet_id', 'is missing or invalid');
  const isReply = flag('is_reply');
  return {
    postId,
    createdTs:
      parseTime(row.text('created_ts')) ??
      row.fail('created_ts', 'must be UTC milliseconds or an ISO 8601 date'),
    isReply,
    isQuote: flag('is_quote'),
    isRetweet: flag('is_retweet'),
    isCounted: flag('is_counted') ?? isReply !== true,
  };
}

/** Earliest and latest plausible creation times: 2006, when the first posts were made, to 2100. */
const EARLIEST_TS = 1_136_073_600_000;
const LATEST_TS = 4_102_444_800_000;
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

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
