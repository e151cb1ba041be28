// A process that writes without pause and prints each row once it is acknowledged, until it is killed. Run
// as: node test/store/writing-child.ts DATA_DIR ROUND [DATABASE_URL]

import { flushCompileCache } from 'node:module';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import { sampleDraft, samplePost, sampleUsage } from './samples.ts';

const WRITERS = 4;
const [dataDir, round, databaseUrl] = process.argv.slice(2);
const store = await openStore({ dataDir: dataDir!, databaseUrl, clock: systemClock, logger: silentLogger });
// Save the compile cache now, because a killed process would not save it.
flushCompileCache();

async function writeForever(writer: number): Promise<void> {
  for (let i = 0; ; i++) {
    const postId = `${round}-${writer}-${i}`;
    await Promise.all([
      store.posts.recordCaptures([samplePost({ postId })]),
      store.usage.append([sampleUsage({ endpoint: postId })]),
      store.seals.append([sampleDraft({ content: { postId } })]),
    ]);
    process.stdout.write(`${postId}\n`);
    // If killed in the middle, the hour is either sealed or not.
    if (writer === 0) await store.seals.sealNext(Number.MAX_SAFE_INTEGER);
  }
}

// Seal at least one hour before the first acknowledgement.
await store.seals.append([sampleDraft({ content: { postId: `${round}-first` } })]);
await store.seals.sealNext(Number.MAX_SAFE_INTEGER);
await Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeForever(writer)));
