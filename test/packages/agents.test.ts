import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { describeBundle, describeForRegistry, readManifest } from '../../scripts/packages/agents.ts';
import { ROOT } from '../../scripts/packages/places.ts';
import { dateChangelog } from '../../scripts/release.ts';

const manifest = readManifest();

describe('what registries get', () => {
  it('fits the limits of the MCP registry and names the npm package at its version', () => {
    const entry = describeForRegistry(manifest);
    assert.match(entry.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    assert.ok(entry.description.length <= 100);
    const [item] = entry.packages;
    assert.deepEqual(
      [item!.identifier, item!.version, item!.transport.type],
      ['tallycast', manifest.version, 'stdio'],
    );
    assert.deepEqual(
      item!.environmentVariables.filter(({ isSecret }) => isSecret).map(({ name }) => name),
      ['TALLYCAST_KEY'],
    );
  });

  it('starts the bundle with a command that the package has, and keeps the key secret', () => {
    const { server, user_config } = describeBundle(manifest);
    assert.deepEqual(server.mcp_config.args, [`\${__dirname}/${server.entry_point}`, 'mcp']);
    assert.ok(readFileSync(join(ROOT, server.entry_point.replace('server/', '')), 'utf8').startsWith('#!'));
    assert.equal(user_config.key!.sensitive, true);
    assert.equal(user_config.url!.required, false);
  });

  it('has a skill with the name of its folder and a description of at most 1024 characters', () => {
    const skill = readFileSync(join(ROOT, 'skills/tallycast/SKILL.md'), 'utf8');
    const [, name, description] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(skill)!;
    assert.equal(name, 'tallycast');
    assert.ok(description!.length <= 1024);
  });

  it('dates the changelog once per version', () => {
    const dated = dateChangelog('# Changelog\n\n## 2.0.0 (unreleased)\n\n- One\n', '2.0.0', '2026-12-01');
    assert.equal(dated, '# Changelog\n\n## 2.0.0 (2026-12-01)\n\n- One\n');
    assert.throws(() => dateChangelog(dated, '2.0.0', '2026-12-02'), /no section/);
  });
});
