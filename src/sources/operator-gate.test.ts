import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { json, never, scriptHttp } from '../../test/support/scripted-sources.ts';
import { SourceError } from '../runtime/errors.ts';
import { stopForOperator } from './operator-gate.ts';

async function askTwice(reply: () => Response): Promise<{ calls: number; error: SourceError }> {
  const { http, asked } = scriptHttp({ '/list': reply });
  const gate = stopForOperator(http);
  let error: unknown;
  for (let call = 0; call < 2; call++) {
    await gate.getJson('/list', {}, never()).catch((reason: unknown) => {
      error = reason;
    });
  }
  assert.ok(error instanceof SourceError);
  return { calls: asked.length, error };
}

describe('platform that refuses requests', () => {
  it('with a bare 429 is retried later', async () => {
    for (const reply of [
      () => new Response('Too Many Requests', { status: 429 }),
      () => json({ title: 'Too Many Requests', detail: 'Too Many Requests' }, 429),
      () => new Response('', { status: 429 }),
    ]) {
      const { calls, error } = await askTwice(reply);
      assert.deepEqual([calls, error.isRetryable, error.needsOperator], [2, true, false]);
    }
  });

  it('for lack of credit or a reached monthly cap is not called again', async () => {
    const padding = 'x'.repeat(500);
    for (const reply of [
      () => json({ title: 'CreditsDepleted' }, 402),
      () => json({ detail: padding, type: 'https://api.x.com/2/problems/usage-capped' }, 429),
    ]) {
      const { calls, error } = await askTwice(reply);
      assert.deepEqual([calls, error.isRetryable, error.needsOperator], [1, false, true]);
    }
  });
});
