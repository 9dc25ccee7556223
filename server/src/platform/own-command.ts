/** The package contains JavaScript; a checkout runs its sources. */
const IS_CHECKOUT = import.meta.url.endsWith('.ts');

/** The command line that runs a command of this installation: `ownCommand('keys list')`. */
export function ownCommand(command: string): string {
  if (!IS_CHECKOUT) return `npx sightline ${command}`;
  return command === 'start' ? 'npm start' : `npm run cli -- ${command}`;
}
