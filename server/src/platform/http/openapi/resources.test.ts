import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { createLog } from '#platform/log';
import { createHttp } from '../app.ts';
import { routes } from '../routes.ts';
import { Nullable } from '../schema/fields.ts';
import { resource } from '../schema/resource.ts';
import type { App } from '../types.ts';
import { serveOpenApi } from './document.ts';

const Track = resource('Track', Type.Object({ track_id: Type.String() }, { description: 'A track.' }));
const text = { tag: 'Tracks', scope: 'public' } as const;

async function describe(declare: (app: App) => void) {
  const app = createHttp({
    log: createLog('silent'),
    bodyBytes: 1,
    authenticate: () => Promise.reject(new Error('not used')),
    idempotency: {} as never,
  });
  serveOpenApi(app, { title: 'T', version: '1', description: 'T', tags: [], schemas: {} });
  app.register(async (scope) => declare(scope as unknown as App));
  await app.ready();
  return app.swagger() as unknown as {
    paths: Record<string, { get: { responses: Record<string, { description: string; content: object }> } }>;
    components: { schemas: Record<string, object> };
  };
}

test('a deprecated operation is described and every response of it states since when, and until when', async () => {
  const app = createHttp({
    log: createLog('silent'),
    bodyBytes: 1,
    authenticate: () => Promise.reject(new Error('not used')),
    idempotency: {} as never,
  });
  serveOpenApi(app, { title: 'T', version: '1', description: 'T', tags: [], schemas: {} });
  app.register(async (scope) => {
    const route = routes(scope as unknown as App, text);
    const deprecated = { since: '2027-03-01', sunset: '2028-03-01' } as const;
    const query = Type.Object({ n: Type.Integer() });
    route.get('/old', { id: 'old', summary: 'Old', description: 'Old.', query, response: Track, deprecated }, () => ({
      trackId: 'a',
    }));
    route.get('/new', { id: 'new', summary: 'New', description: 'New.', response: Track }, () => ({ trackId: 'a' }));
  });
  await app.ready();
  for (const [path, status] of [
    ['/old?n=1', 200],
    ['/old?n=x', 400],
  ] as const) {
    const { statusCode, headers } = await app.inject(path);
    expect([statusCode, headers.deprecation, headers.sunset]).toEqual([
      status,
      '@1803859200',
      'Wed, 01 Mar 2028 00:00:00 GMT',
    ]);
  }
  const current = (await app.inject('/new')).headers;
  expect([current.deprecation, current.sunset]).toEqual([undefined, undefined]);
  const { paths } = app.swagger() as unknown as { paths: Record<string, { get: Described }> };
  const { deprecated, description, responses } = paths['/old']!.get;
  expect([deprecated, description]).toEqual([
    true,
    expect.stringMatching(/^Deprecated since 2027-03-01: it stops working/),
  ]);
  expect(Object.keys(responses['200']!.headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset']));
  expect(paths['/new']!.get.deprecated).toBeUndefined();
  expect(Object.keys(paths['/new']!.get.responses['200']!.headers)).not.toContain('Sunset');
});

type Described = {
  deprecated?: boolean;
  description: string;
  responses: Record<string, { headers: Record<string, object> }>;
};

test('each use of a named schema refers to its one definition', async () => {
  const Page = resource(
    'TrackPage',
    Type.Object(
      { tracks: Type.Array(Track), best: Nullable(Track) },
      { description: 'A page.', examples: [{ tracks: [], best: null }] },
    ),
  );
  const { paths, components } = await describe((app) => {
    const route = routes(app, text);
    route.get('/page', { id: 'page', summary: 'Page', description: 'Page.', response: Page }, () => {
      throw new Error('not used');
    });
  });
  const track = { $ref: '#/components/schemas/Track' };
  expect(paths['/page']!.get.responses['200']).toMatchObject({
    description: 'A page.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/TrackPage' } } },
  });
  expect(components.schemas).toMatchObject({
    Track: { type: 'object', description: 'A track.', properties: { track_id: { type: 'string' } } },
    TrackPage: {
      properties: {
        tracks: { type: 'array', items: track },
        best: { anyOf: [track, { type: 'null' }], description: 'A track.' },
      },
    },
  });
  expect(JSON.stringify({ paths, components })).not.toContain('x-resource');
});

test('a name with two definitions stops the start', async () => {
  const other = resource('Track', Type.Object({ id: Type.String() }, { description: 'A track.' }));
  const twice = describe((app) => {
    const route = routes(app, text);
    for (const [path, response] of Object.entries({ '/a': Track, '/b': other })) {
      route.get(path, { id: path, summary: 'A', description: 'A.', response }, () => {
        throw new Error('not used');
      });
    }
  });
  await expect(twice).rejects.toThrow('The resource Track has two different definitions');
});
