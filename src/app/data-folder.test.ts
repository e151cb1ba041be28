import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { StartError } from '../runtime/errors.ts';
import { holdDataFolder, prepareDataFolder } from './data-folder.ts';

const MODULE = new URL('./data-folder.ts', import.meta.url).href;

/** Starts another process that locks the folder, prints the result and exits on request. */
function holdElsewhere(folder: string, end: string): { out: string; err: string } {
  const code = `const { holdDataFolder } = await import('${MODULE}');
    try { holdDataFolder(process.argv[1], 0); console.log('held'); } catch (error) { console.log(error.message); }
    ${end}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code, folder], {
    encoding: 'utf8',
  });
  return { out: stdout.trim(), err: stderr };
}

describe('data folder', () => {
  let root: string;
  before(() => (root = mkdtempSync(join(tmpdir(), 'tallycast-folder-'))));
  after(() => rmSync(root, { recursive: true, force: true }));

  it('is created with its parent folders and left empty', () => {
    const folder = join(root, 'a', 'b', 'c');
    prepareDataFolder(folder);
    assert.deepEqual(readdirSync(folder), []);
    prepareDataFolder(folder);
  });

  it('is rejected immediately with a reason if it cannot store files', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    for (const [folder, reason] of [
      [file, /it is not a directory/],
      [join(file, 'below'), /it is not a directory/],
      ['/proc/nope', /the directory cannot be created/],
      ['/dev/null', /it is not a directory/],
      [join(root, 'x'.repeat(300)), /the name is too long/],
    ] as const) {
      assert.throws(
        () => prepareDataFolder(folder),
        (error: Error) => error instanceof StartError && reason.test(error.message),
        folder,
      );
    }
  });

  it('is rejected if it is not writable', {
    skip: process.getuid?.() === 0 && 'root may write anywhere',
  }, () => {
    const folder = join(root, 'closed');
    prepareDataFolder(folder);
    chmodSync(folder, 0o555);
    assert.throws(() => prepareDataFolder(folder), /permission denied/);
  });

  it('is locked by one process, and a second process gets an error message', () => {
    const folder = join(root, 'held');
    const held = holdDataFolder(folder, Date.UTC(2026, 0, 2, 3, 4, 5));
    const { out } = holdElsewhere(folder, '');
    assert.equal(
      out,
      `DATA_DIR: ${folder} is in use by process ${process.pid} (since 2026-01-02T03:04:05.000Z); stop it or pass another --data-dir`,
    );
    held.release();
    assert.equal(holdElsewhere(folder, '').out, 'held');
  });

  it('is free again after kill -9, despite the leftover holder file', () => {
    const folder = join(root, 'killed');
    const { out } = holdElsewhere(folder, "process.kill(process.pid, 'SIGKILL');");
    assert.equal(out, 'held');
    assert.ok(existsSync(join(folder, 'running.json')));
    const held = holdDataFolder(folder, 0);
    assert.equal(JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8')).pid, process.pid);
    held.release();
  });
});
