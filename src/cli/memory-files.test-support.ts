// Files in memory, and everything a command prints.

import type { FileAccess } from './files.ts';

export function memoryIo(files: Record<string, string>) {
  const out = { printed: '', reported: '', files };
  const io: FileAccess = {
    readText: (path) => files[path] ?? '',
    writeText: (path, text) => {
      files[path] = text;
    },
    print: (text) => {
      out.printed += text;
    },
    report: (text) => {
      out.reported += text;
    },
  };
  return { out, io };
}
