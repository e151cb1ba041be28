// Writes one post after another and reports each; traced by `npx tallycast lab durability`.

import { writeSync } from 'node:fs';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import { samplePost } from '../../test/store/samples.ts';

const [folder, commits] = process.argv.slice(2);
const store = await openStore({ dataDir: folder!, clock: systemClock, logger: silentLogger });
for (let i = 1; i <= Number(commits); i++) {
  await store.posts.recordCaptures([samplePost({ postId: String(i) })]);
  writeSync(1, `durable ${i}\n`);
}
await store.close();
