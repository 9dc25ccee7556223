import { readFileSync, readlinkSync } from 'node:fs';

/** Containment of media processes, as `GET /api/system` states it. */
export type SandboxState = { level: string; has_own_user: boolean };

/**
 * Checks, from outside, that media processes are contained as the service states, whenever and after whatever they
 * started.
 */
export function watchContainment({ level, has_own_user: hasOwnUser }: SandboxState) {
  const serviceUid = process.getuid?.();
  const checked = new Set<number>();
  const violations = new Set<string>();
  return {
    check(pids: readonly number[]): void {
      for (const pid of pids) {
        const status = readStatus(pid);
        if (!status) continue;
        const isUser = status.Uid?.split('\t')[0] !== String(serviceUid);
        // The capability to read files, where others cannot read the installation.
        const isPowerless = [0n, 4n].includes(BigInt(`0x${status.CapEff}`));
        const expected = {
          'has the user of the service': hasOwnUser && !isUser,
          'has capabilities': hasOwnUser && !isPowerless,
          'may gain privileges': level !== 'none' && status.NoNewPrivs !== '1',
          'has no filter of system calls': level === 'isolated' && status.Seccomp !== '2',
        };
        for (const [violation, isFound] of Object.entries(expected)) if (isFound) violations.add(`${pid} ${violation}`);
        checked.add(pid);
      }
    },
    checked: () => checked.size,
    violations: () => [...violations],
  };
}

/** The state of a media process; null if it has ended, or is still one of the programs that confine it. */
function readStatus(pid: number): Partial<Record<string, string>> | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    if (!/^State:\s+[RSD]/m.test(status) || readlinkSync(`/proc/${pid}/exe`) !== process.execPath) return null;
    return Object.fromEntries(status.split('\n').map((line) => line.split(/:\s+/, 2)));
  } catch {
    return null;
  }
}
