// Makes a simulated account post now.

/** Returns the post's id. */
export async function makePost(simulatorUrl: string, accountId = 'a'): Promise<string> {
  const response = await fetch(new URL('/admin/posts', simulatorUrl), {
    method: 'POST',
    body: JSON.stringify({ accountId, kind: 'original' }),
  });
  if (!response.ok) throw new Error(`the simulator rejected a post: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}
