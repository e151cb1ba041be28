// Prints version, commit, Node version and update notes for tallycast --version.

import { readBuildInfo } from '../app/build-info.ts';

export function describeVersion(): string {
  const { version, commit, updateNotes = [] } = readBuildInfo();
  const notes = updateNotes.length === 0 ? [] : ['update notes:', ...updateNotes.map((note) => `- ${note}`)];
  return [`tallycast ${version} (${commit}), Node ${process.versions.node}`, ...notes, ''].join('\n');
}
