// A typical implementation: express with a key check, a rolling limiter, usage rows and the same headers, in
// front of an equally prepared body. node express.ts BODY_FILE DATABASE_FILE KEY...

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
// @ts-expect-error express is used here alone, and without its types.
import express from 'express';
import { API_LINES, REVALIDATE_LINES, splitLines } from '../../../src/server/http/fixed-headers.ts';

interface Req extends IncomingMessage {
  get(name: string): string | undefined;
  path: string;
  ip: string;
  fresh: boolean;
  keyId?: string | undefined;
}
interface Res extends ServerResponse {
  set(headers: Record<string, string>): Res;
  status(code: number): Res;
  json(value: unknown): Res;
  send(value: Buffer): Res;
}
type Next = () => void;

const [bodyFile, databaseFile, ...keys] = process.argv.slice(2);
const body = readFileSync(bodyFile!);
const etag = `W/"${createHash('sha1').update(body).digest('base64url')}"`;
const known = new Map(keys.map((key, i) => [digest(key), `key${i}`]));
const fixed: Record<string, string> = {};
const pairs = splitLines(API_LINES + REVALIDATE_LINES);
for (let i = 0; i < pairs.length; i += 2) fixed[pairs[i]!] = pairs[i + 1]!;

const HOUR_MS = 3_600_000;
const LIMIT = 1_000_000_000;
const SLOTS = 720;
const windows = new Map<string, { counts: Uint32Array; slot: number; total: number }>();
let rows: [number, string, string, number, number, number][] = [];

function digest(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function checkKey(req: Req, res: Res, next: Next): void {
  const key = req.get('X-API-Key');
  if (key !== undefined) req.keyId = known.get(digest(key));
  if (key !== undefined && req.keyId === undefined) res.status(401).json({ detail: 'Unknown key' });
  else next();
}

function limit(req: Req, res: Res, next: Next): void {
  const caller = req.keyId ?? req.ip;
  const slot = Math.floor((Date.now() / HOUR_MS) * SLOTS);
  let window = windows.get(caller);
  if (!window) windows.set(caller, (window = { counts: new Uint32Array(SLOTS), slot, total: 0 }));
  while (window.slot < slot) {
    window.slot += 1;
    window.total -= window.counts[window.slot % SLOTS]!;
    window.counts[window.slot % SLOTS] = 0;
  }
  const reset = Math.ceil((Date.now() + HOUR_MS) / 1000);
  res.set({
    'RateLimit-Policy': `"pro";q=${LIMIT};w=3600`,
    RateLimit: `"pro";r=${LIMIT - window.total};t=3600`,
    'X-RateLimit-Limit': String(LIMIT),
    'X-RateLimit-Remaining': String(LIMIT - window.total),
    'X-RateLimit-Reset': String(reset),
  });
  if (window.total >= LIMIT) {
    res.status(429).json({ detail: 'Rate limit exceeded' });
    return;
  }
  window.counts[slot % SLOTS]! += 1;
  window.total += 1;
  next();
}

function noteUsage(req: Req, res: Res, next: Next): void {
  const startedMs = performance.now();
  res.on('finish', () => {
    if (req.keyId === undefined) return;
    rows.push([Date.now(), req.keyId, req.path, res.statusCode, performance.now() - startedMs, body.length]);
  });
  next();
}

const database = new DatabaseSync(databaseFile!);
database.exec('pragma journal_mode = wal; pragma synchronous = full');
database.exec('create table usage (ts, key_id, endpoint, status, response_ms, bytes)');
const insert = database.prepare('insert into usage values (?, ?, ?, ?, ?, ?)');
setInterval(() => {
  const batch = rows;
  rows = [];
  database.exec('begin');
  for (const row of batch) insert.run(...row);
  database.exec('commit');
}, 1_000).unref();

const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.use(noteUsage, checkKey, limit);
let requestId = 0;
app.get('/{*path}', (req: Req, res: Res) => {
  res.set({ ...fixed, 'Content-Type': 'application/json', ETag: etag, 'X-Request-Id': String(++requestId) });
  if (req.fresh) res.status(304).end();
  else res.send(body);
});
const server = app.listen(0, '127.0.0.1', () =>
  process.send!({ port: (server.address() as AddressInfo).port }),
);
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  process.disconnect();
});
