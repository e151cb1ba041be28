import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOW_TS, scriptHttp } from '../../../test/support/scripted-sources.ts';
import { silentLogger } from '../../runtime/logger.ts';
import { createRandom } from '../../runtime/random.ts';
import { presentHealth } from '../../server/endpoints/health.ts';
import { createCryptoSource } from '../../sources/crypto/client.ts';
import { createBoard } from '../../state/board.ts';
import { createCryptoFeed } from './crypto-feed.ts';

function listed(id: number, fields: object = {}, market: object = {}): object {
  return {
    ...{ id: String(id), title: `Bitcoin Up or Down ${id}`, slug: `btc-updown-15m-${NOW_TS / 1000}` },
    ...{ endDate: new Date(NOW_TS + 900_000).toISOString(), seriesSlug: 'btc-up-or-down-15m' },
    markets: [{ conditionId: '0x1', clobTokenIds: '["1", "2"]', outcomes: '["Up", "Down"]', ...market }],
    ...fields,
  };
}

/** Waits until the markets are listed, then returns the health notes and the markets. */
async function read(series: readonly string[], events: (url: URL) => unknown) {
  const { http, clock } = scriptHttp({ '/events/keyset': events, '/series': [] });
  const board = createBoard();
  const common = { clock, random: createRandom(1) };
  const feed = createCryptoFeed({
    ...{ ...common, logger: silentLogger, timeScale: 1, board, initialVersion: 0 },
    source: createCryptoSource({ clock, gamma: http, seriesSlugs: series }),
  });
  feed.start();
  for (let i = 0; i < 10 && !board.findCrypto()?.feed.updatedTs; i++) await clock.advanceAsync(100);
  await feed.stop();
  const store = { isWritable: true, problem: null };
  const build = { version: '', commit: '' };
  const crypto = board.findCrypto();
  const { notes } = presentHealth([], () => undefined, store, build, clock.now(), crypto).body;
  return { notes: notes.join('\n'), markets: crypto?.markets ?? [] };
}

describe('partly unreadable crypto markets', () => {
  it('of an unknown protocol version are shown without tokens and noted in health', async () => {
    const { notes, markets } = await read(['btc-up-or-down-15m'], () => ({
      events: [listed(1, {}, { version: 'v3' }), listed(2)],
    }));
    assert.deepEqual(
      markets.map(({ tokens }) => tokens.length),
      [0, 2],
    );
    assert.match(notes, /'Bitcoin Up or Down 1' states 'v3': it is shown without tokens/);
  });

  it('are reported, whether one event lacks a title or a whole series is unreadable', async () => {
    const { notes, markets } = await read(['btc-up-or-down-15m', 'eth'], (url) =>
      url.searchParams.get('series_slug') === 'eth'
        ? new Response('<html>', { headers: { 'content-type': 'text/html' } })
        : { events: [listed(1), listed(2, { title: '' })] },
    );
    assert.equal(markets.length, 1);
    assert.match(notes, /1 listed event\(s\) of btc-up-or-down-15m have no id, title or slug \(and 1 more\)/);
  });

  it('add no health note when everything is readable', async () => {
    const { notes } = await read(['btc-up-or-down-15m'], () => ({ events: [listed(1)] }));
    assert.doesNotMatch(notes, /shown without|and 1 more/);
  });
});
