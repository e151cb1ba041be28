// Builds what agents' hosts and registries take: the service's npm package, the entry for the official MCP
// registry (server.json) and an MCPB bundle, which contains the package.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { type PackedPackage, pack } from './client-js.ts';
import { ROOT } from './places.ts';
import { runProgram } from './run-program.ts';

/** The bundle's official tool; run from the registry, because only a release needs it. */
export const MCPB_TOOL = '@anthropic-ai/mcpb@2.1.2';
const REGISTRY_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

interface Manifest {
  name: string;
  version: string;
  description: string;
  mcpName: string;
  license: string;
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
}

const SETTINGS = [
  {
    name: 'TALLYCAST_URL',
    key: 'url',
    title: 'Service address',
    description: 'Leave empty to use or start a service on this machine.',
    isSecret: false,
  },
  {
    name: 'TALLYCAST_KEY',
    key: 'key',
    title: 'API key',
    description: 'PRO key of that service. Without one, tools return the public view.',
    isSecret: true,
  },
] as const;

/** At most 100 characters, as the registry demands. */
const SUMMARY = 'Counts, forecasts and sized signals for prediction markets on post counts.';

export function describeForRegistry({ name, version, mcpName }: Manifest) {
  return {
    $schema: REGISTRY_SCHEMA,
    name: mcpName,
    description: SUMMARY,
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
        environmentVariables: SETTINGS.map(({ name, description, isSecret }) => ({
          name,
          description,
          isRequired: false,
          isSecret,
        })),
      },
    ],
  };
}

export function describeBundle({ name, version, description, license }: Manifest) {
  const entry = 'server/bin/tallycast.mjs';
  return {
    manifest_version: '0.3',
    name,
    display_name: 'Tallycast',
    version,
    description,
    author: { name: 'The Tallycast authors' },
    license,
    server: {
      type: 'node',
      entry_point: entry,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${entry}`, 'mcp'],
        env: Object.fromEntries(SETTINGS.map(({ name, key }) => [name, `\${user_config.${key}}`])),
      },
    },
    tools_generated: true,
    user_config: Object.fromEntries(
      SETTINGS.map(({ key, title, description, isSecret }) => [
        key,
        { type: 'string', title, description, required: false, default: '', sensitive: isSecret },
      ]),
    ),
    compatibility: { platforms: ['linux', 'darwin'], runtimes: { node: '>=20' } },
  };
}

/** Also writes server.json. */
export async function packService(outDir: string): Promise<PackedPackage> {
  mkdirSync(outDir, { recursive: true });
  await runProgram('node', ['scripts/setup.mjs', '--clients', '--web', '--pack'], { cwd: ROOT });
  writeJson(join(outDir, 'server.json'), describeForRegistry(readManifest()));
  return pack(ROOT, outDir);
}

/** Checks the entry against the registry's own schema; says so if the schema cannot be fetched. */
export async function judgeRegistryEntry(): Promise<string> {
  const response = await fetch(REGISTRY_SCHEMA).catch(() => null);
  if (!response?.ok) return `server.json was not checked: ${REGISTRY_SCHEMA} cannot be fetched`;
  // The schema also has keywords that the validator does not know.
  const validate = new Ajv.default({ strict: false, validateFormats: false }).compile(await response.json());
  if (validate(describeForRegistry(readManifest()))) return "server.json fits the registry's schema";
  throw new Error(`server.json does not fit ${REGISTRY_SCHEMA}: ${JSON.stringify(validate.errors, null, 2)}`);
}

/** Validates and packs the bundle with its official tool. */
export async function packBundle(service: PackedPackage, outDir: string): Promise<string> {
  const staging = join(outDir, 'mcpb');
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(join(staging, 'server'), { recursive: true });
  await runProgram('tar', ['-xzf', service.file, '-C', join(staging, 'server'), '--strip-components=1']);
  cpSync(join(ROOT, 'LICENSE'), join(staging, 'LICENSE'));
  const manifest = join(staging, 'manifest.json');
  writeJson(manifest, describeBundle(readManifest()));
  const file = join(outDir, `tallycast-${readManifest().version}.mcpb`);
  const tool = ['exec', '--yes', '--package', MCPB_TOOL, '--', 'mcpb'];
  await runProgram('npm', [...tool, 'validate', manifest]);
  await runProgram('npm', [...tool, 'pack', staging, file]);
  return file;
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
