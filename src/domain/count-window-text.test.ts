import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { monthWindow, parseWindowSlug, parseWindowText } from './count-window-text.ts';
import type { CountWindow } from './market-event.ts';
import { HOUR_MS } from './units.ts';
import { MARKET_TIME_ZONE, wallToUtcTs } from './zoned-time.ts';

const timeZone = MARKET_TIME_ZONE;
const undated = { timeZone, nearEndTs: null };
const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2026, month)).toLocaleString('en', { month: 'long', timeZone: 'UTC' }),
);

function show(window: CountWindow | null): string | null {
  return window && `${iso(window.startTs)} ${iso(window.endTs)}`;
}

function iso(ts: number): string {
  return new Date(ts).toISOString().slice(0, 16);
}

const TEXTS: [string, string][] = [
  ['Some Name # tweets August 15 - August 17, 2026?', '2026-08-15T16:00 2026-08-17T16:00'],
  ['Some Name # posts March 3 - March 10, 2026?', '2026-03-03T17:00 2026-03-10T16:00'],
  ['Some Name # tweets December 26 - January 2, 2026?', '2025-12-26T17:00 2026-01-02T17:00'],
  ['Some Name # tweets December 26, 2025 - January 2, 2026?', '2025-12-26T17:00 2026-01-02T17:00'],
  ['Some Name # tweets May 23–25, 2026?', '2026-05-23T16:00 2026-05-25T16:00'],
  ['Some Name # tweets in August 2026?', '2026-08-01T04:00 2026-09-01T04:00'],
  ['Some Name # tweets in November 2026?', '2026-11-01T04:00 2026-12-01T05:00'],
  ['between July 18, 12:00 PM ET and July 25, 2025, 12:00 PM ET', '2025-07-18T16:00 2025-07-25T16:00'],
  ['from August 15, 2026, 12:00 PM ET to August 17, 2026, 12:00 PM ET', '2026-08-15T16:00 2026-08-17T16:00'],
  ['from 12:00 PM ET on August 15 to 12:00 PM ET on August 17, 2026', '2026-08-15T16:00 2026-08-17T16:00'],
  ['from noon ET on August 15th to noon ET on August 17th, 2026', '2026-08-15T16:00 2026-08-17T16:00'],
  [
    'between 75 (inclusive) and 84 (inclusive) times between July 18, 12:00 PM ET and July 25, 2025, 12:00 PM ET',
    '2025-07-18T16:00 2025-07-25T16:00',
  ],
  ['posts during the month of August 2026. The tracker may be checked.', '2026-08-01T04:00 2026-09-01T04:00'],
  ['from August 1, 12:00 AM ET to August 31, 2026, 11:59 PM ET', '2026-08-01T04:00 2026-09-01T04:00'],
];

describe('windows in prose', () => {
  for (const [text, expected] of TEXTS) {
    it(`parses '${text}'`, () => assert.equal(show(parseWindowText(text, undated)), expected));
  }

  it('infers a missing year from the listed end time', () => {
    const nearEndTs = Date.UTC(2026, 0, 16, 17);
    const read = (text: string) => show(parseWindowText(text, { timeZone, nearEndTs }));
    assert.equal(read('# Tweets from Jan 9 to Jan 16?'), '2026-01-09T17:00 2026-01-16T17:00');
    assert.equal(
      read('# Tweets from Dec 30 12:00 PM to Jan 6 11:59 AM?'),
      '2025-12-30T17:00 2026-01-06T17:00',
    );
    assert.equal(read('# tweets January 5 - January 7,?'), '2026-01-05T17:00 2026-01-07T17:00');
    assert.equal(read('# Tweets in December?'), '2025-12-01T05:00 2026-01-01T05:00');
  });

  it('returns nothing for text without a window', () => {
    for (const text of [
      '',
      'How many posts?',
      'It may be 5 or 6',
      'August',
      '# tweets May 40 - May 42, 2026?',
      'January 9 - January 16',
    ]) {
      assert.equal(parseWindowText(text, undated), null, text);
    }
  });
});

describe('windows in slugs', () => {
  const nearEndTs = Date.UTC(2026, 4, 25);
  const SLUGS: [string, string][] = [
    ['some-name-of-tweets-may-23-may-25', '2026-05-23T16:00 2026-05-25T16:00'],
    ['some-name-of-tweets-may-23-25', '2026-05-23T16:00 2026-05-25T16:00'],
    ['some-name-of-tweets-may-12-may-19-2026', '2026-05-12T16:00 2026-05-19T16:00'],
    ['some-name-of-tweets-april-11-18-628', '2026-04-11T16:00 2026-04-18T16:00'],
    ['some-name-of-tweets-december-30-january-6', '2025-12-30T17:00 2026-01-06T17:00'],
    ['some-name-of-tweets-may-2026', '2026-05-01T04:00 2026-06-01T04:00'],
    ['some-name-of-tweets-in-september-2026', '2026-09-01T04:00 2026-10-01T04:00'],
  ];
  for (const [slug, expected] of SLUGS) {
    it(`parses '${slug}'`, () =>
      assert.equal(show(parseWindowSlug(slug, { timeZone, nearEndTs })), expected));
  }
});

describe('windows as dates', () => {
  const starts = fc.integer({ min: 0, max: 3_650 }).map((day) => new Date(Date.UTC(2024, 0, 1 + day)));

  it('round-trip through title and slug on any day, even across clock changes', () => {
    fc.assert(
      fc.property(starts, fc.integer({ min: 1, max: 31 }), (start, days) => {
        const end = new Date(start.getTime() + days * 86_400_000);
        const expected = { startTs: noonOf(start), endTs: noonOf(end) };
        const span = `${nameOf(start)} - ${nameOf(end)}`;
        assert.deepEqual(parseWindowText(`X # tweets ${span}, ${end.getUTCFullYear()}?`, undated), expected);
        const slug = `x-of-tweets-${span.toLowerCase().replace(/[ -]+/g, '-')}`;
        assert.deepEqual(parseWindowSlug(slug, { timeZone, nearEndTs: expected.endTs }), expected);
        const hours = (expected.endTs - expected.startTs) / HOUR_MS - days * 24;
        assert.ok([-1, 0, 1].includes(hours), `${hours} h off`);
      }),
    );
  });

  it('cover consecutive months without gaps or overlaps', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2024, max: 2035 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
        const next =
          month === 12 ? monthWindow(year + 1, 1, timeZone) : monthWindow(year, month + 1, timeZone);
        assert.equal(monthWindow(year, month, timeZone).endTs, next.startTs);
        const text = `# tweets in ${MONTHS[month - 1]} ${year}?`;
        assert.deepEqual(parseWindowText(text, undated), monthWindow(year, month, timeZone));
      }),
    );
  });
});

function noonOf(day: Date): number {
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()];
  return wallToUtcTs({ year, month, day: date, hour: 12 }, timeZone);
}

function nameOf(day: Date): string {
  return `${MONTHS[day.getUTCMonth()]} ${day.getUTCDate()}`;
}
