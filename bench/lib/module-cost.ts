/** Imports the module that is its argument. Prints what that costs this process, as JSON. Run with --expose-gc. */
import { readFileSync } from 'node:fs';

const [module = ''] = process.argv.slice(2);
const pssBytes = () => 1024 * Number(/^Pss:\s+(\d+)/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))![1]);

globalThis.gc!();
const before = { heap: process.memoryUsage().heapUsed, pss: pssBytes(), cpu: process.cpuUsage() };
await import(module);
const { user, system } = process.cpuUsage(before.cpu);
globalThis.gc!();
const heapBytes = process.memoryUsage().heapUsed - before.heap;
console.log(JSON.stringify({ heapBytes, pssBytes: pssBytes() - before.pss, cpuMs: (user + system) / 1000 }));
