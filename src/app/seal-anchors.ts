// Configured external anchors for seals: a webhook, a git repository, OpenTimestamps, a Rekor log.

import { execFile } from 'node:child_process';
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createGuardedPost, type PostWebhook } from '../alerts/delivery/post-guarded.ts';
import type { Anchor } from '../jobs/sealing/seal-hours.ts';
import { type Seal, writeChainText } from '../sealing/seal.ts';
import { writeSeal } from '../sealing/wire.ts';
import type { CursorStore } from '../store/ports.ts';

const TIMEOUT_MS = 30_000;
const SEALS_FILE = 'seals.jsonl';
const AUTHOR = ['-c', 'user.name=tallycast', '-c', 'user.email=tallycast@localhost'];
const runFile = promisify(execFile);

export function createAnchors(
  places: readonly string[],
  cursors: CursorStore,
  post: PostWebhook = createGuardedPost(),
): Anchor[] {
  return places.map((place) => {
    if (place.startsWith('rekor:')) return createRekorAnchor(place.slice('rekor:'.length), cursors, post);
    if (place.startsWith('git:')) return createGitAnchor(place.slice('git:'.length));
    if (place.startsWith('ots:')) return createTimestampAnchor(place.slice('ots:'.length));
    return createWebhookAnchor(place, post);
  });
}

/** The name is public and the URL may contain a token, so only the host is shown. */
function createWebhookAnchor(url: string, post: PostWebhook): Anchor {
  return {
    name: `webhook ${URL.parse(url)?.host ?? ''}`,
    async keep(seal) {
      const headers = { 'content-type': 'application/json' };
      const { status, problem } = await post({ url, headers, body: toLine(seal), timeoutMs: TIMEOUT_MS });
      if (status === null || status >= 300) throw new Error(problem ?? `the receiver returned ${status}`);
    },
  };
}

/** Commits one line per seal to a repository and pushes it if there is a remote. */
function createGitAnchor(folder: string): Anchor {
  const file = join(folder, SEALS_FILE);
  const git = (...args: string[]) => runFile('git', ['-C', folder, ...args], { timeout: TIMEOUT_MS });

  async function commit(seal: Seal): Promise<void> {
    const line = `${toLine(seal)}\n`;
    // A failed push is retried without a second commit.
    if (existsSync(file) && readFileSync(file, 'utf8').endsWith(line)) return;
    await appendFile(file, line);
    await git('add', SEALS_FILE);
    await git(...AUTHOR, 'commit', '--quiet', '--message', `Seal ${nameHour(seal)}`);
  }

  return {
    name: 'git',
    async keep(seal) {
      await commit(seal);
      const { stdout } = await git('remote');
      if (stdout.trim() !== '') await git('push', '--quiet');
    },
  };
}

/** Writes one file per seal and stamps it with `ots`, the OpenTimestamps client, which adds a proof file. */
function createTimestampAnchor(folder: string): Anchor {
  return {
    name: 'opentimestamps',
    async keep(seal) {
      await mkdir(folder, { recursive: true });
      const file = join(folder, `${nameHour(seal)}.json`);
      await writeFile(file, `${toLine(seal)}\n`);
      if (!existsSync(`${file}.ots`)) await runFile('ots', ['stamp', file], { timeout: TIMEOUT_MS });
    },
  };
}

const KEY_NAME = 'rekor-key';
const MAX_RESPONSE_BYTES = 65_536;

/** The log requires a signature; a reader needs only the digest, which is the chain hash. */
function createRekorAnchor(url: string, cursors: CursorStore, post: PostWebhook): Anchor {
  return {
    name: `rekor ${URL.parse(url)?.host ?? ''}`,
    async keep(seal) {
      const key = createPrivateKey(await findLogKey(cursors));
      const { status, problem, text } = await post({
        url: `${url.replace(/\/+$/, '')}/api/v1/log/entries`,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(proposeEntry(seal, key)),
        timeoutMs: TIMEOUT_MS,
        readBytes: MAX_RESPONSE_BYTES,
      });
      if (status !== 201) throw new Error(problem ?? `the log returned ${status}`);
      if (readLogged(text ?? '') !== seal.chain) throw new Error('the log returned another entry');
    },
  };
}

/** A hashedrekord entry of Rekor's version 1 API. */
function proposeEntry(seal: Seal, key: KeyObject) {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' });
  const signature = sign('sha256', Buffer.from(writeChainText(seal)), key).toString('base64');
  return {
    apiVersion: '0.0.1',
    kind: 'hashedrekord',
    spec: {
      data: { hash: { algorithm: 'sha256', value: seal.chain } },
      signature: { content: signature, publicKey: { content: Buffer.from(publicKey).toString('base64') } },
    },
  };
}

/** The digest in the log's response, which has one entry by its id. */
function readLogged(text: string): string | undefined {
  const [entry] = Object.values(JSON.parse(text) as Record<string, { body: string }>);
  const body = JSON.parse(Buffer.from(entry!.body, 'base64').toString()) as ReturnType<typeof proposeEntry>;
  return body.spec?.data?.hash?.value;
}

/** The leader creates the key once; the store keeps it, like the push keys. */
async function findLogKey(cursors: CursorStore): Promise<string> {
  const known = await cursors.find(KEY_NAME);
  if (known !== undefined) return known;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const text = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await cursors.put(KEY_NAME, text);
  return text;
}

function toLine(seal: Seal): string {
  return JSON.stringify(writeSeal(seal));
}

function nameHour({ hourTs }: Seal): string {
  return new Date(hourTs).toISOString().slice(0, 13);
}
