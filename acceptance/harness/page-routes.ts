import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from './repository.ts';

/** The routes of all pages of the console, such as `/videos/$videoId`. */
export async function routesOfPages(): Promise<string[]> {
  const source = await readFile(join(REPOSITORY, 'web/src/pages.ts'), 'utf8');
  const routes = [...source.matchAll(/^ {2}'(\/[^']*)':/gm)].map(([, route]) => route!);
  if (routes.length < 15) throw new Error('web/src/pages.ts is not read correctly.');
  return routes;
}

/** True if an address, with or without parameters, is one of a route. */
export const isAt = (route: string, address: string): boolean =>
  new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`).test(new URL(address, 'http://console').pathname);
