/**
 * Lists of the library at 1,000 and at 1,000,000 videos over HTTP: the cost of a page must not depend on the size. Two
 * services with a database each are queried in turn, so that other load affects both alike. Then facets, which count
 * the newest 10,000 videos, against the first page of the same library.
 * `npm run bench -- library`
 */
import { encodeCursor } from '../../server/src/platform/http/index.ts';
import { fillLibrary, type LibrarySize } from '../lib/library.ts';
import { interleave, median, timed } from '../lib/measure.ts';
import { type BenchmarkService, startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

const ROUNDS = 60;
const FACET_ROUNDS = 20;
const PAGE = 100;
const SIZES = {
  small: { videos: 1_000, folders: 100, port: 18_101 },
  large: { videos: 1_000_000, folders: 10_000, port: 18_102 },
};
const MAX_RATIO = 1.3;

export async function run(): Promise<BenchmarkRow[]> {
  await using services = new AsyncDisposableStack();
  const start = async (size: LibrarySize & { port: number }) => {
    const service = await startService({ port: size.port });
    services.defer(() => service.stop());
    const started = performance.now();
    const requests = await seed(service, size);
    return { ...requests, seededS: (performance.now() - started) / 1_000 };
  };
  const [small, large] = [await start(SIZES.small), await start(SIZES.large)];

  const rows: BenchmarkRow[] = [{ name: 'seeding 1,000,000 videos', value: large.seededS, unit: 's' }];
  for (const [name, ask] of Object.entries(large.lists)) {
    const askSmall = small.lists[name]!;
    // The first requests of a kind plan their statements and fill caches.
    for (let i = 0; i < 10; i++) await Promise.all([ask(), askSmall()]);
    const times = await interleave(ROUNDS, { small: () => timed(askSmall), large: () => timed(ask) });
    const [at1000, at1000000] = [median(times.small), median(times.large)];
    const note = `${at1000.toFixed(1)} ms and ${at1000000.toFixed(1)} ms`;
    rows.push({
      name: `${name}: 1,000,000 against 1,000`,
      value: at1000000 / at1000,
      unit: '×',
      bar: { max: MAX_RATIO },
      note,
    });
  }
  const page = large.lists['my videos, first page']!;
  for (const [name, ask] of Object.entries(large.facets)) {
    await ask();
    const times = await interleave(FACET_ROUNDS, { page: () => timed(page), facets: () => timed(ask) });
    rows.push({
      name: `facets of ${name}, against a page`,
      value: median(times.facets) / median(times.page),
      unit: '×',
      note: `${median(times.facets).toFixed(0)} ms, at most ${Math.max(...times.facets).toFixed(0)} ms`,
    });
  }
  return rows;
}

type Requests = Record<string, () => Promise<void>>;

/** Fills the library. Returns what to request, as a user who sees their own videos and the organization's. */
async function seed(service: BenchmarkService, size: LibrarySize): Promise<{ lists: Requests; facets: Requests }> {
  const { sightline, baseUrl } = service;
  const owner = (await sightline.accounts.owner())!;
  const { key } = await sightline.keys.create({ ...owner, name: 'lists', scopes: ['read'] });
  const { middleId, rareName } = await fillLibrary(service, size);
  const middle = encodeCursor(['-created_at', '', middleId]);
  const list = (path: string, count: number) => async () => {
    const response = await fetch(baseUrl + path, { headers: { 'x-api-key': key } });
    const body = (await response.json()) as { videos?: unknown[]; folders?: unknown[] };
    const got = (body.videos ?? body.folders)?.length;
    if (got !== count) throw new Error(`${path} answered ${response.status} with ${got} rows`);
  };
  const facets = (query: string) => async () => {
    const response = await fetch(`${baseUrl}/api/videos/facets${query}`, { headers: { 'x-api-key': key } });
    const { total } = (await response.json()) as { total?: number };
    if (!total) throw new Error(`The facets ${query} were answered with ${response.status} and ${total} videos`);
  };
  const lists = {
    'my videos, first page': list(`/api/my-videos?limit=${PAGE}`, PAGE),
    'my videos, a page from the middle': list(`/api/my-videos?limit=${PAGE}&cursor=${middle}`, PAGE),
    'my videos of a folder': list(`/api/my-videos?folder=Everything&limit=${PAGE}`, PAGE),
    'search by a part that all names have': list(`/api/videos?name=.mp4&limit=${PAGE}`, PAGE),
    'search by a part that one name has': list(`/api/videos?name=${encodeURIComponent(rareName)}&limit=${PAGE}`, 1),
    'the library by name': list(`/api/videos?sort=name&limit=${PAGE}`, PAGE),
    folders: list(`/api/folders?limit=${PAGE}`, PAGE),
  };
  return {
    lists,
    facets: {
      'the library': facets(''),
      'personal videos': facets('?scope=user'),
      'a part that all names have': facets('?name=.mp4'),
      'a part that every 16th name has': facets('?name=f.mp4'),
      'a part that one name has': facets(`?name=${encodeURIComponent(rareName)}`),
    },
  };
}
