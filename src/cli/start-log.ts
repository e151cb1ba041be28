// Startup output: JSON for programs; on a terminal, short lines and a progress line during backfill.

import type { Config } from '../config/config.ts';
import { PAST_COMING, PAST_IN, PAST_INCOMPLETE } from '../ingest/repair/backfill.ts';
import type { Logger } from '../runtime/logger.ts';
import { createEntryLogger, isForPeople } from '../runtime/open-logger.ts';
import { createTerminalLog, type LogEntry } from '../runtime/terminal-log.ts';
import type { BoardReader } from '../state/board.ts';
import { print, type Terminal } from './command.ts';

export interface StartLog {
  /** If absent, the service uses its own logger, which writes JSON. */
  logger?: Logger;
  print(text: string): void;
  /** Starts following backfill progress. */
  follow(board: BoardReader): void;
}

const REDRAW_MS = 100;

export function createStartLog(config: Config, terminal: Terminal): StartLog {
  const { notes, output, clock } = terminal;
  if (!isForPeople(config.logFormat, notes)) return { print: (text) => print(terminal, text), follow() {} };
  const log = createTerminalLog(notes);
  const coming = new Map<string, string>();
  let board: BoardReader | null = null;
  let drawnTs = 0;

  function draw(isUrgent: boolean): void {
    if (!notes.isTTY || (!isUrgent && clock.now() - drawnTs < REDRAW_MS)) return;
    drawnTs = clock.now();
    const parts = [...coming].map(([segment, accountId]) => {
      const posts = board?.find(accountId)?.totalPosts ?? 0;
      return `${segment} ${posts.toLocaleString('en-US')} posts`;
    });
    log.progress(parts.length === 0 ? null : `backfilling: ${parts.join(', ')}`);
  }

  function hear(entry: LogEntry): void {
    const account = config.accounts.find(({ segment }) => segment === entry.account);
    if (entry.msg === PAST_COMING && account) {
      coming.set(account.segment, account.accountId);
      draw(true);
      return;
    }
    if ((entry.msg === PAST_IN || entry.msg === PAST_INCOMPLETE) && account) {
      coming.delete(account.segment);
      draw(true);
    }
    log.entry(entry);
  }

  return {
    logger: createEntryLogger(config.logLevel, hear),
    // On a terminal, text and the progress line share the screen, so they need one writer.
    print: output.isTTY ? (text) => log.print(text) : (text) => print(terminal, text),
    follow(found) {
      board = found;
      const leave = board.listen(() => {
        if (coming.size > 0) draw(false);
      });
      terminal.stopSignal().addEventListener('abort', () => {
        leave();
        coming.clear();
        draw(true);
      });
    },
  };
}
