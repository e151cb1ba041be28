// Runs one leader after another. Each gets the current state at startup and on every change, and is killed
// with SIGKILL.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Truth } from './truth.ts';

const CHILD = fileURLToPath(new URL('./leader-child.ts', import.meta.url));

export interface Leaders {
  /** Index of this leader. */
  index(): number;
  begin(): Promise<void>;
  report(truth: Truth): void;
  kill(): Promise<void>;
}

export function createLeaders(place: { dataDir: string; databaseUrl?: string }): Leaders {
  let child: ChildProcess | null = null;
  let begun = -1;
  let latest: Truth = { posts: 0 };
  return {
    index: () => begun,
    async begin() {
      begun += 1;
      const args = [place.dataDir, ...(place.databaseUrl ? [place.databaseUrl] : [])];
      const env = { ...process.env, NODE_COMPILE_CACHE: `${place.dataDir}/compiled` };
      child = fork(CHILD, args, { env });
      await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(() => Promise.reject(new Error('the leader exited during startup'))),
      ]);
      child.send(latest);
    },
    report(truth) {
      latest = truth;
      if (child?.connected) child.send(truth, () => {});
    },
    async kill() {
      if (!child) return;
      const over = once(child, 'exit');
      child.kill('SIGKILL');
      await over;
      child = null;
    },
  };
}
