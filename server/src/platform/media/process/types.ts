import type { Socket } from 'node:net';
import type { Decoder, Encoder } from '../engine/index.ts';
import type { TaskFiles } from './sandbox/index.ts';

/**
 * A task and the files that it needs: a process may reach no others. Strings of the arguments and of the result that
 * are these paths are replaced by those in the process.
 */
export type MediaTask = TaskFiles & {
  /** URL of the module that exports the function. */
  module: URL;
  /** Name of the export: `(args, context: TaskContext) => Promise<result>`. */
  name: string;
  args: unknown;
  /** The arguments of each attempt instead of `args`, where they change with what an earlier attempt emitted. */
  argsOf?: () => Promise<unknown>;
};

/** Priorities of tasks, the most urgent first. */
export const TASK_PRIORITIES = ['interactive', 'batch', 'background'] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

export type MediaTaskOptions = {
  signal?: AbortSignal;
  /** Timeout in seconds. The process is then killed and the call fails with `media_timeout`. */
  timeoutS?: number;
  /** Receives the completed fraction, 0 to 1, never decreasing. */
  onProgress?: (fraction: number) => void;
  /** Receives what the task emits, one value at a time. If it fails, so does the task. */
  onEmit?: (value: unknown) => Promise<void> | undefined;
  /** Organization of the task. Long tasks of one organization do not block those of others. */
  orgId?: string;
  /** `interactive`, the default: somebody waits for it. Others run at a lower priority and let such tasks go first. */
  priority?: TaskPriority;
  /**
   * True (the default) to retry once after a crash of the process. A task whose process was killed from outside is
   * always retried, several times with pauses; then the call fails with `media_killed`.
   */
  retryCrash?: boolean;
  /** Runs in the pool of live tasks, which never queue behind whole videos. */
  live?: boolean;
  /** True for a task that connects to a server itself; it runs in a process of its own. */
  network?: boolean;
};

/** Second argument of a task function. */
export type TaskContext = {
  progress: (fraction: number) => void;
  /** Sends an intermediate value to the parent. Resolves when the parent has processed it, to its reply. */
  emit: <Reply = void>(value: unknown) => Promise<Reply>;
  /**
   * Lets tasks that go first run. Resolves when this one may continue, at once if none waits. A long task calls it
   * about every second.
   */
  turn: () => Promise<void>;
  /** Aborts when the task is to finish early. */
  stopSignal: AbortSignal;
  /** Receives connections that the parent accepted, paused, with the address of the client. Others are closed. */
  onConnection: (take: (socket: Socket, remote: string) => void) => void;
  decoder: Decoder;
  encoder: Encoder;
};
