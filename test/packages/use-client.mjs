// A user's first program: sends requests, pages, follows the stream and gets one error. Prints results as JSON.

import { createTallycast, TallycastError, UnauthorizedError } from '@tallycast/client';

const tallycast = createTallycast({ url: process.env.TALLYCAST_URL, apiKey: process.env.TALLYCAST_KEY });
const [{ segment }] = (await tallycast.config()).accounts;
const { data: counters } = await tallycast.counters(segment);
const { data: signals } = await tallycast.signals(segment, { bankroll: 500 });

let posts = 0;
for await (const _ of tallycast.everyPost(segment, { pageSize: 20 })) if (++posts === 50) break;

let first = '';
for await (const change of tallycast.follow(segment)) {
  first = change.event;
  break;
}

const refused = await createTallycast({ url: process.env.TALLYCAST_URL })
  .signals(segment)
  .catch((error) => error);

console.log(
  JSON.stringify({
    events: counters.map(({ event_id }) => event_id),
    signals: signals.length,
    posts,
    first,
    isTyped: refused instanceof UnauthorizedError && refused instanceof TallycastError,
  }),
);
