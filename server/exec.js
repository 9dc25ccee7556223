#!/usr/bin/env node
// `exec` for npm scripts on Windows, whose shell has none: runs the program and ends as it ends. Other shells have their own,
// which replaces the shell, so that npm's signals reach the program.
import { spawn } from 'node:child_process';

const [program, ...args] = process.argv.slice(2);
const child = spawn(program === 'node' ? process.execPath : program, args, { stdio: 'inherit' });
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
