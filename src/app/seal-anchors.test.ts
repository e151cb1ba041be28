// Tests anchors against local stand-ins that use the real protocols: an HTTP receiver, a bare git remote, an
// `ots` program that stamps at a calendar, and a transparency log.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, verify } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createLocalPost } from '../alerts/delivery/post-guarded.ts';
import { NO_SEAL, sealHour } from '../sealing/seal.ts';
import { writeSeal } from '../sealing/wire.ts';
import type { CursorStore } from '../store/ports.ts';
import { createAnchors } from './seal-anchors.ts';

const HOUR_MS = 3_600_000;
const START_TS = Date.UTC(2026, 10, 16, 7);
const FIRST = sealHour(START_TS, 1, ['{"a":1}'], NO_SEAL);
const SECOND = sealHour(START_TS + HOUR_MS, 2, ['{"b":2}'], FIRST.chain);

let folder: string;
let server: Server;
let url: string;
let status = 200;
let answer = (_body: Buffer): string => 'pending';
const received: { type: string; path: string; body: Buffer }[] = [];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tallycast-anchors-'));
  server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    received.push({ type: String(req.headers['content-type']), path: req.url!, body });
    res.writeHead(status).end(answer(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const kept = new Map<string, string>();
const cursors = {
  find: async (name: string) => kept.get(name),
  put: async (name: string, value: string) => void kept.set(name, value),
} as Partial<CursorStore> as CursorStore;

function open(place: string) {
  return createAnchors([place], cursors, createLocalPost())[0]!;
}

/** Like Rekor: checks the signature over the digest's text, and answers with the stored body. */
function admit(body: Buffer, text: string): string {
  const { spec, ...head } = JSON.parse(String(body));
  assert.deepEqual(head, { apiVersion: '0.0.1', kind: 'hashedrekord' });
  assert.deepEqual(spec.data, {
    hash: { algorithm: 'sha256', value: createHash('sha256').update(text).digest('hex') },
  });
  const pem = Buffer.from(spec.signature.publicKey.content, 'base64').toString();
  assert.match(pem, /^-----BEGIN PUBLIC KEY-----\n/);
  assert.ok(verify('sha256', Buffer.from(text), pem, Buffer.from(spec.signature.content, 'base64')));
  return JSON.stringify({ '24296f': { body: body.toString('base64'), logIndex: 7 } });
}

describe('anchors', () => {
  it('post the seal to a receiver, show only the host, and fail if the receiver refuses', async () => {
    const anchor = open(`${url}/keep?token=secret`);
    assert.equal(anchor.name, `webhook ${new URL(url).host}`);
    await anchor.keep(FIRST);
    const { type, path, body } = received.pop()!;
    assert.deepEqual([type, path], ['application/json', '/keep?token=secret']);
    assert.deepEqual(JSON.parse(String(body)), JSON.parse(JSON.stringify(writeSeal(FIRST))));
    status = 500;
    await assert.rejects(anchor.keep(FIRST), /500/);
    status = 200;
  });

  it('commit one line per seal to a repository and push it, and retry a failed push without a second commit', async () => {
    const [remote, work] = [join(folder, 'remote.git'), join(folder, 'work')];
    const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' });
    git('init', '--quiet', '--bare', remote);
    git('clone', '--quiet', remote, work);
    git('-C', work, 'config', 'push.default', 'current');
    const anchor = open(`git:${work}`);
    await anchor.keep(FIRST);
    git('-C', work, 'remote', 'set-url', 'origin', join(folder, 'gone.git'));
    await assert.rejects(anchor.keep(SECOND));
    git('-C', work, 'remote', 'set-url', 'origin', remote);
    await anchor.keep(SECOND);
    const lines = git('-C', remote, 'show', 'HEAD:seals.jsonl').trim().split('\n');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { chain: string }).chain),
      [FIRST.chain, SECOND.chain],
    );
    assert.equal(git('-C', remote, 'log', '--format=%s'), 'Seal 2026-11-16T08\nSeal 2026-11-16T07\n');
  });

  it('add the chain hash to a transparency log, signed with a key that is kept', async () => {
    const anchor = open(`rekor:${url}/`);
    assert.equal(anchor.name, `rekor ${new URL(url).host}`);
    const { previous, firstSeq, size, root, chain } = FIRST;
    const text = `tallycast seal 1\n${previous}\n2026-11-16T07:00:00.000Z\n${firstSeq}\n${size}\n${root}\n`;
    const other = Buffer.from(JSON.stringify({ spec: { data: { hash: { value: SECOND.chain } } } }));
    received.length = 0;
    try {
      status = 201;
      answer = (body) => admit(body, text);
      await anchor.keep(FIRST);
      await open(`rekor:${url}`).keep(FIRST);
      answer = () => JSON.stringify({ id: { body: other.toString('base64') } });
      await assert.rejects(anchor.keep(FIRST), /another entry/);
      status = 400;
      await assert.rejects(anchor.keep(FIRST), /the log returned 400/);
    } finally {
      [status, answer] = [200, () => 'pending'];
    }
    assert.ok(
      received.every(({ path, type }) => path === '/api/v1/log/entries' && type === 'application/json'),
    );
    const entries = received.map(({ body }) => JSON.parse(String(body)).spec);
    assert.deepEqual(new Set(entries.map(({ data }) => data.hash.value)), new Set([chain]));
    assert.equal(new Set(entries.map(({ signature }) => signature.publicKey.content)).size, 1);
  });

  it('stamp one file per seal with the OpenTimestamps client, only once', async () => {
    const [bin, stamps] = [join(folder, 'bin'), join(folder, 'stamps')];
    execFileSync('mkdir', ['-p', bin]);
    // Like the real client: sends the file's SHA-256 as raw bytes to the calendar's /digest and writes the
    // proof next to the file.
    const program = `#!${process.execPath}
const { createHash } = require('node:crypto');
const { readFileSync, writeFileSync } = require('node:fs');
const [, , command, file] = process.argv;
if (command !== 'stamp') process.exit(2);
const digest = createHash('sha256').update(readFileSync(file)).digest();
fetch('${url}/digest', { method: 'POST', body: digest, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  .then((answer) => { if (!answer.ok) process.exit(1); writeFileSync(file + '.ots', digest); });
`;
    writeFileSync(join(bin, 'ots'), program);
    chmodSync(join(bin, 'ots'), 0o755);
    const path = process.env.PATH;
    process.env.PATH = `${bin}${delimiter}${path}`;
    try {
      received.length = 0;
      const anchor = open(`ots:${stamps}`);
      status = 503;
      await assert.rejects(anchor.keep(FIRST));
      status = 200;
      await anchor.keep(FIRST);
      await anchor.keep(FIRST);
      const file = join(stamps, '2026-11-16T07.json');
      const digest = createHash('sha256').update(readFileSync(file)).digest();
      assert.deepEqual(
        received.map(({ path: asked, body }) => [asked, body.equals(digest)]),
        [
          ['/digest', true],
          ['/digest', true],
        ],
      );
      assert.ok(existsSync(`${file}.ots`));
    } finally {
      process.env.PATH = path;
    }
  });
});
