import { flushCompileCache } from 'node:module';

/** Task that loads modules, so that Node stores them compiled, and runs nothing of them. */
export async function compile({ modules }: { modules: readonly string[] }): Promise<void> {
  for (const module of modules) await import(module);
  flushCompileCache();
}
