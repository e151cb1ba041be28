// Alternative servers that this project does not ship: measured if installed.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from '../core/bench.ts';
import { childrenOf, hasCommand, startCommand } from '../core/processes.ts';

export interface Rival {
  name: string;
  port: number;
  pids: readonly number[];
  stop(): Promise<void>;
}

export async function startNginx(options: BenchOptions, bodyFile: string): Promise<Rival | null> {
  if (!hasCommand('nginx')) {
    options.note('nginx is not installed here: its rows are left out');
    return null;
  }
  const port = await findFreePort();
  const folder = join(options.scratchDir, `nginx-${port}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'body.json'), readFileSync(bodyFile));
  writeFileSync(
    join(folder, 'nginx.conf'),
    // As the current user: the worker of a root nginx could not read our scratch folder.
    `user ${userInfo().username}; daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr notice;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 100000000; types { application/json json; }
  open_file_cache max=10; sendfile on; tcp_nopush on;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  server { listen 127.0.0.1:${port}; root ${folder}; location / { try_files /body.json =404; } }
}
`,
  );
  const running = await startCommand('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    until: /start worker process \d+/,
  });
  await waitForPort(port);
  const workers = childrenOf(running.pid);
  return { name: 'nginx', port, pids: workers.length > 0 ? workers : [running.pid], stop: running.stop };
}

/** Debian's own Python first: `apt install` puts packages there. */
export async function startFastApi(
  options: BenchOptions,
  bodyFile: string,
  key: string,
): Promise<Rival | null> {
  const python = ['/usr/bin/python3', 'python3'].find(
    (name) => spawnSync(name, ['-c', 'import fastapi, uvicorn'], { stdio: 'ignore' }).status === 0,
  );
  if (!python) {
    options.note('FastAPI with uvicorn is not installed here: its rows are left out');
    return null;
  }
  const port = await findFreePort();
  const running = await startCommand(
    python,
    [
      '-m',
      'uvicorn',
      'fastapi_app:app',
      '--app-dir',
      'lab/bench/servers',
      '--port',
      String(port),
      '--no-access-log',
    ],
    { env: { BODY_FILE: bodyFile, KEYS: key }, until: /Uvicorn running on/ },
  );
  return { name: 'FastAPI', port, pids: [running.pid], stop: running.stop };
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

async function waitForPort(port: number): Promise<void> {
  for (let i = 0; i < 200; i++) {
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
