// Ends processes and everything they started, even in other process groups. On systems other than Linux, only
// the process itself is found.

import { existsSync, readdirSync, readFileSync } from 'node:fs';

interface Process {
  pid: number;
  parentPid: number;
  command: string;
}

/** Shared by concurrent runs; ends on its own when no running process uses it. */
const SHARED = 'postgres-keeper';

export function killTree(rootPid: number): void {
  for (const pid of [rootPid, ...listDescendants(rootPid)]) kill(pid);
}

export function killDescendants(): void {
  for (const pid of listDescendants(process.pid)) kill(pid);
}

function listDescendants(rootPid: number): number[] {
  const children = Map.groupBy(listProcesses(), ({ parentPid }) => parentPid);
  const found = new Set([rootPid]);
  for (const pid of found) {
    const own = children.get(pid)?.filter(({ command }) => !command.includes(SHARED)) ?? [];
    for (const child of own) found.add(child.pid);
  }
  found.delete(rootPid);
  return [...found];
}

function listProcesses(): Process[] {
  const ids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return ids.flatMap((id) => {
    try {
      const [, parentPid] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return [
        {
          pid: Number(id),
          parentPid: Number(parentPid),
          command: readFileSync(`/proc/${id}/cmdline`, 'utf8'),
        },
      ];
    } catch {
      // The process has already ended.
      return [];
    }
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
