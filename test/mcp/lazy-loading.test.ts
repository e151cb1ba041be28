// The MCP packages are loaded only when the first agent calls.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');

function packagesLoadedBy(file: string): string {
  const code = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ load(url, context, next) {
      const name = /node_modules\\/(@modelcontextprotocol|zod)\\//.exec(url)?.[1];
      if (name) loaded.add(name);
      return next(url, context);
    } });
    await import('${file}');
    console.log([...loaded].join(' '));`;
  const args = ['--input-type=module', '-e', code];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

describe('the MCP packages', () => {
  it('are not loaded at startup', () => {
    assert.equal(packagesLoadedBy('./src/app/composition.ts'), '');
  });

  it('are loaded by the first call', () => {
    assert.match(packagesLoadedBy('./src/server/mcp/serve-mcp.ts'), /@modelcontextprotocol/);
  });
});
