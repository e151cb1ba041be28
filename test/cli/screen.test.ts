import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readScreen } from './screen.ts';

const ESCAPE = String.fromCharCode(27);

describe('the terminal emulator', () => {
  it('shows the final text of each line, without colours', () => {
    const drawn = `${ESCAPE}[2mone${ESCAPE}[22m\r\nlong line\rshort\r\nprogress\r${ESCAPE}[Kdone\r\n`;
    assert.deepEqual(readScreen(drawn), ['one', 'shortline', 'done', '']);
  });

  it('does not show an erased npm spinner', () => {
    const spinner = `${ESCAPE}[?25l${ESCAPE}[1G⠙${ESCAPE}[1G${ESCAPE}[0K${ESCAPE}[?25h`;
    assert.deepEqual(readScreen(`${spinner}14:03:20 store migrated\r\n`), ['14:03:20 store migrated', '']);
  });
});
