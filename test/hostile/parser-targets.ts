// Every parser of external input, with real samples: simulator responses and texts.

import { parseFault } from '../../simulator/faults/fault-registry.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { resolveClientAddress } from '../../src/access/client-address.ts';
import { isWellFormedKey } from '../../src/access/key-service.ts';
import { findUrlFault, isRefusedAddress } from '../../src/alerts/delivery/address-guard.ts';
import { loadSettings } from '../../src/config/load-config.ts';
import { createCoercer } from '../../src/contract/coerce.ts';
import { readJsonBody } from '../../src/contract/json-body.ts';
import { parseQueryString } from '../../src/contract/query-string.ts';
import { completeProfile } from '../../src/domain/account-profile.ts';
import { parseBucketLabel } from '../../src/domain/bucket-label.ts';
import { parseWindowSlug, parseWindowText } from '../../src/domain/count-window-text.ts';
import { CsvError } from '../../src/domain/csv.ts';
import { parseHistoryRow, readHistoryFile } from '../../src/domain/history-csv.ts';
import { parsePayment } from '../../src/payments/parse-payment.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { UsageError } from '../../src/runtime/errors.ts';
import { WaitlistBody } from '../../src/server/endpoints/waitlist.ts';
import { accepts, chooseEncoding } from '../../src/server/http/negotiate.ts';
import { createStreamLog } from '../../src/server/stream/stream-log.ts';
import { parseCryptoMarket } from '../../src/sources/crypto/parse.ts';
import { readPayouts } from '../../src/sources/market/parse.ts';
import { readListedEvent } from '../../src/sources/market/wire.ts';
import { htmlToText } from '../../src/sources/mirrored-post.ts';
import { parseTweets } from '../../src/sources/x-api/parse.ts';
import { readTweetList } from '../../src/sources/x-api/wire.ts';
import { DOCUMENTED } from '../support/payload-readers.ts';
import { moreTargets } from './more-targets.ts';
import { freeze } from './mutate.ts';
import { isOf, json, type ParserTarget, text } from './parser-target.ts';
import { venueTargets } from './venue-targets.ts';

const NOW_TS = Date.UTC(2026, 8, 18, 15);
const ACCOUNT = completeProfile({ accountId: 'a', handle: 'handle', platformUserId: '1' }, 0);
const ZONE = { timeZone: 'America/New_York', nearEndTs: NOW_TS };

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export async function listTargets(): Promise<ParserTarget[]> {
  const targets = [
    ...jsonTargets(await gatherSamples()),
    ...DOCUMENTED.map(([name, payload, read]) => json(name, [payload], read)),
    ...textTargets(),
    ...moreTargets(),
    ...venueTargets(),
  ];
  for (const { samples } of targets) for (const sample of samples) freeze(sample);
  return targets;
}

type Samples = Record<string, unknown[]>;

async function gatherSamples(): Promise<Samples> {
  const clock = createManualClock(NOW_TS);
  const simulator = createSimulator({ seed: 5, anchorTs: Date.UTC(2026, 7, 18), clock });
  const [a] = simulator.accounts;
  const ask = async (path: string) => {
    const headers = { authorization: 'Bearer simulator' };
    const response = await simulator.fetch(new Request(`http://simulator${path}`, { headers }));
    return response.json() as Promise<unknown>;
  };
  const fields = 'tweet.fields=created_at,referenced_tweets,edit_history_tweet_ids,in_reply_to_user_id';
  return {
    x: [await ask(`/x/2/users/${a!.platformUserId}/tweets?max_results=10&${fields}`)],
    gamma: asList(await ask(`/gamma/events?tag_id=${a!.tagId}&limit=2`)).slice(0, 2),
    resolutions: [await ask(`/data/v2/resolutions?event_id=${simulator.trueEvents(0)[0]!.eventId}`)],
  };
}

function jsonTargets(samples: Samples): ParserTarget[] {
  return [
    json('x timeline', samples.x!, (input) =>
      parseTweets(readTweetList(input)?.tweets ?? asList(input), ACCOUNT),
    ),
    json('crypto market', samples.gamma!, (input) => {
      const wire = readListedEvent(input);
      return wire && parseCryptoMarket(wire);
    }),
    json('resolutions', samples.resolutions!, readPayouts),
    json(
      'waitlist body',
      [{ type: 'agent', case: 'c', name: 'n', wallet: `0x${'a'.repeat(40)}`, email: null }],
      (input) => waitlist.body(input),
    ),
  ];
}

const waitlist = createCoercer(WaitlistBody);
const log = createStreamLog(10, 0);
const PAYMENT = {
  x402Version: 2,
  accepted: { scheme: 'exact', network: 'eip155:84532', amount: '10000' },
  payload: {
    signature: `0x${'1'.repeat(130)}`,
    authorization: {
      from: `0x${'a'.repeat(40)}`,
      to: `0x${'b'.repeat(40)}`,
      value: '10000',
      validAfter: '0',
      validBefore: '1999999999',
      nonce: `0x${'c'.repeat(64)}`,
    },
  },
};

function textTargets(): ParserTarget[] {
  return [
    text('bucket label', ['<20', '20-39', '200+', '1,000–1,099', 'less than 5'], parseBucketLabel),
    text(
      'window text',
      ['from September 15, 2026, 12:00 PM ET to September 22, 2026, 12:00 PM ET', 'in May 2026'],
      (input) => parseWindowText(input, ZONE),
    ),
    text('window slug', ['posts-august-15-august-17', 'posts-in-may-2026'], (input) =>
      parseWindowSlug(input, ZONE),
    ),
    text(
      'history file',
      ['tweet_id,created_ts,is_reply,is_quote,is_retweet,is_counted\n1,1789999999999,1,0,0,'],
      (input) => {
        const file = readHistoryFile(input);
        return file.rows.map((row) => parseHistoryRow(row, file));
      },
      isOf(CsvError),
    ),
    text('html', ['<p>a &amp; b<br/><a href="https://x">c</a> &#x1F600; &#99999999;</p>'], htmlToText),
    text('request body', ['{"type":"human","case":"c","email":"a@b.co","n":[1e5,-0,NaN]}'], (input) =>
      readJsonBody(Buffer.from(input), 'application/json', undefined),
    ),
    text('query', ['limit=15&offset=0&wallet=0x%41&bankroll=1e3&limit=%zz'], (input) =>
      parseQueryString(input),
    ),
    text(
      'payment header',
      [Buffer.from(JSON.stringify(PAYMENT)).toString('base64'), JSON.stringify(PAYMENT)],
      (input) => [parsePayment(input), parsePayment(Buffer.from(input).toString('base64'))],
    ),
    text('api key', ['tc_pro_0123456789abcdefghijABCDEFGHIJ012345'], isWellFormedKey),
    text('forwarded addresses', ['192.0.2.1, 2001:db8::1, [::ffff:192.0.2.1]:80'], (input) =>
      [0, 1, 3].map((hops) => resolveClientAddress('::1', input, hops)),
    ),
    text('accept headers', ['application/json;q=0.5, */*;q=0.1', 'gzip;q=1.0, br;q=0, *'], (input) => [
      accepts(input, 'application/json'),
      chooseEncoding(input),
    ]),
    text('last event id', ['12-3', '1-1000000'], (input) => log.findAfter(input)),
    text(
      'webhook address',
      ['https://example.org:443/a?b', 'https://[::1]/', 'http://2130706433/'],
      (input) => [findUrlFault(input), isRefusedAddress(input)],
    ),
    text(
      'settings',
      ['8080', 'true', 'postgres://a:b@c/d', 'a,b'],
      (input) =>
        loadSettings(['--port', input, '--x-push', input], { DATABASE_URL: input, ACCOUNT_A_SEGMENT: input }),
      isOf(UsageError),
    ),
    text('fault', ['x-down=0.5@2h/30m', 'clock-skew=-3s'], parseFault, isOf(UsageError)),
  ];
}
