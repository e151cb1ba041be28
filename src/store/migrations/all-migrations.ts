// All migrations, in order. Never edit a released migration; add a new one.

import { observations } from './0001-observations.ts';
import { callers } from './0002-callers.ts';
import { coordination } from './0003-coordination.ts';
import { quickSnapshots } from './0004-quick-snapshots.ts';
import { usageHours } from './0005-usage-hours.ts';
import { doubtfulPosts } from './0006-doubtful-posts.ts';
import { reach } from './0007-reach.ts';
import { usageRequests } from './0008-usage-requests.ts';
import { signalGrounds } from './0009-signal-grounds.ts';
import { storeOrigin } from './0010-store-origin.ts';
import { contractTerms } from './0011-contract-terms.ts';
import { edgeKinds } from './0012-edge-kinds.ts';
import { seals } from './0013-seals.ts';
import { archive } from './0014-archive.ts';
import { dossiers } from './0015-dossiers.ts';
import type { Migration } from './migration.ts';

export const ALL_MIGRATIONS: readonly Migration[] = [
  observations,
  callers,
  coordination,
  quickSnapshots,
  usageHours,
  doubtfulPosts,
  reach,
  usageRequests,
  signalGrounds,
  storeOrigin,
  contractTerms,
  edgeKinds,
  seals,
  archive,
  dossiers,
];
