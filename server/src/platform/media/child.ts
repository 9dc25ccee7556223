import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Log } from '../log.ts';
import { type FromChild, fromWire, type ToChild } from './messages.ts';

export type ChildSettings = {
  engine: 'auto' | 'node-av' | 'ffmpeg';
  ffmpegPath: string;
  /** Command line to put before the process's own; see `findSandbox`. */
  sandbox: readonly string[];
  log: Log;
  /** How long a process at work may give no sign of life before it counts as hung; two minutes when absent. */
  silenceMs?: number;
};

export type Started = { engine: 'node-av' | 'ffmpeg' } | { unavailable: string };

/** How a task ended: with a value, with an error of its own, or with the death of the process. */
export type Ending =
  | { kind: 'value'; value: unknown }
  | { kind: 'error'; error: Error }
  | { kind: 'died'; how: string };

export type Child = {
  started: Promise<Started>;
  /** Runs one task; never two at once. Never rejects. */
  run(task: Omit<ToChild, 'id'>, onProgress: (fraction: number) => void): Promise<Ending>;
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
export function spawnChild({ engine, ffmpegPath, sandbox, log, silenceMs = SILENCE_MS }: ChildSettings): Child {
  const [program, ...before] = [...sandbox, process.execPath];
  const child = fork(ENTRY, [engine, ffmpegPath], {
    execPath: program,
    execArgv: [...before, ...MEMORY],
    env: emptiedEnvironment(process.env),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-STDERR_TAIL);
  });
  let rssBytes = 0;
  let nextId = 1;
  let silence: NodeJS.Timeout | undefined;
  let current: { id: number; end: (ending: Ending) => void; onProgress: (fraction: number) => void } | null = null;
  const { promise: exited, resolve: setExited } = Promise.withResolvers<void>();
  const { promise: started, resolve: setStarted } = Promise.withResolvers<Started>();
  const end = (ending: Ending) => {
    clearTimeout(silence);
    current?.end(ending);
    current = null;
  };

  child.on('message', (message: FromChild) => {
    silence?.refresh();
    if (message.kind === 'alive') return;
    if (message.kind === 'ready') return setStarted({ engine: message.engine });
    if (message.kind === 'unavailable') return setStarted({ unavailable: message.reason });
    if (message.id !== current?.id) return;
    if (message.kind === 'progress') return current.onProgress(message.fraction);
    rssBytes = message.rssBytes;
    end(
      message.kind === 'result'
        ? { kind: 'value', value: message.value }
        : { kind: 'error', error: fromWire(message.error) },
    );
  });
  const died = (how: string) => {
    if (current) log.warn({ pid: child.pid, how, stderr: stderr || undefined }, 'A media process died at work.');
    end({ kind: 'died', how });
    setStarted({ unavailable: `the process ended at once (${how}) ${stderr}`.trim() });
    setExited();
  };
  child.on('error', (error) => died(error.message));
  child.on('exit', (code, signal) => died(signal ?? `exit code ${code}`));

  return {
    started,
    exited,
    run(task, onProgress) {
      const { promise, resolve } = Promise.withResolvers<Ending>();
      const id = nextId++;
      current = { id, end: resolve, onProgress };
      silence = setTimeout(() => {
        log.warn({ pid: child.pid, task: task.name, silenceMs }, 'A media process hung; it is killed.');
        child.kill('SIGKILL');
      }, silenceMs);
      child.send({ id, ...task } satisfies ToChild, (error) => error && end({ kind: 'died', how: error.message }));
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
