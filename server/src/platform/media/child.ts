import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Log } from '../log.ts';
import { type FromChild, fromWire, type ToChild } from './messages.ts';

export type ChildSettings = {
  engine: 'auto' | 'node-av' | 'ffmpeg';
  ffmpegPath: string;
  /** Command line to put before the process's own; see `findSandbox`. */
  sandbox: readonly string[];
  /** Where the process has a folder for temporary files, which goes with it; the system's when absent. */
  tempDir?: string;
  log: Log;
  /** How long a process at work may give no sign of life before it counts as hung; two minutes when absent. */
  silenceMs?: number;
  /** How many streams its task reads from us, at `pipe:0` and `pipe:4`; none when absent. */
  inputs?: 0 | 1 | 2;
};

export type ChildTask = { module: string; name: string; args: unknown };

export type Started = { engine: 'node-av' | 'ffmpeg' } | { unavailable: string; killed?: boolean };

/** How a task ended: with a value, with an error of its own, or with the death of the process. */
export type Ending =
  | { kind: 'value'; value: unknown }
  | { kind: 'error'; error: Error }
  | { kind: 'died'; how: string };

export type Child = {
  started: Promise<Started>;
  /** Runs one task; never two at once. Never rejects. What the task hands over is taken one by one, in its order. */
  run(
    task: ChildTask,
    on: { progress?: (fraction: number) => void; handover?: (value: unknown) => Promise<void> },
  ): Promise<Ending>;
  /** What the task reads, as many as the settings ask for. */
  inputs: readonly Writable[];
  /** Asks the running task to come to its end. */
  stop(): void;
  kill(): void;
  exited: Promise<void>;
  alive(): boolean;
  /** Memory after the last task, in bytes. */
  rssBytes(): number;
};

const ENTRY = fileURLToPath(new URL('./process.ts', import.meta.url));
/** Young garbage is collected sooner: left alone, V8 lets 48 MB of it lie in a long video, and nothing is faster for it. */
const MEMORY = ['--max-semi-space-size=4'];
const STDERR_TAIL = 4_096;
const SILENCE_MS = 120_000;

/** Starts a media process. Its environment holds nothing but what finding programs and telling the time takes. */
export function spawnChild(settings: ChildSettings): Child {
  const { engine, ffmpegPath, sandbox, tempDir = tmpdir(), log, silenceMs = SILENCE_MS, inputs = 0 } = settings;
  const [program, ...before] = [...sandbox, process.execPath];
  const temp = mkdtempSync(join(tempDir, 'sightline-media-'));
  const child = fork(ENTRY, [engine, ffmpegPath], {
    execPath: program,
    execArgv: [...before, ...MEMORY],
    env: emptiedEnvironment({ ...process.env, TMPDIR: temp, TEMP: temp }),
    serialization: 'advanced',
    stdio: [inputs > 0 ? 'pipe' : 'ignore', 'ignore', 'pipe', 'ipc', ...(inputs > 1 ? ['pipe' as const] : [])],
  });
  // It is read from as well, and a process that dies with bytes unread is an error there when nobody writes any more.
  child.stdio[4]?.on('error', () => {});
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-STDERR_TAIL);
  });
  let rssBytes = 0;
  let nextId = 1;
  let silence: NodeJS.Timeout | undefined;
  let hung = false;
  let current: {
    id: number;
    end: (ending: Ending) => void;
    on: Parameters<Child['run']>[1];
    taking: Promise<void>;
  } | null = null;
  const { promise: exited, resolve: setExited } = Promise.withResolvers<void>();
  const { promise: started, resolve: setStarted } = Promise.withResolvers<Started>();
  const end = (ending: Ending) => {
    clearTimeout(silence);
    const task = current;
    current = null;
    // What it handed over is taken before it counts as ended.
    void task?.taking.then(() => task.end(ending));
  };

  child.on('message', (message: FromChild) => {
    silence?.refresh();
    if (message.kind === 'alive') return;
    if (message.kind === 'ready') return setStarted({ engine: message.engine });
    if (message.kind === 'unavailable') return setStarted({ unavailable: message.reason });
    if (message.id !== current?.id) return;
    if (message.kind === 'progress') return current.on.progress?.(message.fraction);
    if (message.kind === 'handover') return take(current, message.value);
    rssBytes = message.rssBytes;
    end(
      message.kind === 'result'
        ? { kind: 'value', value: message.value }
        : { kind: 'error', error: fromWire(message.error) },
    );
  });
  /** What cannot be taken ends the process: there is no use in more of it. */
  function take(task: NonNullable<typeof current>, value: unknown): void {
    task.taking = task.taking
      .then(() => task.on.handover?.(value))
      .then(
        () => void (child.connected && child.send({ kind: 'taken' } satisfies ToChild)),
        (error) => {
          task.end({ kind: 'error', error });
          child.kill('SIGKILL');
        },
      );
  }
  const died = (how: string) => {
    if (current) log.warn({ pid: child.pid, how, stderr: stderr || undefined }, 'A media process died at work.');
    end({ kind: 'died', how });
    setStarted({ unavailable: `the process ended at once (${how}) ${stderr}`.trim(), killed: how === 'SIGKILL' });
    // It is always killed, and leaves what it was writing.
    void rm(temp, { recursive: true, force: true })
      .catch(() => {})
      .then(setExited);
  };
  child.on('error', (error) => died(error.message));
  child.on('exit', (code, signal) =>
    died(hung ? `no sign of life for ${silenceMs / 1000} s` : (signal ?? `exit code ${code}`)),
  );

  return {
    started,
    exited,
    inputs: [child.stdin, child.stdio[4]].filter((stream) => stream instanceof Writable),
    stop: () => void (child.connected && child.send({ kind: 'stop' } satisfies ToChild)),
    run(task, on) {
      const { promise, resolve } = Promise.withResolvers<Ending>();
      const id = nextId++;
      current = { id, end: resolve, on, taking: Promise.resolve() };
      silence = setTimeout(() => {
        log.warn({ pid: child.pid, task: task.name, silenceMs }, 'A media process hung; it is killed.');
        hung = true;
        child.kill('SIGKILL');
      }, silenceMs);
      child.send(
        { kind: 'task', id, ...task } satisfies ToChild,
        (error) => error && end({ kind: 'died', how: error.message }),
      );
      return promise;
    },
    kill: () => void child.kill('SIGKILL'),
    alive: () => isAlive(child),
    rssBytes: () => rssBytes,
  };
}

const isAlive = (child: ChildProcess) =>
  child.exitCode === null && child.signalCode === null && child.connected && !child.killed;

/** Secrets stay with the parent. Windows programs do not start without their system folder. */
function emptiedEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = ['PATH', 'TZ', 'TMPDIR', 'SystemRoot', 'TEMP'];
  return Object.fromEntries(kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
