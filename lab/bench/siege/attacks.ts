// The siege's attacks by name, run from twenty addresses at once.

import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { generateKey } from '../../../src/access/key-format.ts';
import { type Ask, send } from './send.ts';

export interface Target {
  port: number;
  simulatorUrl: string;
  proKeys: readonly string[];
}

/** Number of attempts by attack and status. */
export type Deeds = Record<string, Record<number, number>>;

interface Siege extends Target {
  deeds: Deeds;
  isOver: boolean;
}

type Attack = (siege: Siege, name: string) => Promise<unknown>[];

const ADDRESSES = Array.from({ length: 20 }, (_, i) => `127.0.1.${i + 1}`);
const HELD_CONNECTIONS = 40;
const GREEDY_CONNECTIONS = 40;
/** Slightly below a PRO key's hourly limit; then the next key takes over. */
const CALLS_OF_A_KEY = 9_500;
const PAUSE_MS = 10;
const REFUSED_PAUSE_MS = 1_000;
const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const BATCH = JSON.stringify(
  Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} })),
);

async function repeat(
  siege: Siege,
  name: string,
  pauseMs: number,
  act: () => Promise<number>,
  isDone = () => false,
): Promise<void> {
  const outcomes = (siege.deeds[name] ??= {});
  while (!siege.isOver && !isDone()) {
    const outcome = await act();
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    await wait(pauseMs);
  }
}

const fromEach =
  (askFrom: (from: string, siege: Siege) => Promise<Ask>): Attack =>
  (siege, name) =>
    ADDRESSES.map((from) =>
      repeat(siege, name, PAUSE_MS, async () => send(siege.port, await askFrom(from, siege))),
    );

/** Connects, sends nothing and never closes. */
const holdSilently: Attack = (siege, name) =>
  ADDRESSES.flatMap((from) =>
    Array.from({ length: HELD_CONNECTIONS }, () =>
      repeat(siege, name, 0, async () => {
        const { port } = siege;
        const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true });
        socket.on('error', () => {});
        for (let second = 0; second < 20 && !siege.isOver; second++) await wait(1_000);
        socket.destroy();
        return 0;
      }),
    ),
  );

/** Every response must be computed, and each key is used up to its limit. */
const callGreedily: Attack = (siege, name) => {
  let called = 0;
  return Array.from({ length: GREEDY_CONNECTIONS }, () =>
    repeat(siege, name, 0, () => {
      const key = siege.proKeys[Math.floor(called / CALLS_OF_A_KEY) % siege.proKeys.length]!;
      const path = `/api/v1/signals/account_a/ladder?bankroll=${100 + (called++ % 90_000) / 10}`;
      return send(siege.port, { path, from: '127.0.2.1', headers: { 'X-API-Key': key } });
    }),
  );
};

/** Retries until accepted: all attackers connect at once, so the service refuses some at first. */
async function readTerms(siege: Siege): Promise<Record<string, string>> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${siege.port}/api/v1/signals/account_a`);
    const { accepts } = (await response.json()) as { accepts?: Record<string, string>[] };
    if (accepts?.[0]) return accepts[0];
    if (siege.isOver) return {};
    await wait(REFUSED_PAUSE_MS);
  }
}

/** Well-formed, with the right terms but a forged signature. */
async function forgePayment(siege: Siege): Promise<string> {
  const terms = await readTerms(siege);
  const nowS = Math.floor(Date.now() / 1_000);
  const authorization = {
    ...{ from: `0x${'a'.repeat(40)}`, to: terms.payTo, value: terms.amount ?? terms.maxAmountRequired },
    ...{ validAfter: '0', validBefore: String(nowS + 3_600), nonce: `0x${randomBytes(32).toString('hex')}` },
  };
  const signature = `0x${randomBytes(64).toString('hex')}1b`;
  const payment = { x402Version: 2, accepted: terms, payload: { signature, authorization } };
  return Buffer.from(JSON.stringify(payment)).toString('base64');
}

const payWithNothing: Attack = (siege, name) => {
  const forging = forgePayment(siege);
  return fromEach(async (from) => ({
    path: '/api/v1/signals/account_a',
    from,
    headers: { x402: await forging },
  }))(siege, name);
};

/** Registers as many receivers as a key may have, with unresolvable names. */
const listenAtDeadNames: Attack = (siege, name) =>
  ADDRESSES.map((from, i) => {
    const ask = {
      ...{ method: 'POST', path: '/api/v1/webhooks', from },
      headers: { ...JSON_HEADERS, 'X-API-Key': siege.proKeys.at(-1)! },
      body: JSON.stringify({ url: `https://never-${i}.example/`, topics: '*' }),
    };
    let isTaken = false;
    const isDone = () => isTaken;
    const act = async () => {
      const status = await send(siege.port, ask);
      isTaken = status === 200;
      return status;
    };
    return repeat(siege, name, REFUSED_PAUSE_MS, act, isDone);
  });

const postFromTheFuture: Attack = ({ simulatorUrl, deeds }, name) => [
  fetch(new URL('/admin/faults', simulatorUrl), {
    method: 'POST',
    body: JSON.stringify({ fault: 'posts-future=2h' }),
  }).then(({ status }) => (deeds[name] = { [status]: 1 })),
];

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'silent connections': holdSilently,
  'MCP batches': fromEach(async (from) => ({
    ...{ method: 'POST', path: '/mcp', from, headers: JSON_HEADERS, body: BATCH },
  })),
  'guessed keys': fromEach(async (from) => ({
    ...{ method: 'POST', path: '/mcp', from, body: '{}' },
    headers: { ...JSON_HEADERS, 'X-API-Key': generateKey('PRO') },
  })),
  'forged payments': payWithNothing,
  'busy keys': callGreedily,
  'unresolvable receivers': listenAtDeadNames,
  'posts from the future': postFromTheFuture,
};

/** The status that proves an attack took effect; attacks not listed need none. */
const TOOK_PLACE: Readonly<Record<string, number>> = {
  'forged payments': 402,
  'busy keys': 200,
  'unresolvable receivers': 200,
  'posts from the future': 200,
};

/** Started attacks that had no effect. */
export function listIdle(deeds: Deeds): string[] {
  return Object.keys(deeds).filter((name) => name in TOOK_PLACE && !deeds[name]![TOOK_PLACE[name]!]);
}

export function beginSiege(target: Target, names: readonly string[]): { end(): Promise<Deeds> } {
  const siege: Siege = { ...target, deeds: {}, isOver: false };
  const attacking = names.flatMap((name) => ATTACKS[name]!(siege, name));
  return {
    async end() {
      siege.isOver = true;
      await Promise.all(attacking);
      return siege.deeds;
    },
  };
}
