// Draws the rooms and their imports. A room is above everything it imports, so arrows point down; an arrow
// that points up closes a cycle and is red. Pure: files are passed as path and text.

import { listLocalImports, type SourceFile } from '../test/support/house-plan.ts';

export interface RoomGraph {
  /** Maps each room to its folders, by name. */
  rooms: ReadonlyMap<string, readonly string[]>;
  arrows: readonly { from: string; to: string }[];
}

const ROOM = /^(?:src|lab|packages)\/([^/]+)|^(client|web|simulator)\//;
const [ROOM_WIDTH, GAP, LAYER_HEIGHT, MARGIN] = [132, 24, 150, 20];

function roomOf(path: string): string | undefined {
  const match = ROOM.exec(path);
  return match?.[1] ?? match?.[2];
}

export function readRoomGraph(files: readonly SourceFile[]): RoomGraph {
  const folders = new Map<string, Set<string>>();
  const arrows = new Set<string>();
  for (const file of files) {
    const room = roomOf(file.path);
    if (room === undefined) continue;
    const inside = folders.get(room) ?? folders.set(room, new Set()).get(room)!;
    const folder = /^(?:(?:src|lab|packages)\/[^/]+|client|web|simulator)\/(?:src\/)?([^/]+)\//.exec(
      file.path,
    )?.[1];
    if (folder && folder !== 'src') inside.add(folder);
    for (const target of listLocalImports(file)) {
      const other = roomOf(target);
      if (other !== undefined && other !== room) arrows.add(`${room} ${other}`);
    }
  }
  return {
    rooms: new Map([...folders].sort().map(([room, inside]) => [room, [...inside].sort()])),
    arrows: [...arrows].sort().map((arrow) => {
      const [from, to] = arrow.split(' ') as [string, string];
      return { from, to };
    }),
  };
}

/** Assigns each room a floor. A cycle is cut where it returns to a room already on the path. */
export function findFloors({ rooms, arrows }: RoomGraph): Map<string, number> {
  const floors = new Map<string, number>();
  function visit(room: string, trail: readonly string[]): number {
    const known = floors.get(room);
    if (known !== undefined) return known;
    const below = arrows.filter(({ from, to }) => from === room && rooms.has(to) && !trail.includes(to));
    const floor = Math.max(-1, ...below.map(({ to }) => visit(to, [...trail, room]))) + 1;
    floors.set(room, floor);
    return floor;
  }
  for (const room of rooms.keys()) visit(room, [room]);
  return floors;
}

export function drawRoomGraph(graph: RoomGraph): string {
  const floors = findFloors(graph);
  const top = Math.max(0, ...floors.values());
  const layers = Array.from({ length: top + 1 }, (_, i) =>
    [...graph.rooms.keys()].filter((room) => floors.get(room) === top - i),
  );
  const widest = Math.max(...layers.map((layer) => layer.length));
  const width = 2 * MARGIN + widest * (ROOM_WIDTH + GAP) - GAP;
  const height = 2 * MARGIN + layers.length * LAYER_HEIGHT - 60;
  const places = new Map(layers.flatMap((layer, i) => placeLayer(layer, i, width)));
  const drawnArrows = graph.arrows
    .filter(({ from, to }) => places.has(from) && places.has(to))
    .map(({ from, to }) => drawArrow(places.get(from)!, places.get(to)!, `${from} imports ${to}`));
  const drawnRooms = [...places].map(([room, place]) => drawRoom(room, graph.rooms.get(room)!, place));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" role="img" aria-label="Rooms and what they import">`,
    STYLE,
    ...drawnArrows,
    ...drawnRooms,
    '</svg>\n',
  ].join('\n');
}

interface Place {
  x: number;
  y: number;
}

function placeLayer(layer: readonly string[], i: number, width: number): [string, Place][] {
  const left = (width - layer.length * (ROOM_WIDTH + GAP) + GAP) / 2;
  return layer.map((room, at) => [room, { x: left + at * (ROOM_WIDTH + GAP), y: MARGIN + i * LAYER_HEIGHT }]);
}

function drawArrow(from: Place, to: Place, title: string): string {
  const isDown = to.y > from.y;
  const [x1, x2] = [from.x + ROOM_WIDTH / 2, to.x + ROOM_WIDTH / 2];
  const [y1, y2] = isDown ? [from.y + 90, to.y - 2] : [from.y, to.y + 92];
  const bend = (y2 - y1) / 2;
  const path = `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
  return `<path class="${isDown ? 'a' : 'u'}" d="${path}"><title>${title}</title></path>`;
}

function drawRoom(room: string, folders: readonly string[], { x, y }: Place): string {
  const middle = x + ROOM_WIDTH / 2;
  const lines = wrap(folders, 22).slice(0, 4);
  return [
    `<rect class="r" x="${x}" y="${y}" width="${ROOM_WIDTH}" height="90" rx="8"/>`,
    `<text class="t" x="${middle}" y="${y + 22}" text-anchor="middle">${room}</text>`,
    ...lines.map(
      (line, i) => `<text class="s" x="${middle}" y="${y + 40 + 14 * i}" text-anchor="middle">${line}</text>`,
    ),
  ].join('\n');
}

function wrap(words: readonly string[], most: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const STYLE = `<style>.r{fill:#f6f8fa;stroke:#57606a}.t{font-size:15px;font-weight:600;fill:#1f2328}.s{font-size:11px;fill:#57606a}.a{stroke:#57606a;stroke-opacity:.45;fill:none;marker-end:url(#m)}.u{stroke:#cf222e;stroke-width:2;fill:none;marker-end:url(#m)}@media (prefers-color-scheme: dark){.r{fill:#161b22;stroke:#8b949e}.t{fill:#e6edf3}.s{fill:#8b949e}.a{stroke:#8b949e}}</style>
<defs><marker id="m" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#57606a"/></marker></defs>`;
