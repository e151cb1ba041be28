// Runs tests without promise tracking. node:test tracks every promise in the process (async_hooks) to
// attribute uncaught errors to tests, which makes promise-heavy code several times slower. Tracking is needed
// only while tests are declared; after that, an uncaught error fails the whole program.

import hooks from 'node:async_hooks';

const createHook = hooks.createHook;
let following: hooks.AsyncHook | null = null;

// Must load before node:test, which takes createHook from the same object and creates the first hook.
hooks.createHook = (callbacks) => {
  hooks.createHook = createHook;
  following = createHook(callbacks);
  return following;
};

function reportEscaped(error: unknown): void {
  process.stderr.write(`uncaught in a test: ${error instanceof Error ? error.stack : error}\n`);
}
process.on('uncaughtExceptionMonitor', reportEscaped);
process.on('unhandledRejection', reportEscaped);

/** Call once every test is declared, before the first one runs. */
export function stopTracking(): void {
  following?.disable();
}
