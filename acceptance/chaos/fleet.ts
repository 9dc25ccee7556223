import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { postmasterPid } from '../../server/test/database/embedded.ts';
import { pick } from '../../server/test/random.ts';
import { begin, type RunningCommand } from '../harness/command.ts';
import { killAll, MEDIA_PROCESS, running, send, treeOf, until } from '../harness/processes.ts';
import { environment, prepareData } from '../harness/service.ts';
import { type SandboxState, watchContainment } from './containment.ts';

export type NodeRole = 'start' | 'api' | 'worker';
/** `node` is one Node process alone, `tree` that process with all its descendants. */
export const VICTIMS = ['node', 'tree', 'postgres', 'backend', 'media'] as const;
export type Victim = (typeof VICTIMS)[number];

type Node = {
  role: NodeRole;
  url: string | null;
  env: Record<string, string>;
  process: RunningCommand;
  restarts: number;
};
export type Fleet = Awaited<ReturnType<typeof startFleet>>;

const SAMPLE_MS = 100;
/** Pause of a service manager before it restarts a process. */
const RESTART_MS = 300;

/**
 * Nodes of the product on one data folder, each restarted whenever it ends, as by a service manager. All processes ever
 * seen below a node are recorded, so that `stop` can report those left behind.
 */
export async function startFleet(dataDir: string, roles: readonly NodeRole[], env: Record<string, string>) {
  const nodes: Node[] = [];
  const logs: RunningCommand[] = [];
  const seen = new Map<number, string>();
  let stopping = false;
  let containment: ReturnType<typeof watchContainment> | undefined;

  const pids = () => nodes.map(({ process }) => process.pid);
  function sample(): void {
    for (const pid of treeOf(...pids())) {
      const started = startTime(pid);
      if (started) seen.set(pid, started);
    }
    containment?.check(mediaProcesses());
  }
  const sampling = setInterval(sample, SAMPLE_MS);

  async function launch(node: Node): Promise<void> {
    node.process = begin(node.role === 'start' ? ['start'] : ['start', '--only', node.role], { env: node.env });
    logs.push(node.process);
    void node.process.ended.then(async () => {
      if (stopping) return;
      await sleep(RESTART_MS);
      if (stopping) return;
      node.restarts++;
      await launch(node);
    });
  }

  await prepareData(dataDir);
  for (const role of roles) {
    const own = { ...(await environment(dataDir)), ...env };
    const url = role === 'worker' ? null : `http://127.0.0.1:${own.SIGHTLINE_PORT}`;
    const node = { role, url, env: own, restarts: 0, process: null as unknown as RunningCommand };
    await launch(node);
    nodes.push(node);
    await node.process.says('is ready');
  }

  const mediaProcesses = () => treeOf(...pids()).filter((pid) => commandLine(pid).includes(MEDIA_PROCESS));
  const backends = () =>
    treeOf(postmasterPid(dataDir)).filter((pid) =>
      /sightline.*(idle|SELECT|UPDATE|INSERT|COMMIT|BEGIN)/.test(commandLine(pid)),
    );

  return {
    dataDir,
    /** Checks media processes from now on, which the service says are contained like this. */
    watchContainment(sandbox: SandboxState) {
      containment = watchContainment(sandbox);
      return containment;
    },
    urls: nodes.flatMap(({ url }) => url ?? []),
    restarts: () => nodes.reduce((sum, node) => sum + node.restarts, 0),
    /** All log output of the nodes, including killed ones. */
    log: () => logs.map((process) => `${process.stdout()}\n${process.stderr()}`).join('\n'),
    /** Kills one victim. Returns false if there was none of its kind. */
    async kill(victim: Victim, random: () => number): Promise<boolean> {
      sample();
      const { pid } = pick(random, nodes).process;
      const found = {
        node: () => [pid],
        tree: () => treeOf(pid),
        postgres: () => [postmasterPid(dataDir)],
        backend: () => backends().slice(0, 1),
        media: () => mediaProcesses().slice(0, 1),
      };
      let targets: number[];
      try {
        targets = running(found[victim]());
      } catch {
        return false; // PostgreSQL is restarting.
      }
      if (targets.length === 0) return false;
      if (victim === 'tree') await killAll(targets);
      else for (const target of targets) send(target, 'SIGKILL');
      return true;
    },
    /** Stops every node as a service manager does. Returns the processes left behind. */
    async stop(): Promise<string[]> {
      stopping = true;
      sample();
      for (const { process } of nodes) send(process.pid, 'SIGTERM');
      const late = setTimeout(() => void killAll(treeOf(...pids())), 40_000);
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

/** Start time of a process in clock ticks; together with its id it identifies a process. */
function startTime(pid: number): string | undefined {
  const stat = read(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}
