import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { killAll, send, treeOf, until } from './processes.ts';
import { PROGRAM } from './program.ts';
import { REPOSITORY } from './repository.ts';

export { REPOSITORY };

export type CommandOptions = {
  /** Variables besides the few that every program needs; the rest of this process's environment is not passed on. */
  env?: Record<string, string>;
  cwd?: string;
  /** Run as this user (needs root). */
  uid?: number;
  /** Input on stdin; default none. */
  input?: string;
};

/** A running command of the product in its own process group, as a shell starts it. */
export type RunningCommand = {
  pid: number;
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code, or the name of the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  /** Waits for text on stdout. Rejects with all output if the command ends first. */
  says(text: string | RegExp, timeoutMs?: number): Promise<void>;
};

export type Finished = { code: number | NodeJS.Signals; stdout: string; stderr: string };

/** Starts `sightline …` as its package does; with `cwd`, from the sources of that checkout, as `npm run cli` does. */
export const begin = (args: readonly string[], options: CommandOptions = {}): RunningCommand =>
  launch(process.execPath, [options.cwd ? join(options.cwd, 'server/src/main.ts') : PROGRAM, ...args], options);

/** Runs `sightline …` to its end; throws and kills it after `timeoutMs`. */
export const sightline = (args: readonly string[], options: CommandOptions & { timeoutMs?: number } = {}) =>
  finished(begin(args, options), options.timeoutMs);

/** Starts the user command line, which uses only HTTP. */
export const beginUser = (args: readonly string[], options: CommandOptions = {}): RunningCommand =>
  launch(process.execPath, [`${REPOSITORY}/sdk/src/cli/main.ts`, ...args], options);

/** Runs the user command line to its end. */
export const user = (args: readonly string[], options: CommandOptions & { timeoutMs?: number } = {}) =>
  finished(beginUser(args, options), options.timeoutMs);

async function finished(command: RunningCommand, timeoutMs = 60_000): Promise<Finished> {
  const late = setTimeout(() => void killAll(treeOf(command.pid)), timeoutMs);
  const code = await command.ended;
  clearTimeout(late);
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}

/** Starts a program in its own process group. It ends with this process at the latest. */
export function launch(
  program: string,
  args: readonly string[],
  { env, cwd, uid, input }: CommandOptions,
): RunningCommand {
  const child = spawn(program, args, {
    cwd: cwd ?? REPOSITORY,
    env: { ...essentials(), ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: true,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  child.stdin?.end(input);
  const stop = () => {
    for (const pid of treeOf(child.pid!)) send(pid, 'SIGKILL');
  };
  process.once('exit', stop);
  const stdout = collect(child.stdout!);
  const stderr = collect(child.stderr!);
  const ended = waitForExit(child).finally(() => process.off('exit', stop));
  let over = false;
  void ended.then(() => {
    over = true;
  });
  return {
    pid: child.pid!,
    stdout,
    stderr,
    ended,
    async says(text, timeoutMs = 60_000) {
      const output = () => (typeof text === 'string' ? stdout().includes(text) : text.test(stdout()));
      await until(() => output() || over, `"${text}"`, timeoutMs);
      if (!output())
        throw new Error(`it ended with ${await ended} before it output "${text}":\n${stdout()}\n${stderr()}`);
    },
  };
}

async function waitForExit(child: ChildProcess): Promise<number | NodeJS.Signals> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return code ?? signal!;
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

function essentials(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'LANG', 'TZ'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
