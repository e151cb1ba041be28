// Configured external anchors for seals: a webhook, a git repository, OpenTimestamps.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createGuardedPost, type PostWebhook } from '../alerts/delivery/post-guarded.ts';
import type { Anchor } from '../jobs/sealing/seal-hours.ts';
import type { Seal } from '../sealing/seal.ts';
import { writeSeal } from '../sealing/wire.ts';

const TIMEOUT_MS = 30_000;
const SEALS_FILE = 'seals.jsonl';
const AUTHOR = ['-c', 'user.name=tallycast', '-c', 'user.email=tallycast@localhost'];
const runFile = promisify(execFile);

export function createAnchors(places: readonly string[], post: PostWebhook = createGuardedPost()): Anchor[] {
  return places.map((place) => {
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

function toLine(seal: Seal): string {
  return JSON.stringify(writeSeal(seal));
}

function nameHour({ hourTs }: Seal): string {
  return new Date(hourTs).toISOString().slice(0, 13);
}
