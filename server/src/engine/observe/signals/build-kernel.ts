import { readFile, writeFile } from 'node:fs/promises';
import asc from 'assemblyscript/asc';

/** Compiles `kernel.as`. The compiler's version is pinned and its output is the same everywhere, so a test compares it with the committed `kernel.wasm`. */
export async function buildKernel(): Promise<Uint8Array> {
  const source = await readFile(new URL('./kernel.as', import.meta.url), 'utf8');
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
  if (error || !wasm) throw new Error(`kernel.as does not compile: ${error?.message ?? ''} ${stderr.toString()}`);
  return wasm;
}

if (import.meta.main) await writeFile(new URL('./kernel.wasm', import.meta.url), await buildKernel());
