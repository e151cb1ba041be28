// Requests everything about accounts A and B in the scene, and returns the responses.

import { MINUTE_MS } from '../../../src/domain/units.ts';
import { listen } from '../../stream/sse.ts';
import { waitUntil } from '../../support/boot.ts';
import { type Harness, startHarness } from '../harness.ts';
import { fillStore, NOW_TS, SCENE_WALLET, scenePositions, sceneSnapshot } from './scene.ts';

export interface Answer {
  request: string;
  status: number;
  body: string;
}

const CALLERS = ['anonymous', 'PRO'] as const;
type Caller = (typeof CALLERS)[number];

/** Public paths for an account. */
function pathsOf(segment: string): string[] {
  const wallet = `wallet=${SCENE_WALLET}`;
  return [
    `/meta/${segment}`,
    `/meta/${segment}/tweets`,
    `/prediction/${segment}`,
    `/signals/${segment}`,
    `/portfolio/${segment}?${wallet}`,
    `/portfolio/${segment}/rebalancing?${wallet}&bankroll=5000`,
  ];
}

/** Paths for an account that need a key. */
function furtherPathsOf(segment: string): string[] {
  const wallet = `wallet=${SCENE_WALLET}`;
  return [
    `/meta/${segment}/tweets?limit=3&offset=2`,
    `/meta/${segment}/hourly?tz=Europe/Paris&event_id=${segment === 'account_a' ? 3001 : 4001}`,
    `/signals/${segment}?bankroll=250&only_with_signals=true`,
    `/signals/${segment}/ladder?bankroll=400`,
    `/portfolio/${segment}?${wallet}&bankroll=5000`,
    `/portfolio/${segment}/rebalancing?${wallet}&bankroll=900&threshold=1`,
    `/portfolio/${segment}?wallet=0x12`,
    `/signals/${segment}?bankroll=0`,
    `/performance/overview?account=${segment}`,
    `/performance/history?account=${segment}&horizon=48`,
    `/performance/calibration?account=${segment}`,
    `/performance/ledger?account=${segment}`,
  ];
}

const SHARED_PATHS = [
  '/health',
  '/performance/overview',
  '/performance/history',
  '/performance/ledger',
  '//config.json',
];

export async function askEverything(): Promise<Answer[]> {
  const harness = await openScene();
  try {
    const answers: Answer[] = [];
    const ask = async (caller: Caller, path: string) => {
      const { status, text } = await harness.call(
        path,
        caller === 'anonymous' ? {} : { key: harness.keys[caller] },
      );
      answers.push({ request: `${path} by ${caller}`, status, body: text });
    };
    for (const segment of ['account_a', 'account_b']) {
      for (const caller of CALLERS) for (const path of pathsOf(segment)) await ask(caller, path);
      for (const path of furtherPathsOf(segment)) await ask('PRO', path);
      for (const caller of CALLERS) answers.push(await hearStream(harness, segment, caller));
    }
    for (const path of SHARED_PATHS) await ask('anonymous', path);
    return answers;
  } finally {
    await harness.close();
  }
}

async function openScene(): Promise<Harness> {
  let recordsRead = 0;
  const harness = await startHarness({
    empty: true,
    wrapStore: (store) => ({
      ...store,
      signals: {
        ...store.signals,
        async list(filter) {
          const found = await store.signals.list(filter);
          if (found.length > 0) recordsRead += 1;
          return found;
        },
      },
    }),
  });
  await fillStore(harness.store);
  harness.clock.advance(MINUTE_MS);
  await waitUntil(() => recordsRead >= 2);
  harness.wallet.positions = scenePositions();
  for (const accountId of ['a', 'b']) harness.board.replace(sceneSnapshot(accountId));
  // A clock jump of a minute looks like a store timeout, so repeat the request once.
  harness.clock.advance(NOW_TS - harness.clock.now());
  await waitUntil(async () => (await harness.call('/health')).json.status === 'ok');
  return harness;
}

async function hearStream(harness: Harness, segment: string, caller: Caller): Promise<Answer> {
  const url = `http://127.0.0.1:${harness.port}/api/v1/stream/${segment}`;
  const stream = await listen(url, caller === 'PRO' ? { key: harness.keys.PRO } : {});
  const [first] = await stream.hear(1);
  stream.cut();
  return { request: `/stream/${segment} by ${caller}`, status: 200, body: JSON.stringify(first!.data) };
}
