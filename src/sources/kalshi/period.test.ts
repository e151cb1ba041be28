// Tickers, closing times and the words of the rules are as public repositories recorded them: KXTRUTHSOCIAL
// 26FEB28, 26AUG29 and 26OCT17, KXTRUTHSOCIALD 26OCT16. The early close is assumed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findPeriod } from './parse.ts';
import { readEventPage } from './wire.ts';

const says = (from: string, to: string) =>
  `The observation period begins at 12:00 AM ET on ${from} and ends at 11:59 PM ET on ${to}.`;
const WEEK = says('Oct 11, 2026', 'Oct 17, 2026');

function read(ticker: string, closeTime: string, rules: (string | undefined)[], frequency = 'weekly') {
  const markets = rules.map((rules_secondary, i) => ({
    ...{ ticker: `${ticker}-B${i}`, status: 'active' },
    event_ticker: ticker,
    close_time: closeTime,
    rules_secondary,
  }));
  const page = { events: [{ event_ticker: ticker, series_ticker: 'KX', markets }], cursor: '' };
  const found = findPeriod(readEventPage(page).events[0]!, frequency, 'America/New_York');
  return 'reason' in found
    ? found.reason
    : [found.startTs, found.endTs].map((ts) => new Date(ts).toISOString().slice(0, 16)).join(' ');
}

describe('the period of a Kalshi contract', () => {
  const cases: [why: string, found: string, expected: string][] = [
    [
      'is stated in the rules of a week that trades until 09:59 of the next day',
      read('KXTRUTHSOCIAL-26OCT17', '2026-10-18T13:59:00Z', [WEEK, WEEK]),
      '2026-10-11T04:00 2026-10-18T04:00',
    ],
    [
      'is the week up to the date in the ticker where no bracket states it (standard time)',
      read('KXTRUTHSOCIAL-26FEB28', '2026-03-01T14:59:00Z', [undefined, undefined]),
      '2026-02-22T05:00 2026-03-01T05:00',
    ],
    [
      'is the week up to the date in the ticker where no bracket states it (daylight time)',
      read('KXTRUTHSOCIAL-26AUG29', '2026-08-30T13:59:00Z', ['']),
      '2026-08-23T04:00 2026-08-30T04:00',
    ],
    [
      'of a day ends with its last minute of trading',
      read('KXTRUTHSOCIALD-26OCT16', '2026-10-17T03:59:00Z', [says('Oct 16, 2026', 'Oct 16, 2026')], 'daily'),
      '2026-10-16T04:00 2026-10-17T04:00',
    ],
    [
      'has 169 hours when clocks change',
      read('KXTRUTHSOCIAL-26NOV07', '2026-11-08T14:59:00Z', [says('Nov 1, 2026', 'Nov 7, 2026')]),
      '2026-11-01T04:00 2026-11-08T05:00',
    ],
    [
      'stays the same if trading ends early',
      read('KXTRUTHSOCIAL-26OCT17', '2026-10-14T20:00:00Z', [WEEK]),
      '2026-10-11T04:00 2026-10-18T04:00',
    ],
    [
      'is unknown if trading ends early and the rules do not state it',
      read('KXTRUTHSOCIAL-26OCT17', '2026-10-14T20:00:00Z', ['']),
      'its window is unknown for a weekly series',
    ],
    [
      'is unknown if the brackets disagree',
      read('KXTRUTHSOCIAL-26OCT17', '2026-10-18T13:59:00Z', [WEEK, says('Oct 10, 2026', 'Oct 17, 2026')]),
      'its brackets state different periods',
    ],
  ];
  for (const [why, found, expected] of cases) it(why, () => assert.equal(found, expected));
});
