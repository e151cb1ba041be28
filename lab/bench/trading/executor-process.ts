// Runs the executor's process for the scenario: one turn per line, killed with SIGKILL.

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import type { ChildSetup, TurnReport } from './turn-report.ts';

export interface ExecutorProcess {
  /** Returns null if the process died in the meantime. */
  turn(nowTs: number): Promise<TurnReport | null>;
  kill(): void;
  /** Resolves once the process has exited. */
  ended(): Promise<void>;
}

interface Running {
  process: ChildProcess;
  lines: Interface;
  exit: Promise<void>;
}

/** The next turn restarts a process that has exited. */
export function createExecutorProcess(setup: () => ChildSetup): ExecutorProcess {
  let running: Running | null = null;

  function start(): Running {
    const program = new URL('./executor-child.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, ['--no-warnings', program, JSON.stringify(setup())], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.setMaxListeners(0);
    child.stdin!.on('error', () => {});
    const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    return { process: child, lines: createInterface({ input: child.stdout! }), exit };
  }

  return {
    async turn(nowTs) {
      running ??= start();
      const { process: child, lines, exit } = running;
      const line = new Promise<TurnReport>((resolve) =>
        lines.once('line', (text) => resolve(JSON.parse(text) as TurnReport)),
      );
      child.stdin!.write(`${nowTs}\n`);
      const report = await Promise.race([line, exit.then(() => null)]);
      if (report === null) running = null;
      return report;
    },
    kill: () => void running?.process.kill('SIGKILL'),
    async ended() {
      await running?.exit;
      running = null;
    },
  };
}
