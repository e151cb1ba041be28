import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseUpdateNotes } from './build-info.ts';

describe('parseUpdateNotes', () => {
  it("reads only the newest release's notes", () => {
    const changelog = `# Changelog

## Unreleased

### Added
- A thing.

### Update notes
- Set \`A\` first.
- Stop the old one.

## 1.0.0

### Update notes
- Old.
`;
    assert.deepEqual(parseUpdateNotes(changelog), ['Set A first.', 'Stop the old one.']);
  });

  it('returns nothing if the newest release has no notes', () => {
    assert.deepEqual(
      parseUpdateNotes('## 2.0.0\n\n### Added\n- A.\n\n## 1.0.0\n\n### Update notes\n- Old.\n'),
      [],
    );
    assert.deepEqual(parseUpdateNotes(''), []);
  });
});
