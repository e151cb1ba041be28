// Follows docs/going-live.md literally: writes its configuration, runs its commands against the simulator under the
// platforms' host names, and compares their output with the page. Numbers are not compared.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { waitUntil } from '../support/boot.ts';
import { type GuideStage, openGuideStage, shownOf } from './guide-stage.ts';

let stage: GuideStage;

before(async () => {
  stage = await openGuideStage();
});

after(() => stage.close());

const mask = (line: string) =>
  line
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'URL')
    .replace(/\([0-9a-f]{7,40}(?:-dirty)?\)/, '(commit)')
    .replace(/-?\d[\d,.:TZ-]*/g, '0')
    .replace(/\b0 (min|h|s) ago/g, '0 ago')
    .replace(/ {2,}/g, '  ')
    .trimEnd();

describe('the guide', () => {
  it("shows the doctor's output", async () => {
    const { code, lines } = await stage.outputOf(['doctor']);
    assert.equal(code, 0, lines.join('\n'));
    assert.deepEqual(lines.map(mask), shownOf('npx tallycast doctor').map(mask), lines.join('\n'));
  });

  it('shows the output of start', async () => {
    const { said } = stage.start();
    const shown = shownOf('npx tallycast start');
    await waitUntil(() => said().split('\n').length > shown.length);
    assert.deepEqual(said().split('\n').slice(0, shown.length).map(mask), shown.map(mask));
  });

  it('shows the output of status once every feed has responded', async () => {
    let lines: string[] = [];
    // On a busy machine a feed may be late between two checks.
    await waitUntil(async () => {
      const response = await fetch(`${stage.url}/api/v1/health`).catch(() => null);
      if (((await response?.json()) as { status: string } | undefined)?.status !== 'ok') return false;
      const said = await stage.outputOf(['status']);
      lines = said.lines;
      return said.code === 0;
    });
    const shown = shownOf('npx tallycast status');
    assert.deepEqual(lines.slice(0, shown.length).map(mask), shown.map(mask), lines.join('\n'));
  });
});
