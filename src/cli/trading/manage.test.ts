import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { openJournal } from '../../trading/journal/journal.ts';
import { controlTrading, keepLastTurn, reportTrading } from './manage.ts';

it('shows flattening, and no text that controls the terminal', () => {
  const data = mkdtempSync(join(tmpdir(), 'tallycast-status-'));
  const journal = openJournal(join(data, 'journal.sqlite'));
  keepLastTurn(journal, 'paper: buy 5 Yes of \u001b]0;owned\u0007');
  journal.addHalt({ kind: 'day-loss', reason: 'lost \u009b31m much', sinceTs: 1 });
  journal.close();
  controlTrading({ data }, 'flatten', 1);
  const status = reportTrading({ data }, 'status');
  assert.match(status, /^flattened: selling every position, buying is off/m);
  assert.match(status, /day-loss: lost .*resume --after-loss/);
  assert.doesNotMatch(status.replaceAll('\n', ''), /\p{Cc}/u);
  rmSync(data, { recursive: true, force: true });
});
