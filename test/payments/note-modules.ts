// Preloaded by packages-loaded.test.ts: reports the loaded payment and agent packages at exit.

import { registerHooks } from 'node:module';

const LATE_PACKAGES = /node_modules\/(@x402|viem|@ethereumjs|ox|@modelcontextprotocol|zod)\//;
const loaded = new Set<string>();

registerHooks({
  load(url, context, next) {
    const name = LATE_PACKAGES.exec(url)?.[1];
    if (name) loaded.add(name);
    return next(url, context);
  },
});
process.on('exit', () => process.stdout.write(`loaded: ${[...loaded].sort().join(' ')}\n`));
