// A process that serves requests under `serve --workers N`. Started by the first process, never manually.

import { askForAllowances } from '../app/allowance-service.ts';
import { startWorker, type WorkerApp } from '../app/composition.ts';
import type { FromWorker, ToWorker } from '../app/worker-messages.ts';

import { rememberConfigSecrets } from '../config/config.ts';

import { systemClock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import { createBoard } from '../state/board.ts';
import { installLastWords } from './last-words.ts';

installLastWords();

const board = createBoard();
const asked = askForAllowances(say, systemClock);
let starting: Promise<WorkerApp> | null = null;

function say(message: FromWorker): void {
  if (process.connected) process.send!(message);
}

function fail(error: unknown): void {
  say({ kind: 'failed', problem: errorMessage(error) });
  process.exitCode = 1;
  process.disconnect();
}

process.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'begin':
      rememberConfigSecrets(message.config);
      starting = startWorker(message, board, asked.allowances);
      starting.then(() => say({ kind: 'ready' })).catch(fail);
      return;
    case 'snapshot':
      return board.publish({ ...board.find(message.accountId), ...JSON.parse(message.fields) });
    case 'crypto':
      return board.publishCrypto(JSON.parse(message.body));
    case 'allowances':
      return asked.hear(message);
    case 'metrics':
      void starting?.then(async (app) =>
        say({ kind: 'metrics', requestId: message.requestId, text: await app.metricsText() }),
      );
      return;
    case 'stop':
      void starting?.then((app) => app.stop()).finally(() => process.disconnect());
  }
});

// Ctrl-C signals the whole process group, but the first process decides when this one stops.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
