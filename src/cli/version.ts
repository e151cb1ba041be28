// tallycast --version: version, commit and Node, and what to know when updating to it.

import { readBuildInfo } from '../app/build-info.ts';

export function describeVersion(): string {
  const { version, commit, updateNotes = [] } = readBuildInfo();
  const notes = updateNotes.length === 0 ? [] : ['update notes:', ...updateNotes.map((note) => `- ${note}`)];
  return [`tallycast ${version} (${commit}), Node ${process.versions.node}`, ...notes, ''].join('\n');
}
