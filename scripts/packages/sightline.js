#!/usr/bin/env node
// Runs Sightline with Node 24: with this Node if it is new enough, otherwise with the one that npm installed beside it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const MAJOR = 24;
const main = fileURLToPath(new URL('./main.js', import.meta.url));

/** Path of Node's program in the package for this platform; null if npm did not install it. */
function installedNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const require = createRequire(import.meta.url);
  for (const name of [`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`]) {
    try {
      const bin = join(dirname(require.resolve(`${name}/package.json`)), 'bin');
      const program = join(bin, process.platform === 'win32' ? 'node.exe' : 'node');
      if (existsSync(program)) return program;
    } catch {
      // It is not installed.
    }
  }
  return null;
}

if (Number(process.versions.node.split('.')[0]) >= MAJOR) {
  await import(pathToFileURL(main).href);
} else {
  const node = installedNode();
  if (node) {
    const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code, signal) => (signal ? process.kill(process.pid, 'SIGKILL') : process.exit(code)));
  } else {
    console.error(
      `Sightline needs Node ${MAJOR}; this is ${process.version}. Install it, or run npm without --omit=optional.`,
    );
    process.exitCode = 1;
  }
}
