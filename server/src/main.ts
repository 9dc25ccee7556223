import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// What the modules were compiled to is kept from one start to the next, where nobody else may write; where that cannot be, they are compiled again.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)));
const { runCommandLine } = await import('./cli/index.ts');
await runCommandLine(process.argv, process.env);
