import { runCommandLine } from './cli/index.ts';

await runCommandLine(process.argv, process.env);
