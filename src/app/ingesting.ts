// Keeps this process's board current, by doing the leader's work or by following another leader.

import { createBoardFollower } from '../jobs/board-follower.ts';
import { systemClock } from '../runtime/clock.ts';
import { createIngestSupervisor, type IngestSupervisor } from './ingest-supervisor.ts';
import { prepareLeaderWork } from './leader-work.ts';
import type { Parts } from './parts.ts';

export async function followSnapshots({ board, store, logger, closers }: Parts): Promise<void> {
  const follower = createBoardFollower({ board, snapshots: store.snapshots, clock: systemClock, logger });
  closers.add('board follower', () => follower.stop());
  await follower.start();
}

export async function superviseIngest(parts: Parts): Promise<IngestSupervisor> {
  const { store, logger, simulator, closers } = parts;
  const timeScale = Math.max(1, simulator?.speed ?? 1);
  const supervisor = createIngestSupervisor({
    store,
    logger,
    prepare: () =>
      prepareLeaderWork({
        ...parts,
        timeScale,
        postWebhook: parts.overrides.postWebhook,
        simulatorUrl: simulator?.urls.base ?? null,
      }),
  });
  closers.add('ingestion', () => supervisor.stop());
  await supervisor.start();
  return supervisor;
}
