import { EventSummary } from '#features/analyses/index';
import { actorOf } from '#features/audit/index';
import { type App, routes } from '#platform/http/index';
import { sampleRoutes } from './samples/index.ts';
import {
  AnalysisParams,
  AssignedEvents,
  AssignmentRequest,
  BulkReviewRequest,
  EventHistory,
  EventParams,
  EventReviewRequest,
  FolderParams,
  FolderReview,
  NewEvent,
  ReleaseRequest,
  ReviewedEvents,
  ReviewPolicyRequest,
} from './schema.ts';
import { ReviewScores, ScoresQuery } from './scores/schema.ts';
import type { Review } from './service-types.ts';

/** Time until an assignment ends unless the request states one. */
const ASSIGNMENT_S = 600;

export function reviewRoutes(app: App, review: Review): void {
  sampleRoutes(app, review.samples);
  const route = routes(app, { tag: 'Review', scope: 'read', folderKeys: true });

  route.get(
    '/api/events/:event_id',
    {
      id: 'getEvent',
      summary: 'Get an event',
      description: 'Returns an event of a completed analysis that you may read, as lists of events do.',
      params: EventParams,
      response: EventSummary,
      errors: [404],
    },
    ({ caller, params }) => review.get(caller, params.eventId),
  );

  route.patch(
    '/api/events/:event_id',
    {
      id: 'reviewEvent',
      summary: 'Review an event',
      description:
        'Sets your verdict on an event, and corrects its label, severity, times or note. The event is decided when as many reviewers agree as its folder needs (default: one, then the latest verdict counts). The analysis document, lists, batches and exports show the result.',
      params: EventParams,
      body: EventReviewRequest,
      response: EventSummary,
      errors: [404],
    },
    async (request) => {
      const { caller, params, body } = request;
      const [event] = await review.change(caller, [params.eventId], body, actorOf(request));
      return event!;
    },
  );

  route.post(
    '/api/events/review',
    {
      id: 'reviewEvents',
      summary: 'Review several events',
      description: 'Sets one verdict on up to 500 events, all or none. They are undone together.',
      body: BulkReviewRequest,
      response: ReviewedEvents,
      errors: [404],
    },
    async (request) => {
      const { eventIds, ...change } = request.body;
      return { events: await review.change(request.caller, eventIds, change, actorOf(request)) };
    },
  );

  route.post(
    '/api/videos/:video_id/analyses/:analysis_id/events',
    {
      id: 'addEvent',
      summary: 'Add a missed event',
      description:
        'Adds an event that the analysis missed, with your approval. It is the last event of the document, and counts in the recall of the prompt.',
      params: AnalysisParams,
      body: NewEvent,
      response: EventSummary,
      errors: [404],
    },
    (request) => {
      const { caller, params, body } = request;
      const event = { ...body, severity: body.severity ?? 'medium', note: body.note ?? null };
      return review.add(caller, params.videoId, params.analysisId, event, actorOf(request));
    },
  );

  route.post(
    '/api/review/undo',
    {
      id: 'undoReview',
      // Its last change may concern another folder.
      folderKeys: false,
      summary: 'Undo your last review',
      description:
        'Undoes your last request that changed or added events; repeat it to undo earlier ones. An added event becomes `rejected`, because ids of events are never used twice. If somebody else changed the same field since, it is 409.',
      response: ReviewedEvents,
      errors: [404, 409],
    },
    async (request) => ({ events: await review.undo(request.caller, actorOf(request)) }),
  );

  route.get(
    '/api/events/:event_id/history',
    {
      id: 'listEventHistory',
      summary: 'List the changes of an event',
      description: 'Lists who changed what on this event, newest first.',
      params: EventParams,
      response: EventHistory,
      errors: [404],
    },
    async ({ caller, params: { eventId } }) => ({ eventId, changes: await review.history(caller, eventId) }),
  );

  route.post(
    '/api/review/assign',
    {
      id: 'assignEvents',
      summary: 'Assign events to a reviewer',
      description:
        'Assigns events to you or another member for a limited time. Lists with `to_review` leave out what is assigned to others. Events that somebody else works on stay with them, unless you are an admin.',
      body: AssignmentRequest,
      response: AssignedEvents,
      errors: [404],
    },
    ({ caller, body: { eventIds, userId = null, seconds = ASSIGNMENT_S } }) =>
      review.assign(caller, eventIds, { userId, seconds }),
  );

  route.post(
    '/api/review/release',
    {
      id: 'releaseEvents',
      summary: 'End the assignment of events',
      description:
        'Makes events available to all reviewers again. Those of others stay with them, unless you are an admin.',
      body: ReleaseRequest,
      response: AssignedEvents,
      errors: [404],
    },
    ({ caller, body }) => review.release(caller, body.eventIds),
  );

  route.get(
    '/api/review/scores',
    {
      id: 'getReviewScores',
      summary: 'Get precision and recall from reviews',
      description:
        'Returns precision, recall, temporal overlap and calibration of the events that you may read and that were reviewed, for each prompt, engine version and folder.',
      query: ScoresQuery,
      response: ReviewScores,
      errors: [404],
    },
    async ({ caller, query }) => ({ scores: await review.scores(caller, query) }),
  );

  route.get(
    '/api/review/folders/:folder_id',
    {
      id: 'getFolderReview',
      summary: 'Get how a folder is reviewed',
      description: 'Returns the number of reviewers that the events of the folder need, and how far reviewers agree.',
      params: FolderParams,
      response: FolderReview,
      errors: [404],
    },
    ({ caller, params }) => review.getFolder(caller, params.folderId),
  );

  route.put(
    '/api/review/folders/:folder_id',
    {
      id: 'setFolderReview',
      summary: 'Set how a folder is reviewed',
      description: 'Sets the number of reviewers who must agree before an event of the folder is decided.',
      params: FolderParams,
      body: ReviewPolicyRequest,
      response: FolderReview,
      errors: [404],
    },
    (request) => {
      const { caller, params, body } = request;
      return review.setReviewers(caller, params.folderId, body.reviewers, actorOf(request));
    },
  );
}
