/**
 * Writes the software bill of materials of this version, as npm reads it from the lockfile, in the format CycloneDX.
 * With `--check` it writes nothing, and fails if a package lacks a checksum or an accepted license.
 * `npm run sbom -- [file]`
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { findLicenseFaults, listPackages } from './licenses.ts';

type Component = {
  name: string;
  version: string;
  purl?: string;
  hashes?: { alg: string; content: string }[];
  licenses?: ({ license: { id: string } } | { expression: string })[];
};
type Bom = { bomFormat: string; specVersion: string; components: Component[] };

const WORKSPACES = ['server', 'sdk', 'web'];
const root = resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const packages = listPackages(root);
const bom = await createBom();
const faults = [...findLicenseFaults(packages), ...findComponentFaults(bom.components)];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else if (!values.check) {
  const file = resolve(positionals[0] ?? 'packages/sightline.cdx.json');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(bom, null, 2)}\n`);
  console.log(`${file}: ${bom.components.length} components, ${bom.bomFormat} ${bom.specVersion}.`);
}

/** The document of npm, with licenses that manifests do not state. */
async function createBom(): Promise<Bom> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: 64 * 2 ** 20 });
  const bom = JSON.parse(stdout) as Bom;
  const licenses = new Map(packages.map(({ name, license }) => [name, license]));
  for (const component of bom.components) {
    const license = licenses.get(component.name);
    if (license && !component.licenses?.length) component.licenses = [{ license: { id: license } }];
  }
  return bom;
}

function findComponentFaults(components: readonly Component[]): string[] {
  return components.flatMap(({ name, version, purl, hashes = [], licenses = [] }) => {
    // Folders of this repository have no archive in a registry.
    if (WORKSPACES.includes(name)) return [];
    const lacking = [!purl && 'address', hashes.length === 0 && 'checksum', licenses.length === 0 && 'license'];
    const missing = lacking.filter((each) => each !== false);
    return missing.length === 0 ? [] : [`${name} ${version} has no ${missing.join(', no ')} in the bill of materials.`];
  });
}
