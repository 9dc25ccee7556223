import type { Transaction } from '#platform/db/index';
import { type App, fromWire, routes, toWire } from '#platform/http/index';
import {
  FusedResults,
  FuseViewsBody,
  QueryViewsBody,
  SignedViews,
  SignViewsBody,
  StartedViewsQuery,
  StitchViewsBody,
  UnlinkedViews,
  ViewedVideoParams,
  ViewSetList,
  ViewSetListQuery,
  ViewSetResource,
} from './schema.ts';
import type { Views } from './service.ts';
import type { ViewSet } from './store.ts';

type StartedBatch = Awaited<ReturnType<Views['query']>>;

const LIST_LIMIT = 100;

export function viewsRoutes(app: App, views: Views): void {
  const route = routes(app, { tag: 'Multi-view', scope: 'read' });

  route.post(
    '/api/multi-view/stitch',
    {
      id: 'stitchViews',
      folderKeys: true,
      summary: 'Link videos as views of one event',
      description:
        'Links videos as one set of views, one of them primary, and ends the sets they were in. Repeat it to change roles, labels or offsets; omitted labels are retained.',
      body: StitchViewsBody,
      response: ViewSetResource,
      errors: [404],
    },
    async ({ caller, body }) =>
      toViewSet(
        await views.link(caller, {
          primaryVideoId: body.primaryViewId,
          views: body.views,
          labels: body.labels ?? {},
          offsets: body.offsets ?? {},
        }),
      ),
  );

  route.get(
    '/api/multi-view',
    {
      id: 'listViewSets',
      folderKeys: true,
      summary: 'List sets of views',
      description:
        'Lists the sets of which you can see at least two views, newest primary video first. With `video_id`, the list has the set of this video, or is empty.',
      query: ViewSetListQuery,
      response: ViewSetList,
      errors: [404],
    },
    async ({ caller, query: { limit, cursor, videoId } }) => {
      const { sets, ...next } = await views.list(caller, { limit: limit ?? LIST_LIMIT, cursor, videoId });
      return { viewSets: sets.map(toViewSet), ...next };
    },
  );

  route.get(
    '/api/multi-view/:video_id',
    {
      id: 'getViews',
      folderKeys: true,
      summary: 'Get the views of an event',
      description: 'Returns the set of views that contains the video.',
      params: ViewedVideoParams,
      response: ViewSetResource,
      errors: [404],
    },
    async ({ caller, params }) => toViewSet(await views.get(caller, params.videoId)),
  );

  route.delete(
    '/api/multi-view/:video_id',
    {
      id: 'unlinkViews',
      folderKeys: true,
      summary: 'End a set of views',
      description: 'Ends the set that contains the video. The videos stay.',
      params: ViewedVideoParams,
      response: UnlinkedViews,
      errors: [404],
    },
    async ({ caller, params }) => {
      const { primaryVideoId } = await views.unlink(caller, params.videoId);
      return { status: 'unlinked' as const, primaryViewId: primaryVideoId };
    },
  );

  route.post(
    '/api/multi-view/:video_id/signed-urls',
    {
      id: 'signViews',
      scope: 'read',
      folderKeys: true,
      summary: 'Get URLs that play all views',
      description: 'Returns a signed URL and the offset of each view. It is 409 if a view is not ready.',
      params: ViewedVideoParams,
      body: SignViewsBody,
      response: SignedViews,
      errors: [404, 409],
    },
    async ({ caller, params, body }) => {
      const signed = await views.sign(caller, params.videoId, body ?? {});
      return { primaryViewId: signed[0]!.videoId, views: signed };
    },
  );

  route.post(
    '/api/multi-view/:video_id/query',
    {
      id: 'queryViews',
      idempotency: 'resumable',
      summary: 'Query all views',
      description:
        'Starts one analysis per view of the set in one batch, as the start endpoint does. When the batch is done, `POST /api/fuse_multiview_results` returns each event once, with the views that show it.',
      params: ViewedVideoParams,
      body: QueryViewsBody,
      response: StartedViewsQuery,
      errors: [404],
    },
    async (request) => {
      if (request.savedReference !== null) return fromWire(StartedViewsQuery, JSON.parse(request.savedReference));
      return views.query(
        request.caller,
        request.params.videoId,
        request.body,
        (started: StartedBatch, trx: Transaction) =>
          request.saveReference(JSON.stringify(toWire(StartedViewsQuery, started)), trx),
      );
    },
  );

  route.post(
    '/api/fuse_multiview_results',
    {
      id: 'fuseViews',
      scope: 'read',
      summary: 'Fuse the events of several views',
      description:
        'Fuses the events of batches that queried views. Events of one category that overlap on the clock of the primary view, with a tolerance of one second, become one event with a list of views, unless their objects differ by class or clearly by color or, without objects, by label. Camera positions are unknown: two similar objects at the same time become one event.',
      body: FuseViewsBody,
      response: FusedResults,
      errors: [404],
    },
    async ({ caller, body }) => {
      const { method, roles, sets, unmatched } = await views.fuse(caller, body.batchIds, body.viewKeys ?? []);
      return {
        viewTypes: roles,
        fusionMethod: method,
        results: sets.map((set) => ({
          videoId: set.primaryVideoId,
          views: toViewSet(set).views,
          events: set.events,
        })),
        unmatchedResults: unmatched.map(({ videoId, analysisId, events }) => ({ videoId, analysisId, events })),
      };
    },
  );
}

const toViewSet = ({ primaryVideoId, views }: ViewSet) => ({
  primaryViewId: primaryVideoId,
  views: Object.fromEntries(views.map(({ role, videoId }) => [role, videoId])),
  details: views,
});
