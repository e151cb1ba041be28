// Lists every package that is bundled into the service and the page: a CycloneDX bill of materials and the
// licence texts, both shipped in dist. Fails on a licence that has not been reviewed.
// node scripts/packages/bill-of-materials.ts DIST      (setup.mjs runs it when it packs the service)

import { existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './places.ts';

export interface BundledPackage {
  name: string;
  version: string;
  licence: string;
  licenceText: string | null;
  integrity: string;
}

/** Permissive licences: the only condition is that the notice is shipped. */
const REVIEWED_LICENCES = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);

interface Manifest {
  name: string;
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
}

export function listBundled(serviceFolders: readonly string[]): BundledPackage[] {
  const lock = readJson<{ packages: Record<string, { integrity?: string }> }>('package-lock.json');
  const folders = [...new Set([...serviceFolders, ...listPageFolders()])].sort();
  return folders.map((folder) => {
    const { name, version, license } = readJson<Manifest>(join(folder, 'package.json'));
    return {
      name,
      version,
      licence: license ?? 'none stated',
      licenceText: readLicence(folder),
      integrity: lock.packages[folder]?.integrity ?? '',
    };
  });
}

export function findUnreviewed(packages: readonly BundledPackage[]): string[] {
  return packages
    .filter(({ licence }) => !REVIEWED_LICENCES.has(licence))
    .map(({ name, licence }) => `${name} (${licence})`);
}

/** The page's imports and what they depend on. */
function listPageFolders(): string[] {
  const sources = globSync('web/src/**/*.{ts,tsx}', { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const imported = sources.flatMap((text) =>
    [...text.matchAll(/from '((?:@[a-z-]+\/)?[a-z][a-z-]*)/g)].map(([, name]) => name!),
  );
  const found = new Set<string>();
  const add = (name: string) => {
    const folder = join('node_modules', name);
    if (found.has(folder) || !existsSync(join(ROOT, folder))) return;
    found.add(folder);
    Object.keys(readJson<Manifest>(join(folder, 'package.json')).dependencies ?? {}).forEach(add);
  };
  imported.forEach(add);
  return [...found];
}

function readLicence(folder: string): string | null {
  const file = readdirSync(join(ROOT, folder)).find((name) => /^licen[sc]e/i.test(name));
  return file === undefined ? null : readFileSync(join(ROOT, folder, file), 'utf8').trim();
}

/** CycloneDX 1.6, without a serial number or time, so that the same sources give the same file. */
export function describeBill(packages: readonly BundledPackage[]) {
  const { name, version } = readJson<Manifest>('package.json');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version, purl: `pkg:npm/${name}@${version}` } },
    components: packages.map((item) => ({
      type: 'library',
      name: item.name,
      version: item.version,
      purl: `pkg:npm/${item.name.replace('@', '%40')}@${item.version}`,
      licenses: [{ license: { id: item.licence } }],
      hashes: [{ alg: 'SHA-512', content: toHex(item.integrity) }],
    })),
  };
}

function toHex(integrity: string): string {
  return Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
}

function writeNotices(packages: readonly BundledPackage[]): string {
  const notices = packages.map(
    ({ name, version, licence, licenceText }) =>
      `${name} ${version} (${licence})\n\n${licenceText ?? 'The package ships no licence text.'}\n`,
  );
  return `Packages bundled into Tallycast, with their licences\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as T;
}

const [dist] = process.argv.slice(2);
if (import.meta.main && dist !== undefined) {
  const list = join(dist, 'modules.json');
  const packages = listBundled(JSON.parse(readFileSync(list, 'utf8')) as string[]);
  const unreviewed = findUnreviewed(packages);
  if (unreviewed.length > 0) throw new Error(`licences to review: ${unreviewed.join(', ')}`);
  writeFileSync(join(dist, 'sbom.cdx.json'), `${JSON.stringify(describeBill(packages), null, 1)}\n`);
  writeFileSync(join(dist, 'third-party-licences.txt'), writeNotices(packages));
  rmSync(list);
}
