// Prints counts and forecasts, then follows the live stream for a few messages.
//
//   TALLYCAST_URL=http://127.0.0.1:8080 TALLYCAST_KEY=tc_pro_... node examples/node/forecast-and-follow.ts
// Runs on Node 24 or later. Without a key it shows the public view.

import { createTallycast, TallycastError } from '../../packages/client-js/src/index.ts';

const ACCOUNT = process.env.TALLYCAST_ACCOUNT ?? 'account_a';
const MESSAGES = Number(process.env.MESSAGES ?? 5);

const tallycast = createTallycast({
  url: process.env.TALLYCAST_URL ?? 'http://127.0.0.1:8080',
  apiKey: process.env.TALLYCAST_KEY,
});

const { data: events } = await tallycast.counters(ACCOUNT);
for (const event of events) {
  console.log(`${event.event_title}: ${event.real_counter} counted, oracle ${event.market_oracle_counter}`);
}

const { data: predictions } = await tallycast.forecast(ACCOUNT);
for (const { event_id, forecast, markets } of predictions) {
  const best = markets.toSorted((a, b) => (b.market_price ?? 0) - (a.market_price ?? 0))[0];
  const range = forecast
    ? `${forecast.p5} to ${forecast.p95}, most likely about ${forecast.p50}`
    : 'PRO only';
  console.log(`forecast for ${event_id}: ${range}; the market favours ${best?.title}`);
}

try {
  const { data } = await tallycast.signals(ACCOUNT, { bankroll: 1000, only_with_signals: true });
  for (const { event_title, signals } of data) {
    const buys = signals.filter((signal) => signal.action === 'BUY');
    console.log(
      `${event_title}: ${buys.map((buy) => `${buy.bucket} for ${buy.suggested_bet} USD`).join(', ')}`,
    );
  }
} catch (error) {
  if (!(error instanceof TallycastError) || error.status !== 401) throw error;
  console.log('signals need a PRO key');
}

// Broken connections resume after the last message; the loop ends when the signal aborts.
const enough = new AbortController();
let heard = 0;
for await (const message of tallycast.stream(ACCOUNT, { signal: enough.signal })) {
  console.log(`${message.id} ${message.event}`, message.event === 'post' ? message.data.text : '');
  heard += 1;
  if (heard >= MESSAGES) enough.abort();
}
