// Resident memory of a process by kind, from its memory map; shows which kind grows.

import { readFileSync } from 'node:fs';

export interface MemoryParts {
  /** The C allocator's single arena: socket buffers, SQLite, compiled regular expressions. */
  allocatorMb: number;
  /** Pages of the executable, libraries and mapped files. */
  filesMb: number;
  /** V8 heaps and code, thread stacks and large allocator blocks. */
  otherMb: number;
}

export function readMemoryParts(pid: number): MemoryParts {
  return parseMemoryMap(readFileSync(`/proc/${pid}/smaps`, 'utf8'));
}

export function parseMemoryMap(smaps: string): MemoryParts {
  const parts: MemoryParts = { allocatorMb: 0, filesMb: 0, otherMb: 0 };
  let kind: keyof MemoryParts = 'otherMb';
  for (const line of smaps.split('\n')) {
    const head = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)$/.exec(line);
    if (head) kind = kindOf(head[1]!);
    const resident = /^Rss: +(\d+) kB/.exec(line);
    if (resident) parts[kind] += Number(resident[1]) / 1024;
  }
  return parts;
}

function kindOf(name: string): keyof MemoryParts {
  if (name === '[heap]') return 'allocatorMb';
  return name.startsWith('/') ? 'filesMb' : 'otherMb';
}
