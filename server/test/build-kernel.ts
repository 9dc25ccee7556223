import { readFile, writeFile } from 'node:fs/promises';
import asc from 'assemblyscript/asc';

/**
 * Compiles a kernel in AssemblyScript, `name.as`. The compiler's version is pinned and its output is the same
 * everywhere, so that tests compare it with the committed `name.wasm`. `node server/test/build-kernel.ts FILE.as...`
 * writes that.
 */
export async function buildKernel(path: string | URL): Promise<Uint8Array> {
  const source = await readFile(path, 'utf8');
  let wasm: Uint8Array | null = null;
  const options = ['--optimizeLevel', '3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd'];
  // The compiler only takes the name `.ts`, which our own type check would take for TypeScript.
  const { error, stderr } = await asc.main(['kernel.ts', '--outFile', 'kernel.wasm', ...options], {
    readFile: (name) => (name === 'kernel.ts' ? source : null),
    writeFile: (_name, contents) => {
      wasm = contents as Uint8Array;
    },
    listFiles: () => [],
  });
  if (error || !wasm) throw new Error(`${path} does not compile: ${error?.message ?? ''} ${stderr.toString()}`);
  return wasm;
}

if (import.meta.main) {
  for (const path of process.argv.slice(2)) await writeFile(path.replace(/\.as$/, '.wasm'), await buildKernel(path));
}
