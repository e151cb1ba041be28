// Stores a running demo's address in a small file next to the store, for commands run from the same
// installation.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DemoFile {
  network: string;
  rpcUrl: string;
  facilitatorUrl: string;
  faucetUrl: string;
}

export function writeDemoFile(
  dataDir: string,
  { network, rpcUrl, facilitatorUrl, faucetUrl }: DemoFile,
): void {
  mkdirSync(dataDir, { recursive: true });
  const text = JSON.stringify({ network, rpcUrl, facilitatorUrl, faucetUrl }, null, 2);
  writeFileSync(pathOf(dataDir), `${text}\n`, { mode: 0o600 });
}

export function readDemoFile(dataDir: string): DemoFile | null {
  const path = pathOf(dataDir);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as DemoFile) : null;
}

function pathOf(dataDir: string): string {
  return join(dataDir, 'demo-payments.json');
}
