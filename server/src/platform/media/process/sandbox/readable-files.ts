import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Files of the system that programs need to start: libraries, time zones, facts about the machine. */
export const SYSTEM = {
  executable: [
    '/usr/lib',
    '/usr/lib32',
    '/usr/lib64',
    '/usr/local/lib',
    '/lib',
    '/lib64',
    '/nix/store',
    process.execPath,
  ],
  readable: [
    '/usr/share',
    '/etc/ld.so.cache',
    '/etc/localtime',
    '/etc/fonts',
    '/proc/self',
    '/proc/cpuinfo',
    '/proc/meminfo',
    '/proc/stat',
    '/proc/sys/vm',
    '/sys/devices/system',
    '/sys/fs/cgroup',
    '/dev/urandom',
    '/dev/random',
    '/dev/zero',
  ],
  /** Where names of hosts are looked up, and certificates. */
  names: ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/gai.conf', '/etc/ssl'],
};

const ENTRY = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Files that a process must be able to read to start. */
export const CODE = [process.execPath, ENTRY];

/**
 * Code of the service and its libraries. In a checkout only the folders with code: the data folder may be beside them.
 */
export function listCode(): string[] {
  const isCheckout = import.meta.url.endsWith('.ts');
  const sources = isCheckout ? fileURLToPath(new URL('../../../../', import.meta.url)) : dirname(ENTRY);
  const found = [sources, ...(isCheckout ? [join(dirname(sources), 'test')] : [])];
  for (let folder = sources; ; folder = dirname(folder)) {
    for (const name of ['package.json', 'node_modules']) {
      const path = join(folder, name);
      if (existsSync(path)) found.push(path);
    }
    if (folder === dirname(folder)) return found;
  }
}
