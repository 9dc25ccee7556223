import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Caches compiled modules between starts, in a folder that other users cannot write to. Without it they are recompiled.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)));
const { runCommandLine } = await import('./cli/index.ts');
await runCommandLine(process.argv, process.env);
