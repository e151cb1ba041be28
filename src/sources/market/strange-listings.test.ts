// Listings not yet seen in production: reported if they matter, and never at the expense of other events.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bucket, event, open, page, SERIES } from '../../../test/support/listed-events.ts';
import { ACCOUNT, never } from '../../../test/support/scripted-sources.ts';
import { parseMarketEvent } from './parse.ts';
import { readListedEvent } from './wire.ts';

describe('unusual listings', () => {
  it('are fetched by series name if the market lists no series', async () => {
    const { source, asked } = open({ '/events/keyset': page(event()) });
    assert.equal((await source.fetchEvents([], never())).events.length, 1);
    assert.equal(asked[1]!.url.searchParams.get('series_slug'), 'somebody-48h');
  });

  it('are reported only if they look relevant but cannot be used', async () => {
    const { source } = open({
      '/series': SERIES,
      '/events/keyset': page(
        event({ id: '2', slug: 'somebody-of-tweets-august-15-august-17-higher-brackets' }),
        event({ id: '4', title: 'What will Somebody mention in tweets?', slug: 'somebody-tweet-mention' }),
        event({
          id: '5',
          title: 'Gap # tweets August 15 - 17?',
          markets: [bucket('<40', 0), bucket('50+', 1)],
        }),
        event({ id: '6', title: 'How often will Somebody write?', slug: 'how-often-august-15-august-17' }),
        event({ id: '8', title: 'Grok # says?', slug: 'grok', markets: [bucket('Yes', 1)] }),
        event({ id: '9', title: 'New # tweets August 15 - 17?', markets: [] }),
        event({ id: '7' }),
      ),
    });
    const { events, missed, alarms, oddities } = await source.fetchEvents([], never());
    assert.deepEqual([events.length, alarms], [1, []]);
    assert.deepEqual(missed, [
      "'Gap # tweets August 15 - 17?' is not followed: a gap between buckets <40 and 50+",
    ]);
    assert.deepEqual(oddities, ["'How often will Somebody write?' is not followed: not a post-count market"]);
  });

  it('with a complete ladder and an unusable market are kept, and the market is reported', async () => {
    const markets = [
      bucket('<40', 0, { closed: true }),
      bucket('<40', 5),
      bucket('40+', 1),
      bucket('Other', 6),
      { question: 'no condition' },
      null,
    ];
    const { source } = open({ '/series': SERIES, '/events/keyset': page(event({ markets })) });
    const { events, alarms, oddities } = await source.fetchEvents([], never());
    assert.deepEqual(
      events[0]!.buckets.map(({ yesTokenId, isOpen }) => [yesTokenId, isOpen]),
      [
        ['1005', true],
        ['1001', true],
      ],
    );
    assert.deepEqual(alarms, []);
    assert.match(oddities.join(), /2 of its markets cannot be read.*'Other' is not a range of counts/);
  });

  it('have no price for an empty side, and no last price without a trade', async () => {
    const markets = [bucket('<40', 0, { bestBid: 0, bestAsk: 1, lastTradePrice: 0 }), bucket('40+', 1)];
    const { source } = open({ '/series': SERIES, '/events/keyset': page(event({ markets })) });
    const [quote] = (await source.fetchEvents([], never())).quotes;
    assert.deepEqual([quote!.bid, quote!.ask, quote!.lastTradePrice], [null, null, null]);
  });

  it('are not open if paused, archived or without a book', () => {
    const isOpen = (fields: object) => {
      const markets = [bucket('<40', 0, fields), bucket('40+', 1)];
      const parsed = parseMarketEvent(readListedEvent(event({ markets }))!, ACCOUNT, []);
      assert.ok('event' in parsed);
      return parsed.event.buckets[0]!.isOpen;
    };
    for (const closing of [
      { acceptingOrders: false },
      { enableOrderBook: false },
      { archived: true },
      { active: false },
      { closed: true },
      { closed: 'true' },
      { acceptingOrders: 0 },
    ])
      assert.equal(isOpen(closing), false, JSON.stringify(closing));
    assert.equal(isOpen({ acceptingOrders: null, active: undefined, archived: null }), true);
  });

  it('raise an alarm for ids of an unknown form, but not for ids not minted yet', async () => {
    const alarmsFor = async (fields: object) => {
      const markets = [bucket('<40', 0, fields), bucket('40+', 1)];
      const { source } = open({ '/series': SERIES, '/events/keyset': page(event({ markets })) });
      return (await source.fetchEvents([], never())).alarms.length;
    };
    assert.equal(await alarmsFor({ version: 'v2', positionIds: ['0x8', '0x9'] }), 1);
    assert.equal(await alarmsFor({ version: 'v2', positionIds: [1e77, 2e77] }), 1);
    assert.equal(await alarmsFor({ version: 'v2', positionIds: { yes: '8' } }), 1);
    for (const given of [['8', '9'], [1e77, 2e77], { yes: '8' }, 'garbled'])
      assert.equal(await alarmsFor({ version: null, positionIds: given }), 1, JSON.stringify(given));
    for (const none of [null, [], '', '[]', undefined])
      assert.equal(await alarmsFor({ version: 'v2', positionIds: none }), 0, JSON.stringify(none));
  });
});
