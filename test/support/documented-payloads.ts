// Payloads of every source, as the platforms document them. Where a field's form is only known
// from our simulator (Roll Call, positions), it is assumed.

import { MAIN_FEED_RULE } from '../../src/domain/counting-rule.ts';

export const FEED = [
  {
    description: '<![CDATA[<p>Post</p>]]>',
    pubDate: 'Fri, 24 Apr 2026 05:13:56 +0000',
    'truth:originalUrl': 'https://truthsocial.com/@realDonaldTrump/116457972455781406',
    'truth:originalId': '116457972455781406',
  },
];
const STATUS = {
  id: '116457972455781406',
  created_at: '2026-04-24T05:13:56.000Z',
  account: { id: '107780257626128497', acct: 'realDonaldTrump' },
  content: '<p>Post</p>',
  in_reply_to_id: null,
  in_reply_to_account_id: null,
  reblog: null,
};
export const STATUSES = [
  STATUS,
  { ...STATUS, id: '116457789709036829', created_at: '2026-04-24T04:27:27.000Z', reblog: { id: '1' } },
  {
    ...{ ...STATUS, id: '116457700000000000', created_at: '2026-04-24T04:05:00.000Z' },
    ...{ in_reply_to_id: '116457600000000000', in_reply_to_account_id: '107780257626128497' },
  },
];
const pushed = (event_type: string, payload: object) => ({
  data: { event_uuid: '77', filter: { user_id: '44196397' }, event_type, tag: 'all', payload },
});
const TWEET = {
  ...{
    id: '2000000000000000001',
    author_id: '44196397',
    text: 'Post',
    conversation_id: '2000000000000000001',
  },
  ...{ created_at: '2026-08-12T18:00:00.000Z', edit_history_tweet_ids: ['2000000000000000001'] },
};
export const PUSHED_POST = pushed('post.create', TWEET);
export const PUSHED_REPLY = pushed('post.reply.create', {
  ...{ ...TWEET, conversation_id: '1999999999999999999', in_reply_to_user_id: '1111' },
  ...{ in_reply_to_tweet_id: '1999999999999999999' },
  referenced_tweets: [{ type: 'replied_to', id: '1999999999999999999' }],
});
export const PUSHED_QUOTE = pushed('post.quote.create', {
  ...TWEET,
  referenced_tweets: [{ type: 'quoted', id: '1999999999999999998' }],
});
export const TRACKING = {
  success: true,
  data: {
    ...{ id: '2f8f', title: 'Somebody # tweets April 21 - April 28, 2026?', target: null, isActive: true },
    ...{ startDate: '2026-04-21T16:00:00.000Z', endDate: '2026-04-28T15:59:59.000Z' },
    marketLink: 'https://polymarket.com/event/somebody-of-tweets-april-21-april-28',
    user: { handle: 'somebody', platform: 'X', lastSync: '2026-04-24T23:30:52.075Z', lastSyncError: null },
    stats: {
      total: 98,
      cumulative: 98,
      daily: [{ date: '2026-04-21T16:00:00.000Z', count: 98, cumulative: 98 }],
    },
  },
};
const oraclePost = (platformId: string, content: string) => ({
  ...{ id: `c${platformId}`, platformId, content, metrics: null },
  ...{ createdAt: '2025-10-31T02:35:26.000Z', importedAt: '2025-11-18T16:44:28.552Z' },
});
export const ORACLE_POSTS = {
  success: true,
  data: [oraclePost('1984086784113045850', 'Post'), oraclePost('1984139549946343458', 'RT @other: Post')],
};
const bucket = (label: string, place: number) => ({
  ...{ id: `35958${place}`, question: `Will Somebody post ${label} tweets?`, groupItemTitle: label },
  ...{
    conditionId: `0x${String(place).repeat(64)}`,
    outcomes: '["Yes", "No"]',
    negRisk: true,
    version: 'v2',
  },
  ...{ outcomePrices: '["0.3", "0.7"]', bestBid: 0.29, bestAsk: 0.31, orderPriceMinTickSize: 0.001 },
  ...{ orderMinSize: 5, active: true, closed: false, acceptingOrders: true, enableOrderBook: true },
  ...{ feesEnabled: true, feeSchedule: { exponent: 1, rate: 0.05 } },
  ...{ clobTokenIds: null, positionIds: [`11579208923731619${place}0`, `11579208923731619${place}1`] },
});
export const EVENT = {
  ...{
    id: '1203456',
    title: 'Somebody # tweets November 10 - November 17, 2026?',
    active: true,
    closed: false,
  },
  slug: 'somebody-of-tweets-november-10-november-17-2026',
  ...{ seriesSlug: 'somebody-tweets', series: [{ slug: 'somebody-tweets', recurrence: 'weekly' }] },
  description: 'Resolves by the posts from November 10 12:00 PM ET to November 17, 2026 12:00 PM ET.',
  ...{ endDate: '2026-11-17T17:00:00Z', archived: false, negRisk: true, volume: 1, liquidity: 1 },
  markets: [bucket('<20', 0), bucket('20-39', 1), bucket('40+', 2)],
};
export const BOOK = {
  ...{
    market: `0x${'c8'.repeat(32)}`,
    asset_id: '12345678901234567890',
    hash: '0xabc',
    timestamp: '1703875200000',
  },
  bids: [
    { price: '0.49', size: '200.00' },
    { price: '0.50', size: '150.00' },
  ],
  asks: [
    { price: '0.51', size: '120.00' },
    { price: '0.52', size: '180.00' },
  ],
};
export const LAST_TRADE = {
  ...{ event_type: 'last_trade_price', market: BOOK.market, asset_id: BOOK.asset_id, side: 'BUY' },
  ...{ price: '0.51', size: '25.0', fee_rate_bps: '0', timestamp: '1703875202000' },
};
export const PRICE_CHANGE = {
  ...{ event_type: 'price_change', market: BOOK.market, timestamp: '1703875201000' },
  price_changes: [
    {
      ...{ asset_id: BOOK.asset_id, price: '0.51', side: 'BUY', size: '150.0', hash: '0x1' },
      ...{ best_bid: '0.51', best_ask: '0.52' },
    },
  ],
};
export const SERIES = {
  ...{ venue: 'kalshi', series: 'KXTRUTHSOCIAL', timeZone: 'America/New_York', settlementSource: 'rollcall' },
  countingRule: MAIN_FEED_RULE,
};
export const LISTED = { series: { ticker: 'KXTRUTHSOCIAL', frequency: 'weekly', fee_type: 'quadratic' } };
const market = (code: string, strike: object) => ({
  ...{ ticker: `KXTRUTHSOCIAL-26OCT17-${code}`, event_ticker: 'KXTRUTHSOCIAL-26OCT17', status: 'active' },
  ...{ result: '', close_time: '2026-10-18T13:59:00Z', last_price_dollars: '0.2200' },
  ...{
    yes_bid_dollars: '0.2100',
    yes_ask_dollars: '0.2300',
    yes_bid_size_fp: '5.00',
    yes_ask_size_fp: '7.00',
  },
  ...{ price_ranges: [{ start: '0.0100', end: '0.9900', step: '0.0100' }], ...strike },
  rules_secondary:
    'The observation period begins at 12:00 AM ET on Oct 11, 2026 and ends at 11:59 PM ET on Oct 17, 2026.',
});
export const CONTRACTS = {
  events: [
    {
      ...{ event_ticker: 'KXTRUTHSOCIAL-26OCT17', series_ticker: 'KXTRUTHSOCIAL', mutually_exclusive: true },
      markets: [
        market('T80', { strike_type: 'less', floor_strike: null, cap_strike: 80 }),
        market('B89', { strike_type: 'between', floor_strike: 80, cap_strike: 99 }),
        market('T99', { strike_type: 'greater', floor_strike: 99, cap_strike: null }),
      ],
    },
  ],
  cursor: '',
};
const listed = (id: string, hour: number, isDeleted: boolean) => ({
  ...{ id, date: `2026-10-12T${hour}:04:05.000Z`, platform: 'Truth Social', text: 'Post' },
  ...{ deleted_flag: isDeleted, post_url: `https://truthsocial.com/@realDonaldTrump/${id}` },
  social: { quote_flag: false, repost_flag: false },
});
export const LIST = {
  error: false,
  data: [listed('116457972455781406', 14, false), listed('116457789709036829', 13, true)],
  meta: { page: 1, page_count: 1 },
};
export const HOLDINGS = {
  data: [
    {
      ...{ token_id: '71321045863084981365', condition_id: `0x${'c8'.repeat(32)}`, status: 'OPEN' },
      ...{ current_size: '150.5', avg_price: '0.55', total_cost_usdc: '82.775', current_price: '0.6' },
      ...{ current_value: '90.3', redeemable: false, event_id: '9', event_slug: 'posts', outcome: 'Yes' },
    },
  ],
  pagination: { has_more: true, next_cursor: 'c' },
};
export const BOOKS = {
  orderbooks: [
    {
      ticker: 'KXTRUTHSOCIAL-26OCT17-B89',
      orderbook_fp: { yes_dollars: [['0.2100', '5.00']], no_dollars: [['0.7700', '7.00']] },
    },
  ],
};
