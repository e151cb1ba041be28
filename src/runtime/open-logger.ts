// The process log: readable text on a terminal, JSON elsewhere, unless configured otherwise.

import type { Logger } from './logger.ts';
import { createEntryLogger, createPinoLogger } from './pino-logger.ts';
import { createTerminalLog, type LogOutput } from './terminal-log.ts';

export type LogFormat = 'auto' | 'text' | 'json';

export function openLogger(
  { logLevel, logFormat }: { logLevel: string; logFormat: LogFormat },
  output: LogOutput = process.stderr,
): Logger {
  if (!isForPeople(logFormat, output)) return createPinoLogger(logLevel);
  return createEntryLogger(logLevel, createTerminalLog(output).entry);
}

export function isForPeople(format: LogFormat, { isTTY }: LogOutput): boolean {
  return format === 'auto' ? isTTY === true : format === 'text';
}
