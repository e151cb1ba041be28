// The HTTP interface on a store with a long record and without background work, in a separate process.

import { MINUTE_MS } from '../../../src/domain/units.ts';
import { NOW_TS } from '../../../test/api/fixture.ts';
import { startHarness } from '../../../test/api/harness.ts';
import { fillRecord } from '../load/fill-record.ts';

// Every call comes from another address, because an address may make 100 calls an hour.
const harness = await startHarness({ settings: { trustedProxyHops: 1 } });
await fillRecord(harness.store, NOW_TS);
process.on('message', () => {
  // No response is reused for longer than this.
  harness.clock.advance(MINUTE_MS + 1);
  process.send!('advanced');
});
process.on('SIGTERM', () => void harness.close().then(() => process.exit(0)));
process.send!(`http://127.0.0.1:${harness.port}`);
