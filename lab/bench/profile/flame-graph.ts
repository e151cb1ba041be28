// A V8 CPU profile as a flame graph in plain SVG: width is time, depth is the call stack.

export interface CpuProfile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: number[];
  }[];
  samples: number[];
  timeDeltas: number[];
}

export interface Frame {
  name: string;
  /** Module or file that the function belongs to. */
  place: string;
  selfUs: number;
  totalUs: number;
  children: Frame[];
}

const NOT_WORK = new Set(['(idle)', '(root)']);
const WIDTH = 1200;
const ROW = 17;
const LEAST_PX = 0.8;

/** Time asleep, and the profiler's own, are left out. */
export function buildFrames(profile: CpuProfile): Frame {
  const selfUs = new Map<number, number>();
  for (const [i, id] of profile.samples.entries()) {
    selfUs.set(id, (selfUs.get(id) ?? 0) + profile.timeDeltas[i]!);
  }
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const build = (id: number): Frame => {
    const { callFrame, children = [] } = byId.get(id)!;
    const name = callFrame.functionName || '(anonymous)';
    const built = merge(
      children.map(build).filter((child) => !NOT_WORK.has(child.name) && child.place !== 'node:inspector'),
    );
    const own = NOT_WORK.has(name) ? 0 : (selfUs.get(id) ?? 0);
    const totalUs = own + built.reduce((sum, child) => sum + child.totalUs, 0);
    return { name, place: placeOf(callFrame.url, name), selfUs: own, totalUs, children: built };
  };
  return build(profile.nodes[0]!.id);
}

/** Calls of one function from different lines stand side by side as one. */
function merge(frames: readonly Frame[]): Frame[] {
  const merged = new Map<string, Frame>();
  for (const frame of frames) {
    const key = `${frame.name} ${frame.place}`;
    const known = merged.get(key);
    if (!known) merged.set(key, frame);
    else {
      known.selfUs += frame.selfUs;
      known.totalUs += frame.totalUs;
      known.children = merge([...known.children, ...frame.children]);
    }
  }
  return [...merged.values()].sort((a, b) => b.totalUs - a.totalUs);
}

/** What has no source is native: told apart by what it does. */
const NATIVE: [RegExp, string][] = [
  [/^(writev|write\w+String|writeBuffer)$/, 'socket writes (kernel)'],
  [/^\(garbage collector\)$/, 'garbage collection'],
  [/^\(program\)$/, 'event loop, socket reads and HTTP parser (native)'],
];

function placeOf(url: string, name: string): string {
  if (url === '') return NATIVE.find(([pattern]) => pattern.test(name))?.[1] ?? 'other native functions';
  const own = /\/(src|bench)\/(.+)$/.exec(url);
  if (own) return `${own[1]}/${own[2]}`;
  const module = /\/node_modules\/(.+)$/.exec(url);
  return module ? module[1]! : url;
}

export interface Cost {
  place: string;
  share: number;
  /** Its most expensive functions. */
  functions: string[];
}

/** Self time by module, largest first. */
export function listCosts(root: Frame): Cost[] {
  const places = new Map<string, Map<string, number>>();
  const visit = (frame: Frame) => {
    const functions = places.get(frame.place) ?? new Map<string, number>();
    functions.set(frame.name, (functions.get(frame.name) ?? 0) + frame.selfUs);
    places.set(frame.place, functions);
    frame.children.forEach(visit);
  };
  visit(root);
  return [...places]
    .map(([place, functions]) => ({
      place,
      share: [...functions.values()].reduce((sum, us) => sum + us, 0) / root.totalUs,
      functions: [...functions]
        .sort((a, b) => b[1] - a[1])
        .slice(0, 4)
        .map(([name, us]) => `${name} ${((us / root.totalUs) * 100).toFixed(1)}%`),
    }))
    .sort((a, b) => b.share - a.share);
}

export function drawFlameGraph(root: Frame, title: string): string {
  const boxes: string[] = [];
  let deepest = 0;
  const draw = (frame: Frame, x: number, depth: number) => {
    const width = (frame.totalUs / root.totalUs) * WIDTH;
    if (width < LEAST_PX) return;
    deepest = Math.max(deepest, depth);
    boxes.push(box(frame, x, depth, width, frame.totalUs / root.totalUs));
    let at = x;
    for (const child of frame.children) {
      draw(child, at, depth + 1);
      at += (child.totalUs / root.totalUs) * WIDTH;
    }
  };
  draw(root, 0, 0);
  const height = (deepest + 1) * ROW + 34;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="monospace" font-size="11">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="6" y="18" font-size="13">${escapeText(title)}</text>
${boxes.join('\n')}
</svg>
`;
}

function box(frame: Frame, x: number, depth: number, width: number, share: number): string {
  const y = 28 + depth * ROW;
  const room = Math.floor((width - 4) / 6.7);
  const label = room >= 3 ? frame.name.slice(0, room) : '';
  const tip = `${frame.name} (${frame.place}) ${(share * 100).toFixed(1)}%`;
  const text =
    label === '' ? '' : `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escapeText(label)}</text>`;
  return `<g><title>${escapeText(tip)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colourOf(frame)}" stroke="#fff" stroke-width="0.4"/>${text}</g>`;
}

/** Ours stands out; the platform is grey; what is native is blue. */
function colourOf({ place, name }: Frame): string {
  if (name === '(garbage collector)') return '#e58a8a';
  if (place.startsWith('src/')) return '#f2b35e';
  if (place.startsWith('node:')) return '#d5d8de';
  return '#a9c7e8';
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
