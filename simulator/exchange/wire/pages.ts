// The exchange's cursor paging: a base64 offset; LTE= marks the last page.

const END = 'LTE=';
const PAGE = 500;

export function toPage(items: readonly unknown[], cursor: string | null): Record<string, unknown> {
  const offset = Number(Buffer.from(cursor ?? '', 'base64').toString() || '0');
  const from = Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
  const data = items.slice(from, from + PAGE);
  const next = from + data.length;
  const next_cursor = next < items.length ? Buffer.from(String(next)).toString('base64') : END;
  return { limit: PAGE, count: data.length, next_cursor, data };
}
