import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

declare module 'vitest' {
  interface ProvidedContext {
    /** Rounds of each kind of crash: few in `npm test`, many in `npm run crash`. */
    crashRounds: number;
    /** Kills of a worker that delivers messages to webhooks. */
    webhookKills: number;
    /** Rounds of random kills for each topology: one in `npm test`, many in `npm run chaos`. */
    chaosRounds: number;
  }
}

export type CrashChild = {
  pid: number;
  acknowledged: number[];
  /** Resolves when the database is up; rejects with the reason of a refusal, or if the child has ended. */
  ready: Promise<string>;
  migrated: Promise<string[]>;
  ended: Promise<void>;
  /** Stops it and its descendants with SIGSTOP; only `kill` ends them then. */
  freeze(): void;
  kill(what: 'node' | 'everything'): Promise<void>;
};

/** Starts a process that owns or shares an embedded database (see `crash-child.ts`). */
export function startCrashChild(dir: string, mode: 'own' | 'share', task: string, argument = ''): CrashChild {
  const script = new URL('./crash-child.ts', import.meta.url).pathname;
  const child: ChildProcess = spawn(process.execPath, [decodeURIComponent(script), dir, mode, task, argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: number[] = [];
  const ready = Promise.withResolvers<string>();
  const migrated = Promise.withResolvers<string[]>();
  for (const { promise } of [ready, migrated]) promise.catch(() => {}); // not every test waits for both
  const lines = createInterface({ input: child.stdout! });
  lines.on('line', (line) => {
    const message = JSON.parse(line) as {
      acknowledged?: number;
      ready?: string;
      migrated?: string[];
      refused?: string;
    };
    if (message.acknowledged !== undefined) acknowledged.push(message.acknowledged);
    if (message.ready) ready.resolve(message.ready);
    if (message.migrated) migrated.resolve(message.migrated);
    if (message.refused) for (const { reject } of [ready, migrated]) reject(new Error(message.refused));
  });
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(() => {
    for (const { reject } of [ready, migrated]) reject(new Error('the process ended'));
  });
  return {
    pid: child.pid!,
    acknowledged,
    ready: ready.promise,
    migrated: migrated.promise,
    ended,
    freeze: () => signal([child.pid!, ...descendants(child.pid!)], 'SIGSTOP'),
    async kill(what) {
      signal([child.pid!, ...(what === 'everything' ? descendants(child.pid!) : [])], 'SIGKILL');
      await ended;
    },
  };
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended already.
    }
  }
}

/** All descendants of these processes, from one pass over /proc (readable for every user). */
export function descendants(...roots: number[]): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return [{ pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }];
      } catch {
        return [];
      }
    });
  const below = (pid: number): number[] =>
    parents.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...below(child.pid)]);
  return roots.flatMap(below);
}
