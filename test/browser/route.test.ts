// The page's routes, tested without a browser.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

describe('the router', () => {
  it('opens the first page for no hash or one with an invalid escape', async () => {
    Object.assign(globalThis, { location: { hash: '#/%' } });
    const { parseRoute } = await import('../../web/src/route.ts');
    assert.deepEqual(parseRoute('#/%'), { page: 'live', parts: [] });
    assert.deepEqual(parseRoute('#/live/%E0%A4%A/1'), { page: 'live', parts: ['%E0%A4%A', '1'] });
    assert.deepEqual(parseRoute('#/record/account%5Fa'), { page: 'record', parts: ['account_a'] });
    assert.equal(parseRoute('#top'), null);
    assert.deepEqual(parseRoute(''), { page: 'live', parts: [] });
  });
});
