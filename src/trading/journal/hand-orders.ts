// Manual orders requested from another terminal. The running trader handles each request once.

import type { DatabaseSync } from 'node:sqlite';

export interface HandRequest {
  account: string;
  eventId: number;
  bucket: string;
  outcome: 'Yes' | 'No';
  tokenId: string;
  limitPips: number;
  sizeMicro: number;
  /** Blended probability that the side wins, at the time of the request. */
  probability: number;
  endTs: number;
}

export interface WaitingHandOrder extends HandRequest {
  id: number;
}

export interface HandAnswer {
  state: 'waiting' | 'placed' | 'refused' | 'withdrawn';
  /** Order id if placed; otherwise the reason. */
  detail: string;
}

export interface HandOrders {
  add(request: HandRequest, nowTs: number): number;
  waiting(): WaitingHandOrder[];
  find(id: number): HandAnswer | null;
  /** False if the request was already handled, in which case it must not be placed. */
  answer(id: number, answer: HandAnswer): boolean;
}

const SCHEMA = `create table if not exists hand_orders (
  id integer primary key, ts integer not null, request text not null, state text not null, detail text not null) strict`;

export function openHandOrders(database: DatabaseSync): HandOrders {
  database.exec(SCHEMA);
  const add = database.prepare(
    `insert into hand_orders (ts, request, state, detail) values (?, ?, 'waiting', '')`,
  );
  const waiting = database.prepare(`select id, request from hand_orders where state = 'waiting' order by id`);
  const find = database.prepare('select state, detail from hand_orders where id = ?');
  const answer = database.prepare(
    `update hand_orders set state = ?, detail = ? where id = ? and state = 'waiting'`,
  );
  return {
    add: (request, nowTs) => Number(add.run(nowTs, JSON.stringify(request)).lastInsertRowid),
    waiting: () =>
      waiting
        .all()
        .map(({ id, request }) => ({ ...(JSON.parse(String(request)) as HandRequest), id: Number(id) })),
    find: (id) => (find.get(id) as HandAnswer | undefined) ?? null,
    answer: (id, { state, detail }) => answer.run(state, detail, id).changes > 0,
  };
}
