// The folder of a published site: only ours is changed, files are replaced atomically, nothing is removed.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError, UsageError } from '../../runtime/errors.ts';

const MANIFEST = 'site.json';
const GENERATOR = 'tallycast site';

interface Manifest {
  generator: typeof GENERATOR;
  /** Identifies the service. */
  key_id: string;
  /** Events with public forecasts when the folder was last completed. */
  public_events: number[];
  /** The service may have sent texts from before the newest of these events became public. */
  is_fresh: boolean;
}

export interface SiteFolder {
  /** Whether withheld texts may be public now. */
  mayReveal(publicEvents: readonly number[]): boolean;
  pathOf(name: string): string;
  /** Call before the first write; an interrupted first run can then be continued. */
  begin(): void;
  /** Replaces the file atomically, unless it is the same already. */
  write(name: string, text: string | Buffer): void;
  /** Call when everything is written. */
  complete(publicEvents: readonly number[]): void;
}

export function openSiteFolder(folder: string, keyId: string): SiteFolder {
  const manifest = readManifest(folder);
  if (manifest && manifest.key_id !== keyId)
    throw new StartError(
      `${folder} has the site of another service (key ${manifest.key_id}, this one has ${keyId}). Choose another folder.`,
    );
  const pathOf = (name: string) => join(folder, name);
  const write = (name: string, text: string | Buffer) => replaceFile(pathOf(name), text);
  const save = (public_events: number[], is_fresh: boolean) => {
    const saved: Manifest = { generator: GENERATOR, key_id: keyId, public_events, is_fresh };
    write(MANIFEST, `${JSON.stringify(saved)}\n`);
  };
  const known = new Set(manifest?.public_events);
  const hasNew = (publicEvents: readonly number[]) => publicEvents.some((eventId) => !known.has(eventId));
  return {
    mayReveal: (publicEvents) => (manifest?.is_fresh ?? true) || hasNew(publicEvents),
    pathOf,
    begin() {
      mkdirSync(join(folder, 'events'), { recursive: true });
      if (!manifest) save([], true);
    },
    write,
    complete: (publicEvents) =>
      save(
        [...publicEvents].sort((left, right) => left - right),
        hasNew(publicEvents),
      ),
  };
}

/** Returns null for a folder that is missing or empty; rejects one that something else has written. */
export function readManifest(folder: string): Manifest | null {
  if (!existsSync(folder)) return null;
  if (!statSync(folder).isDirectory()) throw new UsageError(`DIR: ${folder} is not a folder`);
  if (readdirSync(folder).length === 0) return null;
  try {
    const found = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest;
    if (found.generator === GENERATOR && Array.isArray(found.public_events)) return found;
  } catch {
    // Reported below, like a file with other content.
  }
  throw new UsageError(
    `DIR: ${folder} is not empty and was not written by tallycast site. Choose another folder.`,
  );
}

function replaceFile(path: string, text: string | Buffer): void {
  const bytes = Buffer.from(text);
  if (existsSync(path) && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.part`;
  writeFileSync(draft, bytes, { flush: true });
  renameSync(draft, path);
}
