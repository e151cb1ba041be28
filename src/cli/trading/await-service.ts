// Calls to the service that gives the advice: waits for it at the start, and explains failures in one line.

import { ConnectionError, TallycastError } from '../../../packages/client-js/src/index.ts';
import { sleep } from '../../runtime/clock.ts';
import { StartError } from '../../runtime/errors.ts';
import { explainFailedCall } from '../ask.ts';
import { note, type Terminal } from '../command.ts';

const RETRY_MS = 1_000;

/** Repeats the call until the service responds; null if stopped first. */
export async function awaitService<T>(
  url: string,
  terminal: Terminal,
  call: () => Promise<T>,
): Promise<T | null> {
  const signal = terminal.stopSignal();
  let shown = '';
  do {
    try {
      return await call();
    } catch (error) {
      if (!isTemporary(error)) throw toStartError(error, url);
      const text = `${explainFailedCall(error, url)} Retrying every second.`;
      if (text !== shown) note(terminal, text);
      shown = text;
    }
    await sleep(terminal.clock, RETRY_MS, signal);
  } while (!signal.aborted);
  return null;
}

/** For commands that end at once: a failed call is one line, not a stack trace. */
export async function askOnce<T>(url: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toStartError(error, url);
  }
}

/** No response, overload or restart; other rejections are permanent. */
function isTemporary(error: unknown): boolean {
  if (error instanceof TallycastError) return error.status === 429 || error.status >= 500;
  return error instanceof ConnectionError;
}

function toStartError(error: unknown, url: string): unknown {
  const isOfService = error instanceof TallycastError || error instanceof ConnectionError;
  return isOfService ? new StartError(explainFailedCall(error, url), error) : error;
}
