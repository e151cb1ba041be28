import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { it } from 'node:test';
import { StartError, StoreError } from '../runtime/errors.ts';
import { explainStartFailure } from './explain-start-failure.ts';

const config = { host: '127.0.0.1', port: 8080, dataDir: '/srv/tallycast' };

function systemError(code: string, more: object): Error {
  return Object.assign(new Error(`${code}: something`), { code, ...more });
}

function explain(error: unknown): string {
  const reported = explainStartFailure(error, config);
  assert.ok(reported instanceof StartError);
  return reported.message;
}

it('reports the port in use', async () => {
  const server = createServer();
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  const error = await new Promise<Error>((failed) => {
    createServer().once('error', failed).listen(port, '127.0.0.1');
  });
  server.close();
  assert.equal(
    explain(error),
    `METRICS_PORT: cannot listen on 127.0.0.1:${port}: the port is in use; pass another --port or stop the other process`,
  );
  const main = systemError('EACCES', { syscall: 'listen', address: '127.0.0.1', port: 8080 });
  assert.equal(explain(main), 'PORT: cannot listen on 127.0.0.1:8080: permission denied');
});

it('reports a data directory that is not writable', () => {
  const inside = systemError('EROFS', { syscall: 'open', path: '/srv/tallycast/world.json' });
  assert.equal(explain(inside), 'DATA_DIR: cannot write to /srv/tallycast: the file system is read-only');
  const elsewhere = systemError('EROFS', { syscall: 'open', path: '/srv/tallycast2' });
  assert.equal(explainStartFailure(elsewhere, config), elsewhere);
});

it("prints the store's message without a stack", () => {
  assert.equal(explain(new StoreError('store: unavailable', { isRetryable: true })), 'store: unavailable');
});

it('returns a programming error unchanged', () => {
  const fault = new TypeError('x is not a function');
  assert.equal(explainStartFailure(fault, config), fault);
});
