import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');

function loadedBy(code: string): string {
  const preload = join(import.meta.dirname, 'note-modules.ts');
  const args = ['--import', preload, '--input-type=module', '-e', code];
  // Loaded from their own location, not bundled.
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env });
  assert.equal(status, 0, stderr);
  return /^loaded: (.*)$/m.exec(stdout)?.[1] ?? stderr;
}

describe('payment packages', () => {
  it('are not loaded by the server, its composition root or the payments entry point', () => {
    const files = [
      './src/server/server.ts',
      './src/payments/load-payments.ts',
      './src/cli/commands/payments.ts',
      './simulator/chain/demo-payments.ts',
      ...globSync('src/app/*.ts', { cwd: ROOT })
        .filter((file) => !file.endsWith('.test.ts'))
        .map((file) => `./${file}`),
    ];
    assert.equal(loadedBy(files.map((file) => `await import('${file}');`).join('\n')), '');
  });

  it('are loaded once payments are on', () => {
    const code = `
      const { loadPaymentGate } = await import('./src/payments/load-payments.ts');
      const gate = await loadPaymentGate({
        settings: { payTo: '0x00000000000000000000000000000000000000aa', network: 'eip155:8453', facilitatorUrl: 'http://127.0.0.1:9' },
        payments: {}, clock: { now: () => 0 }, logger: {}, reconciles: false,
      });
      await gate.close();`;
    assert.match(loadedBy(code), /@x402/);
  });
});

describe('agent packages', () => {
  it('are loaded by the first call, not at startup', () => {
    assert.equal(loadedBy("await import('./src/app/composition.ts');"), '');
    assert.match(loadedBy("await import('./src/server/mcp/serve-mcp.ts');"), /@modelcontextprotocol/);
  });
});
