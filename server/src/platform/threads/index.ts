/** Threads for work on large inputs that would otherwise hold up all requests of this process. */
export { runTask } from './run-task.ts';
