// Runs tests without promise tracking. node:test tracks every promise of the process (async_hooks) to
// attribute escaped errors, which makes promise-heavy code several times slower. It is needed only while
// tests are declared. Afterwards an escaped error fails the whole program.

import hooks from 'node:async_hooks';

const createHook = hooks.createHook;
let following: hooks.AsyncHook | null = null;

// Loaded before node:test, which takes the function from the same object. The first hook is its own.
hooks.createHook = (callbacks) => {
  hooks.createHook = createHook;
  following = createHook(callbacks);
  return following;
};

function reportEscaped(error: unknown): void {
  process.stderr.write(`escaped from a test: ${error instanceof Error ? error.stack : error}\n`);
}
process.on('uncaughtExceptionMonitor', reportEscaped);
process.on('unhandledRejection', reportEscaped);

/** Once every test is declared, before the first one runs. */
export function stopFollowing(): void {
  following?.disable();
}
