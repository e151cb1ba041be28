// A V8 CPU profile of the main thread of a running Node process, from outside: its inspector is opened by a signal.

import { setTimeout as wait } from 'node:timers/promises';
import type { CpuProfile } from './flame-graph.ts';

const SAMPLE_EVERY_US = 200;

/** `inspectPort` is what the process was told with --inspect-port. */
export async function profileProcess(
  pid: number,
  inspectPort: number,
  meanwhile: () => Promise<void>,
): Promise<CpuProfile> {
  process.kill(pid, 'SIGUSR1');
  const inspector = await connect(await findAddress(inspectPort));
  try {
    await inspector.call('Profiler.enable');
    await inspector.call('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
    await inspector.call('Profiler.start');
    await meanwhile();
    return (await inspector.call<{ profile: CpuProfile }>('Profiler.stop')).profile;
  } finally {
    inspector.close();
  }
}

async function findAddress(port: number): Promise<string> {
  for (;;) {
    try {
      const targets = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
      return (targets as { webSocketDebuggerUrl: string }[])[0]!.webSocketDebuggerUrl;
    } catch {
      await wait(100);
    }
  }
}

interface Inspector {
  call<T>(method: string, params?: object): Promise<T>;
  close(): void;
}

async function connect(url: string): Promise<Inspector> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (result: unknown) => void>();
  let lastId = 0;
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  return {
    call<T>(method: string, params: object = {}) {
      const id = ++lastId;
      socket.send(JSON.stringify({ id, method, params }));
      return new Promise<T>((resolve) => waiting.set(id, (result) => resolve(result as T)));
    },
    close: () => socket.close(),
  };
}
