// Payloads of sources without a recorded fixture, as the platforms document them. Where a field's form is only known
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
const TWEET = {
  ...{ id: '2000000000000000001', text: 'Post', createdAt: 'Tue Jun 02 04:41:03 +0000 2026' },
  ...{ isReply: false, inReplyToId: null, inReplyToUserId: null, conversationId: '2000000000000000001' },
  ...{ author: { id: '44196397', userName: 'elonmusk' }, quoted_tweet: null, retweeted_tweet: null },
};
export const TWEETS = {
  tweets: [
    TWEET,
    {
      ...{ ...TWEET, id: '2000000000000000005', isReply: true, inReplyToId: '1999999999999999999' },
      ...{ inReplyToUserId: '44196397', conversationId: '1999999999999999990' },
    },
    {
      ...TWEET,
      id: '2000000000000000009',
      conversationId: '2000000000000000009',
      retweeted_tweet: { id: '7' },
    },
  ],
  ...{ has_next_page: true, next_cursor: 'c', status: 'success' },
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
