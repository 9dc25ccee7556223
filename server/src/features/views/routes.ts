import type { Transaction } from '#platform/db/index';
import { type App, failures } from '#platform/http/index';
import {
  FuseBody,
  FusedAnswer,
  SetAnswer,
  SignBody,
  SignedViews,
  Started,
  StitchBody,
  Unlinked,
  ViewedVideo,
  ViewsQuery,
} from './schema.ts';
import type { Views } from './service.ts';
import type { ViewSet } from './store.ts';

type Asked = Awaited<ReturnType<Views['query']>>;

export function viewsRoutes(app: App, views: Views): void {
  app.post(
    '/api/multi-view/stitch',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'stitchViews',
        tags: ['Multi-view'],
        summary: 'Link videos as views of one happening',
        description:
          'Makes videos the views of one set, one of them primary. Whatever sets they were in end. Can be repeated with other roles, labels or offsets; labels that are left out stay.',
        body: StitchBody,
        response: { 200: SetAnswer, ...failures(404) },
      },
    },
    async ({ caller, body }) =>
      answer(
        await views.link(caller, {
          primaryVideoId: body.primary_view_id,
          views: body.views,
          labels: body.labels ?? {},
          offsets: body.offsets ?? {},
        }),
      ),
  );

  app.get(
    '/api/multi-view/:video_id',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'getViews',
        tags: ['Multi-view'],
        summary: 'Get the views of a happening',
        description: 'Returns the set that a video is a view of.',
        params: ViewedVideo,
        response: { 200: SetAnswer, ...failures(404) },
      },
    },
    async ({ caller, params }) => answer(await views.get(caller, params.video_id)),
  );

  app.delete(
    '/api/multi-view/:video_id',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'unlinkViews',
        tags: ['Multi-view'],
        summary: 'End a set of views',
        description: 'Its videos stay, each on its own.',
        params: ViewedVideo,
        response: { 200: Unlinked, ...failures(404) },
      },
    },
    async ({ caller, params }) => {
      const { primaryVideoId } = await views.unlink(caller, params.video_id);
      return { status: 'unlinked' as const, primary_view_id: primaryVideoId };
    },
  );

  app.post(
    '/api/multi-view/:video_id/signed-urls',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'signViews',
        tags: ['Multi-view'],
        summary: 'Get URLs that play all views',
        description: 'Returns a signed URL for each view of the set, with its offset. A view that is not ready is 409.',
        params: ViewedVideo,
        body: SignBody,
        response: { 200: SignedViews, ...failures(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const signed = await views.sign(caller, params.video_id, body ?? {});
      return {
        primary_view_id: signed[0]!.videoId,
        views: signed.map((view) => ({ ...viewOf(view), url: view.url, expires_at: view.expires_at })),
      };
    },
  );

  app.post(
    '/api/multi-view/:video_id/query',
    {
      config: { scope: 'write', idempotency: 'resumable' },
      schema: {
        operationId: 'queryViews',
        tags: ['Multi-view'],
        summary: 'Ask all views a question',
        description:
          'Starts one analysis per view of the set in one batch, as the start endpoint does. When the batch is done, `POST /api/fuse_multiview_results` tells each happening once, with the views that saw it.',
        params: ViewedVideo,
        body: ViewsQuery,
        response: { 200: Started, ...failures(404) },
      },
    },
    async (request) => {
      if (request.remembered !== null) return JSON.parse(request.remembered) as Asked;
      return views.query(request.caller, request.params.video_id, request.body, (made: Asked, trx: Transaction) =>
        request.remember(JSON.stringify(made), trx),
      );
    },
  );

  app.post(
    '/api/fuse_multiview_results',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'fuseViews',
        tags: ['Multi-view'],
        summary: 'Tell what several views saw once',
        description:
          'Fuses the events of batches that asked views: events of one category that overlap on the clock of the primary view, within a second, are one event with a list of views, unless the things in them differ by class or plainly by colour, or, where they rest on no things, by label. Where cameras stand is not known: two things alike at the same time are told as one.',
        body: FuseBody,
        response: { 200: FusedAnswer, ...failures(404) },
      },
    },
    async ({ caller, body }) => {
      const { method, roles, sets, unmatched } = await views.fuse(caller, body.batch_ids, body.view_keys ?? []);
      return {
        view_types: roles,
        fusion_method: method,
        results: sets.map((set) => ({
          ...{ video_id: set.primaryVideoId, views: answer(set).views },
          events: set.events,
        })),
        unmatched_results: unmatched.map(({ videoId, analysisId, events }) => ({
          ...{ video_id: videoId, analysis_id: analysisId, events: [...events] },
        })),
      };
    },
  );
}

const viewOf = ({ role, videoId, label, offsetS }: ViewSet['views'][number]) => ({
  ...{ role, video_id: videoId, label, offset_s: offsetS },
});

const answer = ({ primaryVideoId, views }: ViewSet) => ({
  primary_view_id: primaryVideoId,
  views: Object.fromEntries(views.map(({ role, videoId }) => [role, videoId])),
  details: views.map(viewOf),
});
