// A port call as data, so that it can be queued, sent to the writer thread, or run in a transaction.

import type { Connection } from './engine.ts';
import { assertStillLeads } from './leader-epoch.ts';
import type { PortName, Ports } from './queries/all-queries.ts';
import { FENCED_PORTS, QUERY_FACTORIES, WRITE_METHODS } from './queries/all-queries.ts';

export interface PortCall {
  port: PortName;
  method: string;
  args: readonly unknown[];
}

export interface PortRunner {
  read(call: PortCall): Promise<unknown>;
  write(call: PortCall): Promise<unknown>;
}

type AnyPort = Record<string, (...args: readonly unknown[]) => Promise<unknown>>;

/** Creates ports that route every call through the runner. */
export function createPorts(runner: PortRunner): Ports {
  // Queries built on a connection that is never used provide the method names.
  const shape = {} as Connection;
  const ports = Object.entries(QUERY_FACTORIES).map(([name, createQueries]) => {
    const port = name as PortName;
    const writes: readonly string[] = WRITE_METHODS[port];
    const methods = Object.keys(createQueries(shape)).map((method) => {
      const run = writes.includes(method) ? runner.write : runner.read;
      return [method, (...args: unknown[]) => run({ port, method, args })];
    });
    return [port, Object.fromEntries(methods)];
  });
  return Object.fromEntries(ports) as Ports;
}

export function runCall(connection: Connection, call: PortCall): Promise<unknown> {
  const port = QUERY_FACTORIES[call.port](connection) as unknown as AnyPort;
  return port[call.method]!(...call.args);
}

/** Runs a write in the caller's transaction; fails if it is a leader's write and a newer leader exists. */
export async function runWrite(
  connection: Connection,
  call: PortCall,
  leaderEpoch: number | null,
): Promise<unknown> {
  if (leaderEpoch !== null && FENCED_PORTS.has(call.port)) await assertStillLeads(connection, leaderEpoch);
  return runCall(connection, call);
}
