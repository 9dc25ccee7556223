import type { Log } from '../../log.ts';
import { measured, mediaProcessDied, mediaTaskEnded } from '../../measurements.ts';
import { saturated, totalSlots } from '../../shares.ts';
import { type TraceSpan, withSpan } from '../../tracing/index.ts';
import { engineUnavailable, mediaProblem } from '../problems.ts';
import type { Death } from './death.ts';
import type { MediaProcess } from './media-process.ts';
import type { PreparedTask } from './sandbox/index.ts';
import { type MediaTask, type MediaTaskOptions, TASK_PRIORITIES, type TaskPriority } from './types.ts';

/**
 * A process is replaced after this many tasks, or at this memory size, in case a hostile file corrupted it. Starting
 * one takes as long as probing two hundred files, so it must be rare.
 */
const TASKS_PER_PROCESS = 1_000;
const RECYCLE_BYTES = 400e6;
/** A single crash may be caused by the machine, for example by lack of memory; a second one by the file. */
const CRASH_RETRIES = 1;
/**
 * A process that is killed from outside is started again after a pause that doubles, 15 s in all, which most shortages
 * of memory do not outlast. The number is limited, because a file can cause such a shortage.
 */
const KILL_RETRIES = 5;
const KILL_PAUSE_MS = 500;
/**
 * A process without tasks ends after this time and frees up to 400 MB. It is longer than most pauses of a user who
 * searches or looks at events; the first task after it waits for a new process, some tenths of a second.
 */
const IDLE_MS = 2 * 60_000;

/** Processes of a pool by state, and tasks that wait for one. */
export type PoolLoad = { pool: string; busy: number; paused: number; idle: number; waiting: number };

export type ProcessPool = {
  load(): PoolLoad;
  run(task: MediaTask, options?: MediaTaskOptions): Promise<unknown>;
  close(): Promise<void>;
};

/** `isLowered`: it runs at a lower priority, for good. */
type Member = { child: MediaProcess; tasks: number; isLowered: boolean; ending?: NodeJS.Timeout };
/** The organization of a task, its priority, and whether it connects to servers. */
type Claim = { orgId: string | null; priority: TaskPriority; network: boolean };
/** `paused`: the process of a started task that lets others go first. */
type Waiter = Claim & { paused: Member | null; take: (member: Member) => void; give: (error: unknown) => void };

type PoolSettings = {
  /** Name of the pool in metrics. */
  name?: string;
  size: number;
  /** `network`: a process that may connect to servers. */
  spawn: (options?: { network: boolean }) => MediaProcess;
  /** Called with the module of a task that ended well. */
  onModule?: (module: string) => void;
  log: Log;
  /** A process that is already running. */
  first?: MediaProcess;
  /** Time without tasks after which a process ends; two minutes when absent. */
  idleMs?: number;
  /** Pause before the first retry after a process was killed from outside. */
  killPauseMs?: number;
};

/**
 * Up to `size` media processes, started on demand, reused, and ended when they are idle; tasks queue for them. Tasks
 * with an organization share `size` additional processes, so that long tasks of one organization do not block those of
 * another. The most urgent task is next, and of these one of the organization with the fewest running. A task that
 * takes turns pauses for those before it: its process stays, and continues where it was.
 */
export function createProcessPool(settings: PoolSettings): ProcessPool {
  const { name = 'other', size, spawn, log, first, onModule, idleMs = IDLE_MS, killPauseMs = KILL_PAUSE_MS } = settings;
  /** All processes that have not exited. */
  const children = new Set<MediaProcess>();
  /** Members without a task. The one that was used last is at the end and used next, so that the others may end. */
  const idle: Member[] = [];
  const busy = new Map<Member, Claim>();
  const paused = new Set<Member>();
  const waiting: Waiter[] = [];
  let closed = false;
  const closing = new AbortController();
  if (first) rest(toMember(first));

  async function acquire({ signal, ...options }: MediaTaskOptions): Promise<Member> {
    signal?.throwIfAborted();
    if (closed) throw new Error('The media processes were closed.');
    const claim = toClaim(options);
    const ready = takeMember(claim);
    if (ready) return ready;
    const { promise, resolve, reject } = Promise.withResolvers<Member>();
    const waiter: Waiter = { ...claim, paused: null, take: resolve, give: reject };
    waiting.push(waiter);
    const leave = () => {
      const at = waiting.indexOf(waiter);
      if (at >= 0) waiting.splice(at, 1);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  const countRunning = (orgId: string | null) =>
    busy
      .values()
      .filter((claim) => claim.orgId === orgId)
      .toArray().length;

  /** True if a task of this organization may start or continue now. */
  function hasRoom(orgId: string | null): boolean {
    if (orgId === null) return busy.size < size;
    const free = totalSlots(size) - busy.size;
    const holders = busy.values().map((claim) => claim.orgId);
    return free > 0 && !saturated(holders, free).includes(orgId);
  }

  /** The next task that may start or continue. */
  function nextWaiter(): Waiter | undefined {
    return waiting
      .toSorted((a, b) => rankOf(a) - rankOf(b) || countRunning(a.orgId) - countRunning(b.orgId))
      .find(({ orgId }) => hasRoom(orgId));
  }

  /** Takes an idle process or starts one; null at the limit. */
  function takeMember(claim: Claim): Member | null {
    if (!hasRoom(claim.orgId)) return null;
    const isLowered = claim.priority !== 'interactive';
    const member = claim.network ? spawnConnected() : (takeIdle(isLowered) ?? toMember(spawn()));
    clearTimeout(member.ending);
    if (isLowered) lower(member);
    busy.set(member, claim);
    return member;
  }

  /** Starts a process that may connect to servers, and is not reused. */
  const spawnConnected = (): Member => ({ ...toMember(spawn({ network: true })), tasks: TASKS_PER_PROCESS });

  /** Takes an idle process that runs at the priority of the task, or makes room for a new one. */
  function takeIdle(isLowered: boolean): Member | undefined {
    const living = idle.splice(0).filter(({ child }) => child.alive());
    idle.push(...living);
    const matching = idle.findLastIndex((member) => member.isLowered === isLowered);
    const isFull = busy.size + paused.size + idle.length >= size;
    const at = matching < 0 && isFull ? 0 : matching;
    const member = at < 0 ? undefined : idle.splice(at, 1)[0];
    if (!member?.isLowered || isLowered) return member;
    // A priority cannot be raised again.
    clearTimeout(member.ending);
    member.child.kill();
    return;
  }

  function lower(member: Member): void {
    if (!member.isLowered) member.child.lowerPriority();
    member.isLowered = true;
  }

  /** Pauses a task while others go before it. */
  async function waitForTurn(member: Member): Promise<void> {
    const claim = busy.get(member);
    if (!claim || waiting.length === 0) return;
    busy.delete(member);
    const next = nextWaiter();
    if (!next || !goesFirst(next, claim) || !mayStay(next, claim)) {
      busy.set(member, claim);
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<Member>();
    paused.add(member);
    waiting.push({ ...claim, paused: member, take: resolve, give: reject });
    startWaiting();
    await promise;
  }

  /** Paused processes keep their memory: at most `size`, and as many more for urgent tasks. */
  function mayStay(next: Waiter, claim: Claim): boolean {
    const most = rankOf(next) < rankOf(claim) ? 2 * size : size;
    return next.paused !== null || paused.size < most;
  }

  /** True if a waiting task goes before one that would pause for it. */
  function goesFirst(next: Claim, claim: Claim): boolean {
    if (rankOf(next) !== rankOf(claim)) return rankOf(next) < rankOf(claim);
    return next.orgId !== claim.orgId && countRunning(next.orgId) <= countRunning(claim.orgId);
  }

  /** Starts and continues tasks while there is room. */
  function startWaiting(): void {
    for (let next = nextWaiter(); next; next = nextWaiter()) {
      const { orgId, priority, network } = next;
      const claim = { orgId, priority, network };
      const member = next.paused ?? takeMember(claim);
      if (!member) return;
      waiting.splice(waiting.indexOf(next), 1);
      if (paused.delete(member)) busy.set(member, claim);
      next.take(member);
    }
  }

  function toMember(child: MediaProcess): Member {
    children.add(child);
    void child.exited.then(() => children.delete(child));
    return { child, tasks: 0, isLowered: false };
  }

  /** Keeps a process for the next task. One that ends leaves the list in the same turn, so that no task can get it. */
  function rest(member: Member): void {
    idle.push(member);
    const end = () => {
      const at = idle.indexOf(member);
      if (at >= 0) idle.splice(at, 1);
      member.child.kill();
    };
    member.ending = setTimeout(end, idleMs).unref();
  }

  function release(member: Member): void {
    busy.delete(member);
    if (paused.delete(member)) {
      const at = waiting.findIndex((waiter) => waiter.paused === member);
      if (at >= 0) waiting.splice(at, 1);
    }
    const worn = member.tasks >= TASKS_PER_PROCESS || member.child.rssBytes() > RECYCLE_BYTES;
    if (closed || worn) member.child.kill();
    // Processes beyond `size`, for a second organization, are not reused.
    else if (busy.size + paused.size + idle.length >= size) member.child.kill();
    else if (member.child.alive()) rest(member);
    if (!closed) startWaiting();
  }

  async function attempt(
    member: Member,
    task: MediaTask,
    options: MediaTaskOptions,
  ): Promise<{ value: unknown } | { died: Death }> {
    const { signal, timeoutS } = options;
    const { child } = member;
    const { promise: stopped, reject: stop } = Promise.withResolvers<never>();
    const onAbort = () => stop(signal?.reason);
    let free = false;
    let prepared: PreparedTask | undefined;
    const timer = timeoutS === undefined ? undefined : setTimeout(() => stop(timedOut(timeoutS)), timeoutS * 1000);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const failure = await Promise.race([child.started, stopped]);
      if (failure?.killed) return { died: failure.killed };
      if (failure) throw engineUnavailable(failure.reason);
      let most = 0;
      const onProgress = (fraction: number) => {
        if (fraction <= most && most > 0) return;
        most = Math.min(1, fraction);
        options.onProgress?.(most);
      };
      member.tasks++;
      const { module, name, reads, writes } = task;
      free = true;
      const args = task.argsOf ? await Promise.race([task.argsOf(), stopped]) : task.args;
      prepared = await child.prepare(args, { reads, writes });
      free = false;
      const on = {
        progress: onProgress,
        turn: () => waitForTurn(member),
        handover: async (value: unknown) => options.onEmit?.(value),
      };
      const ending = await Promise.race([child.run({ module: module.href, name, args: prepared.args }, on), stopped]);
      free = true;
      if (ending.kind === 'error') throw ending.error;
      if (ending.kind === 'died') return { died: ending };
      onModule?.(module.href);
      return { value: await prepared.publish(ending.value) };
    } finally {
      // Synchronous decoding can only be stopped by killing the process.
      if (!free) child.kill();
      await prepared?.clear();
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Waits before a retry. Rejects with the reason of the signal, or when the pool closes. */
  async function pause(ms: number, signal?: AbortSignal): Promise<void> {
    const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    stop.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        reject(stop.reason);
      };
      const timer = setTimeout(() => {
        stop.removeEventListener('abort', leave);
        resolve();
      }, ms);
      stop.addEventListener('abort', leave, { once: true });
    });
  }

  async function runTask(task: MediaTask, options: MediaTaskOptions, span: TraceSpan): Promise<unknown> {
    const requestedMs = performance.now();
    const crashRetries = options.retryCrash === false ? 0 : CRASH_RETRIES;
    for (let crashes = 0, kills = 0; ; ) {
      const member = await acquire(options);
      const waitS = (performance.now() - requestedMs) / 1000;
      if (crashes + kills === 0) span.set({ 'sightline.media.pid': member.child.pid, 'sightline.media.wait_s': waitS });
      let outcome: Awaited<ReturnType<typeof attempt>>;
      try {
        outcome = await attempt(member, task, options);
      } finally {
        release(member);
      }
      if ('value' in outcome) return outcome.value;
      const { how, cause } = outcome.died;
      mediaProcessDied.publish({ pool: name, cause });
      if (cause === 'file' && ++crashes > crashRetries) throw crashed(how, crashes);
      if (cause === 'machine' && ++kills > KILL_RETRIES) throw killed(how, kills);
      log.warn({ task: task.name, how, cause, crashes, kills }, 'A media task lost its process; it is retried.');
      if (cause === 'machine') await pause(killPauseMs * 2 ** (kills - 1), options.signal);
    }
  }

  return {
    load: () => ({ pool: name, busy: busy.size, paused: paused.size, idle: idle.length, waiting: waiting.length }),
    run: (task, options = {}) =>
      measured(
        () =>
          withSpan(`media ${task.name}`, { 'sightline.media.task': task.name, 'sightline.media.pool': name }, (span) =>
            runTask(task, options, span),
          ),
        (outcome, seconds) => mediaTaskEnded.publish({ pool: name, outcome, seconds }),
      ),
    async close() {
      closed = true;
      closing.abort(new Error('The media processes were closed.'));
      for (const waiter of waiting.splice(0)) waiter.give(new Error('The media processes were closed.'));
      for (const { ending } of idle.splice(0)) clearTimeout(ending);
      for (const child of children) child.kill();
      await Promise.all([...children].map(({ exited }) => exited));
    },
  };
}

const toClaim = ({ orgId, priority = 'interactive', network = false }: MediaTaskOptions): Claim => ({
  orgId: orgId ?? null,
  priority,
  network,
});

const rankOf = ({ priority }: Claim) => TASK_PRIORITIES.indexOf(priority);

const crashed = (how: string, times: number) =>
  mediaProblem.media_crashed(
    `Reading this file crashed the media process${times > 1 ? ' twice' : ''} (${how}); the file is probably damaged.`,
  );

const killed = (how: string, times: number) =>
  mediaProblem.media_killed(
    `The system ended the media process ${times} times (${how}) while it read this file, most likely because memory ran out. The file need not be damaged: free memory or set SIGHTLINE_MEDIA_PROCESSES to a lower number, then try again.`,
  );

const timedOut = (seconds: number) =>
  mediaProblem.media_timeout(`Reading the video took longer than the ${seconds} seconds it may take.`);
