// Merges metrics from several processes: labels each sample with its process and keeps families together.

interface Family {
  head: string[];
  samples: string[];
}

/** Takes texts in the Prometheus format, by process name. */
export function mergeMetrics(texts: ReadonlyMap<string, string>): string {
  const families = new Map<string, Family>();
  for (const [worker, text] of texts) addText(families, worker, text);
  return [...families.values()]
    .map(({ head, samples }) => `${[...head, ...samples].join('\n')}\n`)
    .join('\n');
}

function addText(families: Map<string, Family>, worker: string, text: string): void {
  let current: Family | undefined;
  let isFirst = false;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const help = /^# HELP (\S+)/.exec(line);
    if (help) {
      isFirst = !families.has(help[1]!);
      if (isFirst) families.set(help[1]!, { head: [], samples: [] });
      current = families.get(help[1]!)!;
    }
    if (line.startsWith('#')) {
      if (isFirst) current?.head.push(line);
    } else current?.samples.push(label(line, worker));
  }
}

function label(line: string, worker: string): string {
  const own = `worker="${worker}"`;
  const brace = line.indexOf('{');
  const space = line.indexOf(' ');
  if (brace < 0 || space < brace) return `${line.slice(0, space)}{${own}}${line.slice(space)}`;
  return `${line.slice(0, brace + 1)}${own},${line.slice(brace + 1)}`;
}
