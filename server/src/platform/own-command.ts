import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The package contains JavaScript; a checkout runs its sources. */
const IS_CHECKOUT = import.meta.url.endsWith('.ts');

/** Program of a release, whose modules are in a folder beside `bin`. */
const RELEASE = fileURLToPath(new URL('../bin/sightline', import.meta.url));

/** The command line that runs a command of this installation: `ownCommand('keys list')`. */
export function ownCommand(command: string): string {
  if (!IS_CHECKOUT) return `${existsSync(RELEASE) ? quote(RELEASE) : 'npx sightline'} ${command}`;
  return command === 'start' ? 'npm start' : `npm run cli -- ${command}`;
}

/** A path as one word of a shell. */
const quote = (path: string) => (/\s/.test(path) ? `"${path}"` : path);
