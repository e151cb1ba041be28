// serve --workers 2: one port, one allowance, consistent responses; a dead worker is replaced; shutdown is clean.

import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type BootedService, bootService, waitUntil } from './support/boot.ts';
import { countGrants } from './support/grants.ts';

interface Seen {
  status: number;
  body: string;
}

/** Uses a separate connection per call, so that the workers take turns. */
function call(url: string, path: string, key?: string): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const headers = key === undefined ? {} : { 'X-API-Key': key };
    const req = request(new URL(path, url), { agent: new Agent(), headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => resolve({ status: res.statusCode!, body: Buffer.concat(chunks).toString() }));
      res.on('error', reject);
    });
    req.on('error', reject);
    req.end();
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('serve --workers 2', () => {
  let service: BootedService;

  before(async () => {
    service = await bootService({ args: ['--workers', '2'] });
  });
  after(() => service.stop());

  const meta = '/api/v1/meta/account_a';
  /** Returns an error if the key cannot be looked up in time; public paths ignore such a key. */
  const prediction = '/api/v1/prediction/account_a';

  it("shows the first process's data in every worker", async () => {
    const truth = service.app.board.find('a')!;
    const activeEvents = async () => {
      const { body } = await call(service.url, meta);
      return (JSON.parse(body) as { data: { event_id: number }[] }).data.map(({ event_id }) => event_id);
    };
    await waitUntil(async () => (await activeEvents()).length > 0 && (await activeEvents()).length > 0);
    const known = new Set(truth.events.map(({ event }) => event.eventId));
    for (const eventId of [...(await activeEvents()), ...(await activeEvents())])
      assert.ok(known.has(eventId));
  });

  it('grants exactly 100 of 130 requests with a FREE key across workers', async () => {
    const key = await service.issueKey('FREE');
    const ask = async () => (await call(service.url, prediction, key)).status;
    assert.deepEqual(await countGrants(130, ask), { granted: 100, refused: 30 });
  });

  it('records the usage of a key in one place', async () => {
    const key = await service.issueKey('INTERNAL');
    await Promise.all(Array.from({ length: 20 }, () => call(service.url, meta, key)));
    await waitUntil(async () => {
      const { body } = await call(service.url, '/api/v1/usage/summary', key);
      return (JSON.parse(body) as { data: { total_requests: number } }).data.total_requests >= 20;
    });
  });

  it('reports the metrics of both workers', async () => {
    let text = '';
    const tells = (worker: string) =>
      new RegExp(`tallycast_http_requests_total\\{worker="${worker}",[^}]*status="200"`).test(text);
    await waitUntil(async () => {
      await call(service.url, meta);
      text = await (await fetch(service.app.metricsUrl!)).text();
      return tells('1') && tells('2');
    });
    assert.equal(text.match(/^# TYPE tallycast_http_requests_total /gm)!.length, 1);
  });

  it('keeps serving after kill -9 of a worker, and replaces it', async () => {
    const workers = service.app.workers!;
    const [doomed] = workers.pids();
    process.kill(doomed!, 'SIGKILL');
    await waitUntil(() => workers.pids().length === 2 && !workers.pids().includes(doomed!));
    const key = await service.issueKey('INTERNAL');
    await waitUntil(async () => {
      const seen = await Promise.all(Array.from({ length: 8 }, () => call(service.url, meta, key)));
      return seen.every(({ status, body }) => status === 200 && body.includes('"event_id"'));
    });
  });
});

describe('a stop of serve --workers', () => {
  it('leaves no processes behind, and frees the port', async () => {
    const service = await bootService({ args: ['--workers', '2'], until: 'started' });
    const pids = service.app.workers!.pids();
    assert.equal(pids.length, 2);
    await service.stop();
    assert.deepEqual(pids.filter(isRunning), []);
    await assert.rejects(call(service.url, '/api/v1/health'), { code: 'ECONNREFUSED' });
  });
});
