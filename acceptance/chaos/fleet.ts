import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { postmasterOf } from '../../server/test/embedded-database.ts';
import { begin, type Running } from '../harness/command.ts';
import { killAll, running, send, treeOf, until } from '../harness/processes.ts';
import { environment } from '../harness/service.ts';
import { pick } from './random.ts';

export type Role = 'start' | 'api' | 'worker';
/** `node` is one Node process alone, `tree` that process and everything below it. */
export const VICTIMS = ['node', 'tree', 'postgres', 'backend', 'media'] as const;
export type Victim = (typeof VICTIMS)[number];

type Node = { role: Role; url: string | null; env: Record<string, string>; process: Running; restarts: number };
export type Fleet = Awaited<ReturnType<typeof startFleet>>;

const SAMPLE_MS = 100;
/** Pause of a service manager before it starts a process again. */
const RESTART_MS = 300;

/**
 * Nodes of the product on one data folder, each restarted whenever it ends, as a service manager does it. Every process that is ever
 * seen below a node is remembered, so that `stop` can tell which of them were left behind.
 */
export async function startFleet(dataDir: string, roles: readonly Role[], env: Record<string, string>) {
  const nodes: Node[] = [];
  const logs: Running[] = [];
  const seen = new Map<number, string>();
  let stopping = false;

  function sample(): void {
    for (const { process } of nodes) {
      for (const pid of treeOf(process.pid)) {
        const started = startTime(pid);
        if (started) seen.set(pid, started);
      }
    }
  }
  const sampling = setInterval(sample, SAMPLE_MS);

  async function launch(node: Node): Promise<void> {
    node.process = begin([node.role], { env: node.env });
    logs.push(node.process);
    void node.process.ended.then(async () => {
      if (stopping) return;
      await sleep(RESTART_MS);
      if (stopping) return;
      node.restarts++;
      await launch(node);
    });
  }

  for (const role of roles) {
    const own = { ...(await environment(dataDir)), ...env };
    const url = role === 'worker' ? null : `http://127.0.0.1:${own.SIGHTLINE_PORT}`;
    const node = { role, url, env: own, restarts: 0, process: null as unknown as Running };
    await launch(node);
    nodes.push(node);
    await node.process.says('is ready');
  }

  const mediaProcesses = () =>
    nodes.flatMap(({ process }) => treeOf(process.pid)).filter((pid) => commandLine(pid).includes('platform/media/'));
  const backends = () =>
    treeOf(postmasterOf(dataDir)).filter((pid) =>
      /sightline.*(idle|SELECT|UPDATE|INSERT|COMMIT|BEGIN)/.test(commandLine(pid)),
    );

  return {
    dataDir,
    urls: nodes.flatMap(({ url }) => url ?? []),
    restarts: () => nodes.reduce((sum, node) => sum + node.restarts, 0),
    /** Everything that the nodes have logged, those that were killed included. */
    log: () => logs.map((process) => `${process.stdout()}\n${process.stderr()}`).join('\n'),
    /** Kills one victim at once; false where there was none of its kind at that moment. */
    async kill(victim: Victim, random: () => number): Promise<boolean> {
      sample();
      const { pid } = pick(random, nodes).process;
      const found = {
        node: () => [pid],
        tree: () => treeOf(pid),
        postgres: () => [postmasterOf(dataDir)],
        backend: () => backends().slice(0, 1),
        media: () => mediaProcesses().slice(0, 1),
      };
      let targets: number[];
      try {
        targets = running(found[victim]());
      } catch {
        return false; // PostgreSQL is just being started again
      }
      if (targets.length === 0) return false;
      if (victim === 'tree') await killAll(targets);
      else for (const target of targets) send(target, 'SIGKILL');
      return true;
    },
    /** Ends every node as a service manager does; returns the processes that were left behind. */
    async stop(): Promise<string[]> {
      stopping = true;
      sample();
      for (const { process } of nodes) send(process.pid, 'SIGTERM');
      const late = setTimeout(() => void killAll(nodes.flatMap(({ process }) => treeOf(process.pid))), 40_000);
      await Promise.all(nodes.map(({ process }) => process.ended));
      clearTimeout(late);
      clearInterval(sampling);
      const left = () => [...seen].filter(([pid, started]) => running([pid]).length > 0 && startTime(pid) === started);
      await until(() => left().length === 0, 'the processes of the nodes to end', 10_000).catch(() => {});
      const orphans = left().map(([pid]) => `${pid} ${commandLine(pid)}`);
      await killAll(left().map(([pid]) => pid));
      return orphans;
    },
  };
}

const read = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};

const commandLine = (pid: number): string => read(pid, 'cmdline').replaceAll('\0', ' ').trim();

/** When a process started, in clock ticks: with its id it names one process for good. */
function startTime(pid: number): string | undefined {
  const stat = read(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}
