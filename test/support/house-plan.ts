// Parses the import table in ARCHITECTURE.md and finds violations. Pure: files are passed as path and text.

export interface SourceFile {
  /** Path from the repository root, e.g. src/domain/post.ts. */
  path: string;
  text: string;
}

/** Maps each room to the paths it may import from, relative to the repository root; null means all. */
export type HousePlan = ReadonlyMap<string, readonly string[] | null>;

const TABLE_ROW = /^\| `([^`]+)` \|[^|]*\| ([^|]+) \|$/gm;
const IMPORT = /(?:^|[^.\w])(?:from|import)\s*\(?\s*'([^']+)'/g;
/** Matches files that threads and processes start by name instead of importing. */
const NAMED_FILE = /new URL\('(\.[^']+)'/g;

/** Parses the table `folder | content | may import`. */
export function parsePlan(markdown: string): HousePlan {
  const rows = [...markdown.matchAll(TABLE_ROW)];
  if (rows.length === 0) throw new Error('no table of rooms found');
  return new Map(rows.map(([, room, mayImport]) => [room!, parsePlaces(mayImport!.trim())]));
}

function parsePlaces(cell: string): string[] | null {
  if (cell === 'all') return null;
  if (cell === 'nothing of ours') return [];
  return cell.split(', ').map((place) => {
    const name = /^`?([\w./-]+)`?$/.exec(place)?.[1];
    if (name === undefined)
      throw new Error(`'${place}' is not a room; use room names, 'all' or 'nothing of ours'`);
    return name.startsWith('packages/') || name === 'simulator' ? name : `src/${name}`;
  });
}

/** Finds imports that the room's row does not allow. */
export function findForbiddenImports(files: readonly SourceFile[], plan: HousePlan): string[] {
  return files.flatMap((file) => {
    const room = roomOf(file.path, plan);
    if (room === undefined) return [`${file.path} is in no room of the table`];
    const allowed = plan.get(room);
    if (allowed === null || allowed === undefined) return [];
    return listLocalImports(file)
      .filter((target) => ![room, ...allowed].some((place) => isWithin(target, place)))
      .map((target) => `${file.path} imports ${target}`);
  });
}

function roomOf(path: string, plan: HousePlan): string | undefined {
  return [...plan.keys()].find((room) => isWithin(path, room));
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

/** Finds import cycles between files; lists each once, in import order. */
export function findImportCycles(files: readonly SourceFile[]): string[] {
  const known = new Set(files.map((file) => file.path));
  return findLoops(
    new Map(files.map((file) => [file.path, listLocalImports(file).filter((target) => known.has(target))])),
  );
}

/** Finds import cycles between rooms, through any of their files. */
export function findRoomCycles(files: readonly SourceFile[], plan: HousePlan): string[] {
  const rooms = new Map([...plan.keys()].map((room) => [room, new Set<string>()]));
  for (const file of files) {
    const room = roomOf(file.path, plan);
    for (const target of listLocalImports(file)) {
      const other = roomOf(target, plan);
      // A file with its own row counts as a separate room.
      const isNamedAlone = plan.get(room ?? '')?.includes(target);
      if (room && other && other !== room && !isNamedAlone) rooms.get(room)!.add(other);
    }
  }
  return findLoops(new Map([...rooms].map(([room, targets]) => [room, [...targets]])));
}

/** Finds import cycles between folders of one room; a top-level file counts as a folder. */
export function findFolderCycles(files: readonly SourceFile[], plan: HousePlan): string[] {
  const arrows = new Map<string, Set<string>>();
  for (const file of files) {
    const room = roomOf(file.path, plan);
    const folder = folderOf(file.path, room);
    for (const target of listLocalImports(file)) {
      const other = folderOf(target, room);
      if (folder === undefined || other === undefined || other === folder) continue;
      arrows.set(folder, (arrows.get(folder) ?? new Set()).add(other));
    }
  }
  return findLoops(new Map([...arrows].map(([folder, targets]) => [folder, [...targets]])));
}

/**
 * Returns room/folder for a file in a folder, the whole path for a top-level file; undefined outside the room.
 */
function folderOf(path: string, room: string | undefined): string | undefined {
  if (room === undefined || !isWithin(path, room)) return undefined;
  // The page and the client keep their sources one level down.
  const depth = room.split('/').length + (/^(web|packages)\b/.test(room) ? 1 : 0);
  const parts = path.split('/');
  return parts.length > depth + 1 ? parts.slice(0, depth + 1).join('/') : path;
}

function findLoops(arrows: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const loops: string[] = [];
  function visit(node: string, trail: readonly string[]): void {
    const at = trail.indexOf(node);
    if (at >= 0) loops.push([...trail.slice(at), node].join(' -> '));
    if (at >= 0 || done.has(node)) return;
    for (const target of arrows.get(node) ?? []) visit(target, [...trail, node]);
    done.add(node);
  }
  for (const node of [...arrows.keys()].sort()) visit(node, []);
  return loops;
}

/**
 * Finds files that no running code uses; files used only by tests belong in test/.
 */
export function findUnreached(
  files: readonly SourceFile[],
  isEntry: (path: string) => boolean,
  readers: readonly SourceFile[] = [],
): string[] {
  const imports = new Map(
    [...files, ...readers].map((file) => [file.path, [...listLocalImports(file), ...listNamedFiles(file)]]),
  );
  const reached = new Set<string>();
  const waiting = [...readers, ...files.filter(({ path }) => isEntry(path))].map(({ path }) => path);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    waiting.push(...(imports.get(path) ?? []));
  }
  return files.map(({ path }) => path).filter((path) => !reached.has(path));
}

const EDGE_MODULES =
  /^node:(fs|fs\/promises|http|https|http2|net|tls|dgram|child_process|worker_threads|cluster)$/;

/** Finds files or sockets opened in a pure room. */
export function findImpureImports(files: readonly SourceFile[], pureRooms: readonly string[]): string[] {
  return files
    .filter(({ path }) => pureRooms.some((room) => isWithin(path, room)))
    .flatMap((file) =>
      listImports(file)
        .filter((name) => EDGE_MODULES.test(name))
        .map((name) => `${file.path} imports ${name}`),
    );
}

export function findLongFiles(files: readonly SourceFile[], maxLines: number): string[] {
  return files
    .filter(({ text }) => text.split('\n').length > maxLines + 1)
    .map(({ path, text }) => `${path} has ${text.split('\n').length - 1} lines`);
}

export function listLocalImports(file: SourceFile): string[] {
  return listImports(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => joinPath(file.path, name));
}

function listNamedFiles({ path, text }: SourceFile): string[] {
  return [...text.matchAll(NAMED_FILE)].map((match) => joinPath(path, match[1]!));
}

/** Lists value and type imports, static and dynamic. Ignores comments. */
function listImports({ text }: SourceFile): string[] {
  return [...withoutComments(text).matchAll(IMPORT)].map((match) => match[1]!);
}

export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

function joinPath(from: string, relative: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
