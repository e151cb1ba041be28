// Loaded into the service under siege before anything else: names of receivers are asked of a server that never answers, as an
// attacker's own name servers would not. Whatever else is looked up goes the usual way.

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
