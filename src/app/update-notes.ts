// The changelog's notes for operators: the group "Update notes" of its newest release.

/** One entry per line of the group, without Markdown markup; empty if the newest release has none. */
export function parseUpdateNotes(changelog: string): string[] {
  const [, newest = ''] = changelog.split(/^## /m);
  const group = newest.split(/^### /m).find((part) => part.startsWith('Update notes\n')) ?? '';
  return [...group.matchAll(/^- (.+)$/gm)].map(([, line]) => line!.replaceAll('`', ''));
}
