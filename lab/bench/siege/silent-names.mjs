// Preloaded into the service under siege: resolves receiver names through a server that never responds, like
// an attacker's name server. Other lookups are unaffected.

import { promises } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const { Resolver } = promises;
promises.Resolver = class extends Resolver {
  constructor(options) {
    super(options);
    this.setServers([process.env.SILENT_NAME_SERVER]);
  }
};
syncBuiltinESMExports();
