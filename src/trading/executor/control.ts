// Manual control through files in the executor's folder, written by the CLI and by Telegram and read every
// cycle.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Control {
  /** Reason to stop; null if trading is not stopped. */
  readKillSwitch(): string | null;
  isFlattening(): boolean;
  stop(reason: string): void;
  /** Stops buying and sells all positions. */
  flatten(reason: string): void;
  /** Undoes `stop` and `flatten`. */
  resume(): void;
}

const STOP = 'STOP';
const FLATTEN = 'FLATTEN';
const MAX_REASON = 200;

/** Empty if unreadable (say, owned by root): the file's existence stops trading, not its text. */
function readReason(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim().slice(0, MAX_REASON);
  } catch {
    return '';
  }
}

export function openControl(folder: string): Control {
  const [stopFile, flattenFile] = [join(folder, STOP), join(folder, FLATTEN)];
  const write = (file: string, reason: string) => writeFileSync(file, `${reason}\n`, { mode: 0o600 });
  return {
    readKillSwitch() {
      if (!existsSync(stopFile)) return null;
      return readReason(stopFile) || 'stopped by file';
    },
    isFlattening: () => existsSync(flattenFile),
    stop: (reason) => write(stopFile, reason),
    flatten(reason) {
      write(flattenFile, reason);
      rmSync(stopFile, { force: true });
    },
    resume() {
      rmSync(stopFile, { force: true });
      rmSync(flattenFile, { force: true });
    },
  };
}
