// Boots the service on the simulator until forecasts exist, and saves its snapshots for the fixed servers.

import { writeFileSync } from 'node:fs';
import { bootService } from '../../../test/support/boot.ts';

const service = await bootService({ until: 'forecasts' });
const { board } = service.app;
writeFileSync(
  process.argv[2]!,
  JSON.stringify({ snapshots: [board.find('a'), board.find('b')], crypto: board.findCrypto() ?? null }),
);
await service.stop();
process.send!({ kind: 'done' });
process.disconnect();
