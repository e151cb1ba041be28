// Runs the simulator in a separate process, so that its computations never delay a response. It always ends
// with the process that started it.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.ts';
import { systemClock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { type OpenSimulator, type SimulatorFacts, simulatorAt } from './open-simulator.ts';

export type ToSimulator = { kind: 'begin'; config: Config } | { kind: 'stop' };
export type FromSimulator =
  | { kind: 'ready'; url: string; isWallTime: boolean; facts: SimulatorFacts }
  | { kind: 'failed'; problem: string };

export interface SimulatorProcess {
  open(config: Config, logger: Logger): Promise<OpenSimulator>;
  /** Kills the process, whether or not it was opened. */
  end(): void;
}

const ENTRY = new URL('../bin/simulator-child.ts', import.meta.url);
const isForChild = (flag: string) => !/^--(?:inspect)/.test(flag);

/** The process loads while the service opens its store; the simulator starts on `open`. */
export function prepareSimulatorProcess(): SimulatorProcess {
  const child = fork(fileURLToPath(ENTRY), [], {
    execArgv: process.execArgv.filter(isForChild),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // `open` reports an early failure.
  child.on('error', () => {});
  return {
    async open(config, logger) {
      const { url, isWallTime, facts } = await begin(child, config);
      const reached = simulatorAt(url, facts);
      let isClosing = false;
      child.once('exit', (code, signal) => {
        if (!isClosing) logger.error({ reason: signal ?? code }, 'simulator process ended');
      });
      return {
        ...reached,
        clock: isWallTime ? systemClock : reached.clock,
        async close() {
          isClosing = true;
          await stop(child);
        },
      };
    },
    end: () => void child.kill('SIGKILL'),
  };
}

function begin(child: ChildProcess, config: Config): Promise<Extract<FromSimulator, { kind: 'ready' }>> {
  return new Promise((resolve, reject) => {
    child.once('message', (message: FromSimulator) => {
      if (message.kind === 'ready') resolve(message);
      else reject(new Error(message.problem));
    });
    child.once('exit', (code, signal) => reject(new Error(`the simulator process ended: ${signal ?? code}`)));
    child.once('error', (error) => reject(new Error(`the simulator process failed: ${errorMessage(error)}`)));
    send(child, { kind: 'begin', config });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  send(child, { kind: 'stop' });
  await exited;
}

function send(child: ChildProcess, message: ToSimulator): void {
  if (child.connected) child.send(message);
}
