// Runs the attackers of npx tallycast lab siege in a separate process, so that sending does not delay the
// honest caller. Also runs the silent name server.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { beginSiege, type Target } from './attacks.ts';

const names = createSocket('udp4').bind(0, '127.0.0.1');
await once(names, 'listening');
process.send!({ nameServer: `127.0.0.1:${names.address().port}` });

let siege: ReturnType<typeof beginSiege>;
process.on('message', async (message: { begin: Target; attacks: string[] } | 'end') => {
  if (message !== 'end') {
    siege = beginSiege(message.begin, message.attacks);
    return;
  }
  process.send!(await siege.end(), () => process.exit(0));
});
