// Lets tests run without being followed. node:test follows every promise of the process (async_hooks) to know which test
// an error escaped from; that makes code of many promises several times as slow. It is needed while tests are declared,
// to know which suite one belongs to. After that an error that escapes is told of the program, which fails by it.

import hooks from 'node:async_hooks';

const createHook = hooks.createHook;
let following: hooks.AsyncHook | null = null;

// Loaded before node:test, which takes the function from the same object. The first hook is its own.
hooks.createHook = (callbacks) => {
  hooks.createHook = createHook;
  following = createHook(callbacks);
  return following;
};

function tellEscaped(error: unknown): void {
  process.stderr.write(`escaped from a test: ${error instanceof Error ? error.stack : error}\n`);
}
process.on('uncaughtExceptionMonitor', tellEscaped);
process.on('unhandledRejection', tellEscaped);

/** Once every test is declared, before the first one runs. */
export function stopFollowing(): void {
  following?.disable();
}
