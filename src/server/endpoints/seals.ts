// Seals of the forecast log. Hashes are public at once; an entry's text becomes public when its event
// settles. PRO sees it immediately.

import { envelope, named, objectEnvelope, Ts } from '../../contract/envelope.ts';
import { FaultError, wholeNumberFault } from '../../contract/faults.ts';
import { readCursor, writeCursor } from '../../contract/query-string.ts';
import { Type } from '../../contract/schema.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import { createRecentResults, type RecentResults } from '../../runtime/recent-results.ts';
import { giveWay } from '../../runtime/turns.ts';
import { buildTree, type MerkleTree, type Seal } from '../../sealing/seal.ts';
import { hashEntries, writeHour, writeProof, writeSeal } from '../../sealing/wire.ts';
import type { RouteContext } from '../context.ts';
import { ok } from '../http/answer.ts';
import { ApiError } from '../http/error-responses.ts';
import { type PreparedBody, prepareData, tagOf } from '../http/prepared-body.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';

/** Forecasts become public after this time even if the event never settles. */
const REVEALED_AFTER_MS = 30 * DAY_MS;

/** A sealed hour never changes; only new settlements are added. */
const REUSE_MS = MINUTE_MS;
/** About 2 MB each. */
const MAX_PREPARED = 16;

const Hash = (description: string) => Type.String({ description: `${description}; SHA-256, hex` });

const SEAL = {
  hour_ts: { ...Ts, description: 'Start of the hour, UTC milliseconds' },
  first_seq: Type.Integer({
    description: 'Sequence number of the first entry; numbering continues across hours',
  }),
  size: Type.Integer({ description: 'Number of entries' }),
  root: Hash('Merkle root of the entries (RFC 6962)'),
  previous: Hash('Chain hash of the previous seal; zeros for the first'),
  chain: Hash('Hash of hour, first_seq, size, root and previous'),
};

const SealRecord = named('Seal', Type.Object(SEAL));

const SealsAnswer = envelope('SealsAnswer', SealRecord, {
  newest: Type.Union([SealRecord, Type.Null()], { description: 'null before the first hour is sealed' }),
  next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'null on the last page' }),
});

const EntryText = Type.Union([Type.String(), Type.Null()], {
  description: 'The sealed text; null until the event settles, unless the key is PRO',
});
const Leaf = Hash('Merkle leaf hash of the entry');

const SealedHourAnswer = objectEnvelope(
  'SealedHourAnswer',
  named(
    'SealedHour',
    Type.Object({
      ...SEAL,
      entries: Type.Optional(
        Type.Array(named('SealedEntry', Type.Object({ leaf: Leaf, entry: EntryText })), {
          description: 'In order; absent if seq is given',
        }),
      ),
      proof: Type.Optional(
        Type.Object(
          {
            seq: Type.Integer(),
            leaf: Leaf,
            entry: EntryText,
            path: Type.Array(Type.String(), { description: 'Sibling hashes from leaf to root' }),
          },
          { description: 'Present only if seq is given' },
        ),
      ),
    }),
  ),
);

interface WrittenData<T> {
  text: string;
  tag: string;
  /** The type that the text was written from. */
  renderedFrom?: T;
}

export function sealsRoutes(context: RouteContext): Route[] {
  return [listRoute(context), hourRoute(context)];
}

function listRoute({ store, withDeadline }: RouteContext): Route {
  return defineRoute({
    path: `${API_PREFIX}/performance/seals`,
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 200 })),
      cursor: Type.Optional(
        Type.String({ maxLength: 64, description: 'next_cursor from the previous page' }),
      ),
    }),
    document: {
      operationId: 'listSeals',
      tag: 'Performance',
      summary: 'Seals of the forecast log, oldest first',
      description:
        'One seal for each hour that has entries: their Merkle root, chained to the previous seal.',
      ok: SealsAnswer,
    },
    async handle({ query, nowTs }) {
      const [afterTs = -1] = query.cursor === undefined ? [] : readCursor(query.cursor, 1);
      const [found, newest] = await withDeadline(
        Promise.all([store.seals.list(afterTs, query.limit! + 1), store.seals.findNewest()]),
      );
      const page = found.slice(0, query.limit!);
      const next = found.length > page.length ? writeCursor(page.at(-1)!.hourTs) : null;
      return ok({
        timestamp: nowTs,
        data: page.map(writeSeal),
        newest: newest ? writeSeal(newest) : null,
        next_cursor: next,
      });
    },
  });
}

function hourRoute({ store, withDeadline, wallClock }: RouteContext): Route {
  type HourData = Omit<ReturnType<typeof writeHour>, 'entries'> &
    Partial<ReturnType<typeof writeHour> & ReturnType<typeof writeProof>>;
  const hours = createRecentResults<number, ReturnType<typeof readHashed>>(MAX_PREPARED, REUSE_MS);
  const trees = createRecentResults<number, MerkleTree>(MAX_PREPARED, REUSE_MS);
  const texts = createRecentResults<string, ReturnType<typeof writeText>>(MAX_PREPARED, REUSE_MS);
  const bodies = createRecentResults<string, PreparedBody<{ timestamp: number; data: HourData }>>(
    MAX_PREPARED,
    SECOND_MS,
  );
  return defineRoute({
    path: `${API_PREFIX}/performance/seals/{hour_ts}`,
    access: 'optional',
    query: Type.Object({
      seq: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Return only the proof for this entry',
        }),
      ),
    }),
    document: {
      operationId: 'getSealedHour',
      tag: 'Performance',
      summary: "A sealed hour's entries, or the proof for one entry",
      description:
        'Leaf hashes of all entries, with the text of entries for settled events; PRO sees all texts. `tallycast verify FILE` verifies the response offline.',
      ok: SealedHourAnswer,
      also: [404],
    },
    async handle({ params, query, view, nowTs }) {
      const hourTs = readHour(params.hour_ts!);
      const { seq } = query;
      if (seq !== undefined)
        return ok({ timestamp: nowTs, data: await presentProof(hourTs, seq, view, nowTs) });
      const key = `${hourTs} ${view === 'pro'}`;
      const data = await once(texts, key, () => writeText(hourTs, view, nowTs));
      return bodies.get(key, data, nowTs, () => prepareData(nowTs, data));
    },
  });

  /** A failed read is repeated by the next call. */
  function once<K, V>(results: RecentResults<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
    const reading = results.get(key, null, wallClock.now(), make);
    reading.catch(() => results.drop(key));
    return reading;
  }

  /** Unpacking and hashing an hour takes most of the work, and is the same for every view and proof. */
  async function readHashed(hourTs: number) {
    const hour = await withDeadline(store.seals.findHour(hourTs));
    if (!hour) throw new ApiError(404, 'Not Found');
    await giveWay();
    return { ...hour, leaves: hashEntries(hour.entries) };
  }

  async function writeText(hourTs: number, view: string, nowTs: number): Promise<WrittenData<HourData>> {
    const hour = await once(hours, hourTs, () => readHashed(hourTs));
    const isRevealed = await readRevealed(hour.entries, view, nowTs);
    const revealed = [...new Set(hour.entries.map(eventOf))].filter(isRevealed);
    // Entries never change, so hashing what may change saves hashing half a megabyte.
    const tag = tagOf(JSON.stringify([hour.chain, revealed]));
    await giveWay();
    const data = writeHour(hour, (entry) => isRevealed(eventOf(entry)));
    await giveWay();
    return { text: JSON.stringify(data), tag };
  }

  async function presentProof(hourTs: number, seq: number, view: string, nowTs: number) {
    const hour = await once(hours, hourTs, () => readHashed(hourTs));
    if (!isWithin(hour, seq)) throw new ApiError(404, 'Not Found');
    const entry = hour.entries[seq - hour.firstSeq]!;
    const isRevealed = await readRevealed([entry], view, nowTs);
    await giveWay();
    const tree = trees.get(hourTs, null, wallClock.now(), () => buildTree(hour.leaves));
    return writeProof(hour, seq, () => isRevealed(eventOf(entry)), tree);
  }

  /** Decides for an event whether its entries are public. */
  async function readRevealed(
    entries: readonly string[],
    view: string,
    nowTs: number,
  ): Promise<(eventId: number) => boolean> {
    if (view === 'pro') return () => true;
    const eventIds = [...new Set(entries.map(eventOf))];
    const settlements = await withDeadline(store.settlements.latest(eventIds));
    const shown = new Set(settlements.map(({ eventId }) => eventId));
    const open = eventIds.filter((eventId) => !shown.has(eventId));
    const events = await withDeadline(Promise.all(open.map((eventId) => store.events.find(eventId))));
    for (const event of events) {
      if (event && event.window.endTs + REVEALED_AFTER_MS <= nowTs) shown.add(event.eventId);
    }
    return (eventId) => shown.has(eventId);
  }
}

/** Much faster than parsing; inside a text, the quotes before the colon would be escaped. */
function eventOf(entry: string): number {
  return Number(/"event":(\d+)/.exec(entry)![1]);
}

function isWithin({ firstSeq, size }: Seal, seq: number): boolean {
  return seq >= firstSeq && seq < firstSeq + size;
}

function readHour(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new FaultError([wholeNumberFault(['path', 'hour_ts'])]);
  return Number(text);
}
