// Parses the notes for operators from the changelog: the "Update notes" section of the newest release.

/** Returns one entry per line of the section, without Markdown markup; empty if there is none. */
export function parseUpdateNotes(changelog: string): string[] {
  const [, newest = ''] = changelog.split(/^## /m);
  const group = newest.split(/^### /m).find((part) => part.startsWith('Update notes\n')) ?? '';
  return [...group.matchAll(/^- (.+)$/gm)].map(([, line]) => line!.replaceAll('`', ''));
}
