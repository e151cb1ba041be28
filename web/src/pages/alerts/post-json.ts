import { fetchJson } from '../../api/request.ts';

export async function postJson<T>(path: string, body: object): Promise<T> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  return (await fetchJson<{ data: T }>(path, {}, init)).data;
}
