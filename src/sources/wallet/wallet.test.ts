import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inTurn, json, never, scriptHttp } from '../../../test/support/scripted-sources.ts';
import { SourceError } from '../../runtime/errors.ts';
import { createWalletSource, parsePositions } from './client.ts';
import { readPositionPage } from './wire.ts';

const WALLET = `0x${'ab'.repeat(20)}`;

function position(tokenId: string, fields: object = {}): object {
  return {
    proxy_wallet: WALLET,
    token_id: tokenId,
    condition_id: `0x02${'AB'.repeat(30)}`,
    current_size: 42,
    avg_price: 0.3,
    entry_cost_usdc: 12.6,
    current_price: 0.4,
    current_value: 16.8,
    status: 'OPEN',
    redeemable: false,
    event_id: '',
    event_slug: 'some-event',
    outcome: 'No',
    outcome_index: 1,
    ...fields,
  };
}

function page(rows: unknown, next: string | null = null): object {
  return { data: rows, pagination: { limit: 100, offset: 0, has_more: next !== null, next_cursor: next } };
}

function read(...rows: unknown[]) {
  return parsePositions(readPositionPage(page(rows)).rows, WALLET).positions;
}

describe('wallet positions', () => {
  it('keep their side, with or without an event id', () => {
    assert.deepEqual(read(position('7')), [
      {
        wallet: WALLET,
        tokenId: '7',
        conditionId: `0x02${'ab'.repeat(30)}00`,
        eventId: null,
        eventSlug: 'some-event',
        side: 'No',
        shares: 42,
        avgPrice: 0.3,
        costUsd: 12.6,
        currentPrice: 0.4,
        currentValueUsd: 16.8,
        isRedeemable: false,
      },
    ]);
    const [named] = read(position('7', { event_id: '90', outcome: '', outcome_index: 0 }));
    assert.deepEqual([named!.eventId, named!.side], [90, 'Yes']);
    assert.equal(read(position('7', { redeemable: undefined, status: 'REDEEMABLE' }))[0]!.isRedeemable, true);
  });

  it('derive a missing price from total cost and value, and accept numbers as text', () => {
    const bare = { avg_price: null, current_price: undefined, current_size: '42', entry_cost_usdc: '21' };
    const [found] = read(position('7', bare));
    assert.deepEqual([found!.shares, found!.avgPrice, found!.currentPrice], [42, 0.5, 0.4]);
  });

  it('exclude empty holdings and other kinds of outcome', () => {
    const none = [{ current_size: 0 }, { outcome: 'Up' }];
    assert.deepEqual(read(...none.map((fields, index) => position(String(index), fields))), []);
  });

  it('without an outcome get their side from the token, or are reported as unreadable', async () => {
    const unnamed = { outcome: '', outcome_index: 999 };
    const rows = [position('7', unnamed), position('8', unnamed), position('9', { outcome: 'Yes' })];
    const { http } = scriptHttp({ '/v2/positions': page(rows) });
    const unread: string[] = [];
    const found = await createWalletSource(http).fetchPositions(
      WALLET,
      never(),
      ({ tokenId, reason }) => unread.push(`${tokenId}: ${reason}`),
      (tokenId) => (tokenId === '7' || tokenId === '9' ? 'No' : null),
    );
    assert.deepEqual(
      found.map(({ tokenId, side }) => [tokenId, side]),
      [['7', 'No']],
    );
    assert.deepEqual(unread, [
      '8: a row has no outcome (outcome_index 999)',
      '9: a row says Yes but its token is the No side',
    ]);
  });

  it('include entry fees in their cost, as a sum or separately', () => {
    const [total] = read(position('7', { entry_fees_usdc: 0.4, total_cost_usdc: 13 }));
    const [sum] = read(position('7', { entry_fees_usdc: '0.4' }));
    assert.deepEqual([total!.costUsd, sum!.costUsd], [13, 13]);
  });

  it('are worth nothing if they lost, and count as held if mergeable', () => {
    const [lost] = read(position('7', { status: 'REDEEMABLE_LOST', redeemable: undefined }));
    assert.deepEqual([lost!.currentValueUsd, lost!.currentPrice, lost!.isRedeemable], [0, 0, true]);
    const [both] = read(position('7', { status: 'MERGEABLE', redeemable: undefined }));
    assert.deepEqual([both!.currentValueUsd, both!.isRedeemable], [16.8, false]);
  });

  it('without a value are unreadable, not worthless', () => {
    const reasonOf = (fields: object) =>
      readPositionPage(page([position('7', fields)])).unread[0]?.reason ?? '';
    assert.match(reasonOf({ current_price: null, current_value: undefined }), /current_price/);
    assert.match(reasonOf({ current_price: 40 }), /current_price/);
    assert.match(reasonOf({ avg_price: undefined, entry_cost_usdc: '' }), /avg_price/);
    assert.match(reasonOf({ status: 'FROZEN' }), /unknown status 'FROZEN'/);
  });

  it('are read to the last page, including lost ones, each token once', async () => {
    const first = Array.from({ length: 100 }, (_, index) => position(String(index)));
    const { http, asked } = scriptHttp({
      '/v2/positions': inTurn(
        page(first, 'c1'),
        page([position('99'), position('100')]),
        page([position('101', { status: 'REDEEMABLE_LOST' })]),
      ),
    });
    assert.equal((await createWalletSource(http).fetchPositions(WALLET, never())).length, 102);
    assert.deepEqual(
      asked.map(({ url }) => ['user', 'status', 'cursor'].map((name) => url.searchParams.get(name))),
      [
        [WALLET, 'OPEN', null],
        [WALLET, 'OPEN', 'c1'],
        [WALLET, 'REDEEMABLE_LOST', null],
      ],
    );
  });

  it('are empty for an empty wallet', async () => {
    for (const empty of [[], null]) {
      const { http } = scriptHttp({ '/v2/positions': page(empty) });
      assert.deepEqual(await createWalletSource(http).fetchPositions(WALLET, never()), []);
    }
  });

  it('are reported to the listener if unreadable, by token if known', async () => {
    const { http } = scriptHttp({
      '/v2/positions': inTurn(
        page([position('1'), position('2', { current_size: 'many' }), position('x'), null, position('3')]),
        page([]),
      ),
    });
    const unread: (string | null)[] = [];
    const found = await createWalletSource(http).fetchPositions(WALLET, never(), ({ tokenId }) =>
      unread.push(tokenId),
    );
    assert.deepEqual(
      found.map(({ tokenId }) => tokenId),
      ['1', '3'],
    );
    assert.deepEqual(unread, ['2', null, null]);
  });

  it('are complete or fail: refusals, invalid data and repeated cursors end in one clear error', async () => {
    const rows = [position('1')];
    const seconds: Record<string, unknown> = {
      'did not accept the credential': json({ error: 'missing bearer token' }, 401),
      'slow down': json({ error: 'too many' }, 429, { 'retry-after': '5' }),
      HTML: new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      'not a page of positions': [position('2')],
      'no token, condition or size': page([position('2', { current_size: 'many' })]),
      'announces a next page': { data: rows, pagination: { has_more: true, next_cursor: null } },
      'cursor repeats': page(rows, 'c1'),
    };
    for (const [reason, second] of Object.entries(seconds)) {
      const { http } = scriptHttp({ '/v2/positions': inTurn(page(rows, 'c1'), second) });
      await assert.rejects(createWalletSource(http).fetchPositions(WALLET, never()), (error: Error) => {
        assert.ok(error instanceof SourceError, reason);
        assert.match(error.message, new RegExp(reason));
        return true;
      });
    }
  });
});
