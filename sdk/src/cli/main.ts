#!/usr/bin/env node
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

// Caches compiled modules between runs, which reduces the start to a third. Without a writable folder they are compiled
// again. Node 20 has no such cache.
nodeModule.enableCompileCache?.(fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url)));
const { runCommandLine } = await import('./program.ts');
await runCommandLine(process.argv, process.env);
