// Downloads chart data as a CSV file, page by page, with the caller's key.

import { authHeaders, noteAllowance } from './access.ts';
import { API_BASE, describeFailure, formatQuery, type Query } from './request.ts';

const LINE_END = '\r\n';

export async function downloadCsv(path: string, query: Query, name: string): Promise<void> {
  const text = await fetchCsv(path, query);
  saveFile(text, 'text/csv', name);
}

async function fetchCsv(path: string, query: Query): Promise<string> {
  let next: string | null = `${API_BASE}${path}${formatQuery({ ...query, format: 'csv' })}`;
  let whole = '';
  while (next !== null) {
    const response: Response = await fetch(next, { headers: { accept: 'text/csv', ...authHeaders() } });
    noteAllowance(path, response.headers);
    const text = await response.text();
    if (!response.ok) throw describeFailure(response, parse(text));
    whole += whole === '' ? text : withoutHead(text);
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
  }
  return whole;
}

/** Removes the header row that every page repeats. */
function withoutHead(text: string): string {
  const end = text.indexOf(LINE_END);
  return end === -1 ? '' : text.slice(end + LINE_END.length);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function saveFile(text: string, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
