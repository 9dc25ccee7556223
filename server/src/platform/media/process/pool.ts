import type { Log } from '../../log.ts';
import { saturated, totalSlots } from '../../shares.ts';
import { engineUnavailable, mediaProblem } from '../problems.ts';
import type { Death } from './death.ts';
import type { MediaProcess } from './media-process.ts';
import type { MediaTask, MediaTaskOptions } from './types.ts';

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

export type ProcessPool = {
  run(task: MediaTask, options?: MediaTaskOptions): Promise<unknown>;
  close(): Promise<void>;
};

type Member = { child: MediaProcess; tasks: number; ending?: NodeJS.Timeout };
type Waiter = { orgId: string | null; take: (member: Member) => void; give: (error: unknown) => void };

type PoolSettings = {
  size: number;
  spawn: () => MediaProcess;
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
 * another.
 */
export function createProcessPool(settings: PoolSettings): ProcessPool {
  const { size, spawn, log, first, idleMs = IDLE_MS, killPauseMs = KILL_PAUSE_MS } = settings;
  /** All processes that have not exited. */
  const children = new Set<MediaProcess>();
  /** Members without a task. The one that was used last is at the end and used next, so that the others may end. */
  const idle: Member[] = [];
  /** Busy processes, each with the organization of its task. */
  const busy = new Map<Member, string | null>();
  const waiting: Waiter[] = [];
  let closed = false;
  const closing = new AbortController();
  if (first) rest(toMember(first));

  async function acquire({ signal, ...options }: MediaTaskOptions): Promise<Member> {
    const orgId = options.orgId ?? null;
    signal?.throwIfAborted();
    if (closed) throw new Error('The media processes were closed.');
    const ready = takeMember(orgId);
    if (ready) return ready;
    const { promise, resolve, reject } = Promise.withResolvers<Member>();
    const waiter: Waiter = { orgId, take: resolve, give: reject };
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

  /** True if a task of this organization may start now. */
  function hasRoom(orgId: string | null): boolean {
    if (orgId === null) return busy.size < size;
    const free = totalSlots(size) - busy.size;
    return free > 0 && !saturated(busy.values(), free).includes(orgId);
  }

  /** Takes an idle process or starts one; null at the limit. */
  function takeMember(orgId: string | null): Member | null {
    if (!hasRoom(orgId)) return null;
    let member = idle.pop();
    while (member && !member.child.alive()) member = idle.pop();
    member ??= toMember(spawn());
    clearTimeout(member.ending);
    busy.set(member, orgId);
    return member;
  }

  function toMember(child: MediaProcess): Member {
    children.add(child);
    void child.exited.then(() => children.delete(child));
    return { child, tasks: 0 };
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
    const worn = member.tasks >= TASKS_PER_PROCESS || member.child.rssBytes() > RECYCLE_BYTES;
    if (closed || worn) member.child.kill();
    // Processes beyond `size`, for a second organization, are not reused.
    else if (busy.size + idle.length >= size) member.child.kill();
    else if (member.child.alive()) rest(member);
    for (const waiter of [...waiting]) {
      const next = takeMember(waiter.orgId);
      if (!next) continue;
      waiting.splice(waiting.indexOf(waiter), 1);
      waiter.take(next);
    }
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
      const { module, name, args } = task;
      const ending = await Promise.race([
        child.run({ module: module.href, name, args }, { progress: onProgress }),
        stopped,
      ]);
      free = true;
      if (ending.kind === 'error') throw ending.error;
      return ending.kind === 'value' ? { value: ending.value } : { died: ending };
    } finally {
      // Synchronous decoding can only be stopped by killing the process.
      if (!free) child.kill();
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

  return {
    async run(task, options = {}) {
      const crashRetries = options.retryCrash === false ? 0 : CRASH_RETRIES;
      for (let crashes = 0, kills = 0; ; ) {
        const member = await acquire(options);
        let outcome: Awaited<ReturnType<typeof attempt>>;
        try {
          outcome = await attempt(member, task, options);
        } finally {
          release(member);
        }
        if ('value' in outcome) return outcome.value;
        const { how, cause } = outcome.died;
        if (cause === 'file' && ++crashes > crashRetries) throw crashed(how, crashes);
        if (cause === 'machine' && ++kills > KILL_RETRIES) throw killed(how, kills);
        log.warn({ task: task.name, how, cause, crashes, kills }, 'A media task lost its process; it is retried.');
        if (cause === 'machine') await pause(killPauseMs * 2 ** (kills - 1), options.signal);
      }
    },
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
