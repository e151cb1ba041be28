import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createManualClock } from '../../runtime/clock.ts';
import { applyDraft, describeSetup } from './setup-file.ts';
import { openSetupServer, type SetupServer } from './setup-server.ts';

describe('setup configuration file', () => {
  const own = { id: 'mine', handle: 'me', series: ['s'] };

  it('has the chosen presets, keeps other accounts and settings, and sets only given credentials', () => {
    const file = applyDraft(
      { port: 9000, accounts: [own, { id: 'ted-cruz' }], xBearerToken: 'kept' },
      { accounts: ['elon-musk'], credentials: { X_BEARER_TOKEN: ' ', TELEGRAM_BOT_TOKEN: ' 1:a ' } },
    );
    const ids = (file.accounts as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(ids, ['mine', 'elon-musk']);
    const { postSources } = (file.accounts as { postSources: { kind: string }[] }[])[1]!;
    assert.deepEqual(postSources, [{ kind: 'x' }, { kind: 'oracle' }], 'the token in the file is used');
    assert.deepEqual([file.port, file.xBearerToken, file.telegramBotToken], [9000, 'kept', '1:a']);
  });

  it('requires a known account and single-word credentials', () => {
    assert.throws(() => applyDraft({}, { accounts: [], credentials: {} }), /at least one account/);
    assert.throws(() => applyDraft({}, { accounts: ['nemo'], credentials: {} }), /not a known account/);
    const split = { accounts: ['cz'], credentials: { X_BEARER_TOKEN: 'two words' } };
    assert.throws(() => applyDraft({}, split), /one word/);
  });

  it('is shown on the page without credential values', () => {
    const shown = describeSetup({ xBearerToken: 'hunter2' }, { MASTODON_TOKEN: 'hunter3' });
    assert.doesNotMatch(JSON.stringify(shown), /hunter/);
    const set = shown.credentials.filter(({ isSet }) => isSet).map(({ name }) => name);
    assert.deepEqual(set, ['X_BEARER_TOKEN', 'MASTODON_TOKEN']);
    assert.match(shown.credentials[0]!.use, /about 34 USD a month/);
  });
});

describe('setup server', () => {
  const clock = createManualClock(0);
  let server: SetupServer;
  let origin: string;
  let token: string;
  before(async () => {
    server = await openSetupServer({ '/state': async () => ({ presets: [] }) }, clock);
    const link = new URL(server.link);
    origin = link.origin;
    token = link.hash.slice(1);
  });
  after(() => server.close());
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${origin}${path}`, { method: 'POST', body: JSON.stringify(body), headers });

  it('opens for its token, again after a reload and after wrong tokens, and needs the resulting session', async () => {
    assert.equal((await post('/state', {})).status, 403);
    assert.equal((await post('/open', { token: 'x'.repeat(token.length) })).status, 403);
    const opened = await post('/open', { token });
    const { session } = (await opened.json()) as { session: string };
    for (let i = 0; i < 6; i++) assert.equal((await post('/open', { token: `wrong ${i}` })).status, 403);
    for (let i = 0; i < 6; i++)
      assert.deepEqual(await (await post('/open', { token })).json(), { session }, 'a reload continues');
    assert.equal((await post('/state', {}, { 'x-setup-session': session })).status, 200);
    assert.equal((await post('/state', {}, { 'x-setup-session': token })).status, 403);
  });

  it('refuses other origins, serves only its page, and restricts what the page may load', async () => {
    assert.equal((await post('/open', { token }, { origin: 'http://evil.example' })).status, 403);
    assert.equal((await fetch(`${origin}/../package.json`)).status, 404);
    const page = await fetch(`${origin}/setup`);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy')!, /script-src 'self'/);
  });

  it('closes when the session expires', async () => {
    clock.advance(60 * 60_000);
    await assert.rejects(fetch(`${origin}/setup`));
  });
});
