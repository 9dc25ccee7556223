/**
 * Chunks of the console. Each shared module in a chunk of its own would be dozens of requests before the
 * first page, and browsers send six at a time over HTTP/1.1.
 */
import { join } from 'node:path';
import type { ChunkingContext, CodeSplittingGroup } from 'rolldown';
import type { Plugin } from 'vite';

const SOURCES = join(import.meta.dirname, 'src');
const CONSOLE = join(SOURCES, 'console.tsx');
const FIRST_PAGE = join(SOURCES, 'rooms/videos/library-page.tsx');

/** Modules that every page needs, and those of the first one: mostly controls that the others need, too. */
export const groups: CodeSplittingGroup[] = [
  { name: 'main', tags: ['$initial'], priority: 3 },
  { debugName: 'console', name: partOf(CONSOLE, 'console'), priority: 2 },
  { debugName: 'library', name: partOf(FIRST_PAGE, 'library'), priority: 1 },
  // Shared parts of later pages are small, and each chunk costs a name in the first script.
  { name: 'live', test: /\/(rooms|player)\/(live|cameras)\//, minShareCount: 2 },
  { name: 'shared', test: /\/src\/(ui|frame)\/|quer(y|ies)\.ts$/, minShareCount: 2 },
];

/** Names the chunk of a module and of all that it imports, directly or through others, but not only when needed. */
function partOf(root: string, name: string) {
  let parts: ReadonlySet<string> | undefined;
  return (id: string, context: ChunkingContext) => {
    parts ??= importsOf(root, context);
    return parts.has(id) ? name : null;
  };
}

/**
 * Parts that an index imports and that are not needed at first: those of messages, before there is one, and those of
 * menus, selects and dialogs, which pages need.
 */
const LATER =
  /@base-ui\/react\/(toast\/(root|action|arrow|close|content|description|portal|positioner|title|viewport)\/|floating-ui-react\/(components\/FloatingFocusManager|hooks\/(useListNavigation|useTypeahead))\.)/;

function importsOf(id: string, context: ChunkingContext, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(id) || LATER.test(id)) return found;
  found.add(id);
  for (const imported of context.getModuleInfo(id)?.importedIds ?? []) importsOf(imported, context, found);
  return found;
}

/** Loads the console beside `main.ts`, which imports it. */
export const preloadConsole: Plugin = {
  name: 'preload-console',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.values(bundle ?? {})
        .filter((file) => file.type === 'chunk' && file.facadeModuleId === CONSOLE)
        .flatMap((file) => (file.type === 'chunk' ? [file.fileName, ...file.imports] : []))
        .map((path) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${path}` },
          injectTo: 'head',
        })),
  },
};
