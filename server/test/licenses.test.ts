import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findLicenseFaults, type Lockfile, listPackages, readLockfile } from '../../scripts/licenses.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const add = (packages: Lockfile['packages']) => listPackages(REPOSITORY, { packages });

test('each package of the lockfile has a license that is accepted for its use', () => {
  const packages = listPackages(REPOSITORY);
  expect(findLicenseFaults(packages)).toEqual([]);
  const paths = Object.entries(readLockfile(REPOSITORY).packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  expect(packages.length).toBeGreaterThan(paths.length * 0.9);
});

test.each([
  ['no license', {}, 'states no license'],
  ['a license that users of the service would have to follow', { license: 'AGPL-3.0-only' }, 'not accepted'],
  ['a license that is accepted in the console alone', { license: 'MPL-2.0' }, 'not accepted'],
])('a package with %s is a fault', (_, entry, sentence) => {
  const faults = findLicenseFaults(add({ 'node_modules/thing': { version: '1.0.0', ...entry } }));
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain('thing 1.0.0');
  expect(faults[0]).toContain(sentence);
});

test('packages of the console are those that its sources import, with what these depend on, nested ones first', () => {
  const packages = add({
    'node_modules/react': { version: '19.0.0', license: 'MIT', dev: true, dependencies: { helper: '1' } },
    'node_modules/react/node_modules/helper': { version: '1.0.0', license: 'MIT', dev: true },
    'node_modules/helper': { version: '2.0.0', license: 'MIT', dev: true },
    'node_modules/vite': { version: '8.0.0', license: 'MIT', dev: true },
    'node_modules/pg': { version: '9.0.0', license: 'MIT' },
  });
  expect(packages.map(({ name, version, use }) => `${name} ${version} ${use}`)).toEqual([
    'helper 1.0.0 console',
    'helper 2.0.0 development',
    'pg 9.0.0 service',
    'react 19.0.0 console',
    'vite 8.0.0 development',
  ]);
});

test('workspaces are not packages of others', () => {
  const link = { 'node_modules/@sightline/sdk': { link: true }, sdk: { version: '1.0.0' } };
  expect(add(link)).toEqual([]);
});
