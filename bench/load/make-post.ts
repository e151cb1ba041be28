// An account of the pretend world posts now.

/** Returns the post's id. */
export async function makePost(worldUrl: string, accountId = 'a'): Promise<string> {
  const response = await fetch(new URL('/admin/posts', worldUrl), {
    method: 'POST',
    body: JSON.stringify({ accountId, kind: 'original' }),
  });
  if (!response.ok) throw new Error(`the world refused a post: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}
