import { type ChildProcess, fork } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants, setPriority, tmpdir } from 'node:os';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Log } from '../../log.ts';
import { compileCacheFolder } from './compile-cache.ts';
import { type Death, toDeath } from './death.ts';
import { type ChildMessage, deserializeError, type ParentMessage } from './messages.ts';
import {
  COMPILER,
  openRoom,
  type PreparedTask,
  type ProcessAccount,
  type Sandbox,
  type TaskFiles,
} from './sandbox/index.ts';

export type MediaProcessSettings = {
  /** Containment of the process, see `findSandboxes`. */
  sandbox: Sandbox;
  /** Parent of the process's folder, which is deleted with it. Defaults to the system's. */
  tempDir?: string;
  /** Files and folders that it may read at their own paths; those of the sandbox's settings. */
  readable?: readonly string[];
  /** Folders of the service, whose files the group of media processes may be allowed to read. */
  ownFolders?: readonly string[];
  /** True for a process that connects to a server itself. */
  network?: boolean;
  /** True for a process that only compiles modules, and may write to the cache of them. */
  compiles?: boolean;
  log: Log;
  /** Time without a heartbeat after which a working process counts as hung; two minutes when absent. */
  heartbeatTimeoutMs?: number;
  /** Number of streams that its task reads, at `pipe:0` and `pipe:4`; 0 when absent. */
  inputs?: 0 | 1 | 2;
};

export type ProcessTask = { module: string; name: string; args: unknown };

/** Reason why a process did not load the engine. `killed`: how it was killed, which is not a failure of the engine. */
export type StartFailure = { reason: string; killed: Death | null };

/** Outcome of a task: a value, an error of the task, or the exit of the process. */
export type TaskOutcome =
  | { kind: 'value'; value: unknown }
  | { kind: 'error'; error: Error }
  | ({ kind: 'died' } & Death);

export type MediaProcess = {
  pid: number | undefined;
  /** Resolves to null when the process is ready for tasks. */
  started: Promise<StartFailure | null>;
  /** Puts the files of a task where the process reaches them. Rejects if one does not exist. */
  prepare(args: unknown, files: TaskFiles): Promise<PreparedTask>;
  /** Runs one task at a time. Never rejects. Emitted values are processed one at a time, in order. */
  run(
    task: ProcessTask,
    on: {
      progress?: (fraction: number) => void;
      /** Its result is sent to the task. */
      handover?: (value: unknown) => Promise<unknown>;
      /** The task continues when this resolves. */
      turn?: () => Promise<void>;
    },
  ): Promise<TaskOutcome>;
  /** Streams to the task, as many as in the settings. */
  inputs: readonly Writable[];
  /** Gives a paused connection to the running task; this process keeps none of it. */
  give(socket: Socket, remote: string): void;
  /** Aborts the running task's `stopSignal`. */
  stop(): void;
  /** Gives the tasks of other processes more of the processor from now on. It cannot be undone. */
  lowerPriority(): void;
  kill(): void;
  exited: Promise<void>;
  alive(): boolean;
  /** Resident memory after the last task in bytes. */
  rssBytes(): number;
};

const ENTRY = fileURLToPath(new URL('./main.ts', import.meta.url));
/** A smaller young generation saves up to 48 MB on long videos and costs no speed. */
const MEMORY = ['--max-semi-space-size=4'];
/** Niceness of a process for tasks that nobody waits for; threads that it starts later inherit it. */
const LOWERED = constants.priority.PRIORITY_BELOW_NORMAL;
/** Argument of a process that stores the modules that it loads compiled, so that the next one starts faster. */
export const WRITES_CACHE = 'writes-cache';
/** Argument that distinguishes the compiler from processes of tasks. */
const COMPILES = 'compiles';
/** Node ends if it may not read the configuration of OpenSSL, which nothing here needs. */
const NO_FILES = ['--openssl-config=/dev/null'];
const STDERR_TAIL = 4_096;
const SILENCE_MS = 120_000;

/** Starts a media process. Its environment contains only what programs need to run, and no secrets. */
export function spawnMediaProcess(settings: MediaProcessSettings): MediaProcess {
  const { sandbox, tempDir = tmpdir(), log, heartbeatTimeoutMs: silenceMs = SILENCE_MS, inputs = 0 } = settings;
  const { readable = [], ownFolders = [], network = false, compiles = false } = settings;
  const { hasOwnFiles, keepsReading } = sandbox;
  const next = sandbox.nextAccount();
  const account = next && compiles ? COMPILER : next;
  const cache = compileCacheFolder();
  const writesCache = !hasOwnFiles || compiles;
  if (cache !== null && account && compiles) giveCacheTo(cache, account);
  const room = openRoom({
    tempDir,
    account,
    hasOwnFiles,
    keepsReading,
    cache: compiles ? null : cache,
    readable,
    ownFolders,
    log,
  });
  const seenCache = compiles ? cache : room.cache;
  const needs = {
    network,
    readable: [...room.readable, ...(cache === null ? [] : [cache])],
    writable: [...room.writable, ...(cache !== null && compiles ? [cache] : [])],
    account,
  };
  const [program, ...before] = [...sandbox.command(needs), process.execPath];
  const environment = emptiedEnvironment({ ...process.env, TMPDIR: room.temp, TEMP: room.temp });
  // Libraries ask for a home, which users without an account do not have.
  if (hasOwnFiles) environment.HOME = room.temp;
  const child = fork(ENTRY, [...(writesCache ? [WRITES_CACHE] : []), ...(compiles ? [COMPILES] : [])], {
    execPath: program,
    execArgv: [...before, ...MEMORY, ...(hasOwnFiles ? NO_FILES : [])],
    env: { ...environment, ...(seenCache === null ? {} : { NODE_COMPILE_CACHE: seenCache }) },
    serialization: 'advanced',
    stdio: [inputs > 0 ? 'pipe' : 'ignore', 'ignore', 'pipe', 'ipc', ...(inputs > 1 ? ['pipe' as const] : [])],
    ...(hasOwnFiles ? { cwd: room.path } : {}),
    ...(keepsReading ? {} : account),
  });
  // Analyses come first.
  if (compiles && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  // A process that exits with unread bytes causes an error here even when nothing is being written.
  child.stdio[4]?.on('error', () => {});
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-STDERR_TAIL);
  });
  let rssBytes = 0;
  let nextId = 1;
  let silence: NodeJS.Timeout | undefined;
  let hung = false;
  let undelivered = false;
  let current: {
    id: number;
    end: (ending: TaskOutcome) => void;
    on: Parameters<MediaProcess['run']>[1];
    taking: Promise<void>;
  } | null = null;
  const { promise: exited, resolve: setExited } = Promise.withResolvers<void>();
  const { promise: started, resolve: setStarted } = Promise.withResolvers<StartFailure | null>();
  const end = (ending: TaskOutcome) => {
    clearTimeout(silence);
    const task = current;
    current = null;
    // All emitted values are processed before the task counts as ended.
    void task?.taking.then(() => task.end(ending));
  };

  child.on('message', (message: ChildMessage) => {
    silence?.refresh();
    if (message.kind === 'alive') return;
    if (message.kind === 'ready') return setStarted(null);
    if (message.kind === 'unavailable') return setStarted({ reason: message.reason, killed: null });
    if (message.id !== current?.id) return;
    if (message.kind === 'progress') return current.on.progress?.(message.fraction);
    if (message.kind === 'turn') return waitForTurn(current);
    if (message.kind === 'handover') return take(current, message.value);
    rssBytes = message.rssBytes;
    end(
      message.kind === 'result'
        ? { kind: 'value', value: message.value }
        : { kind: 'error', error: deserializeError(message.error) },
    );
  });
  /** Processes an emitted value. If that fails, the process is killed. */
  function take(task: NonNullable<typeof current>, value: unknown): void {
    task.taking = task.taking
      .then(() => task.on.handover?.(value))
      .then(
        (reply) => void (child.connected && child.send({ kind: 'taken', reply } satisfies ParentMessage)),
        (error) => {
          task.end({ kind: 'error', error });
          child.kill('SIGKILL');
        },
      );
  }
  function waitForTurn({ on }: NonNullable<typeof current>): void {
    // A task that is refused its turn is killed by its caller.
    const turn = on.turn?.() ?? Promise.resolve();
    turn.then(
      () => void (child.connected && child.send({ kind: 'continue' } satisfies ParentMessage)),
      () => {},
    );
  }
  const died = (death: Death) => {
    const { how, cause } = death;
    if (current)
      log.warn({ childPid: child.pid, how, cause, stderr: stderr || undefined }, 'A media process died at work.');
    end({ kind: 'died', ...death });
    const killed = cause === 'machine' ? death : null;
    setStarted({ reason: `the process ended at once (${how}) ${stderr}`.trim(), killed });
    // The process is always killed and cannot clean up itself.
    void room.remove().then(setExited);
  };
  child.on('error', (error) => died({ how: error.message, cause: 'file' }));
  child.on('exit', (code, signal) => {
    if (hung) return died({ how: `no sign of life for ${silenceMs / 1000} s`, cause: 'file' });
    const death = toDeath(code, signal);
    died(undelivered ? { ...death, cause: 'machine' } : death);
  });

  return {
    pid: child.pid,
    started,
    exited,
    prepare: room.prepare,
    inputs: [child.stdin, child.stdio[4]].filter((stream) => stream instanceof Writable),
    give(socket, remote) {
      const fail = (error: Error | null) => void (error && socket.destroy());
      if (!child.connected) return void socket.destroy();
      child.send({ kind: 'connection', remote } satisfies ParentMessage, socket, {}, fail);
    },
    stop: () => void (child.connected && child.send({ kind: 'stop' } satisfies ParentMessage)),
    run(task, on) {
      const { promise, resolve } = Promise.withResolvers<TaskOutcome>();
      const id = nextId++;
      current = { id, end: resolve, on, taking: Promise.resolve() };
      silence = setTimeout(() => {
        log.warn({ childPid: child.pid, task: task.name, silenceMs }, 'A media process hung; it is killed.');
        hung = true;
        child.kill('SIGKILL');
      }, silenceMs);
      child.send({ kind: 'task', id, ...task } satisfies ParentMessage, (error) => {
        if (!error) return;
        // The process ended before it got the task: nothing in the task can be the cause.
        undelivered = true;
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
        else end({ kind: 'died', how: error.message, cause: 'machine' });
      });
      return promise;
    },
    lowerPriority() {
      try {
        if (child.pid !== undefined) setPriority(child.pid, LOWERED);
      } catch {
        // It has ended.
      }
    },
    kill: () => void child.kill('SIGKILL'),
    alive: () => isAlive(child),
    rssBytes: () => rssBytes,
  };
}

/** Gives the cache to the user that compiles; all others read it. */
function giveCacheTo(folder: string, { uid, gid }: ProcessAccount): void {
  mkdirSync(folder, { recursive: true });
  chownSync(folder, uid, gid);
}

const isAlive = (child: ChildProcess) =>
  child.exitCode === null && child.signalCode === null && child.connected && !child.killed;

/** Removes everything but a few variables, so that secrets stay in the parent. Windows programs need `SystemRoot`. */
function emptiedEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = ['PATH', 'TZ', 'TMPDIR', 'SystemRoot', 'TEMP'];
  return Object.fromEntries(inherited.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
