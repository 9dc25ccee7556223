import { DEFAULT_MIN_CONFIDENCE } from '#engine/index';
import { actorOf } from '#features/audit/index';
import { type App, type Domain, routes } from '#platform/http/index';
import { inboxRoutes } from './inbox/index.ts';
import {
  DeletedSavedQuestion,
  ReadingDecision,
  RunList,
  RunListQuery,
  RunRequest,
  SavedQuestion,
  SavedQuestionChange,
  SavedQuestionList,
  SavedQuestionParams,
  SavedQuestionRequest,
  StartedRuns,
} from './schema.ts';
import type { DescribedQuestion, SavedQuestions } from './service.ts';
import type { AlertRule, SavedQuestion as Question, QuestionRun, RecordedFilter } from './types.ts';

const DEFAULT_LIMIT = 100;

export function savedQuestionsRoutes(app: App, questions: SavedQuestions): void {
  const route = routes(app, { tag: 'Saved questions', scope: 'read' });
  inboxRoutes(app, questions);
  const describe = async (question: Question) => toResource((await questions.describe([question]))[0]!);

  route.post(
    '/api/saved-questions',
    {
      id: 'createSavedQuestion',
      summary: 'Save a question',
      description:
        'Saves a prompt that runs by itself on each new video of a folder, or of the organization: uploads, imports and recordings of livestreams. Events that match its rule are announced by webhooks as `alert.raised`. A prompt of which no part can be searched for is refused.',
      body: SavedQuestionRequest,
      response: SavedQuestion,
      errors: [404, 409],
    },
    async (request) => {
      const { caller, body } = request;
      const { name, query, mode, minConfidence, verify, folderId, enabled, snoozedUntil, webhookIds, rule } = body;
      const { timeZone, recorded } = body;
      const settings = {
        name,
        query,
        mode: mode ?? 'thinking',
        minConfidence: minConfidence ?? DEFAULT_MIN_CONFIDENCE,
        verify: verify ?? 'auto',
        folderId: folderId || null,
        timeZone: timeZone || null,
        recorded: toRecorded(recorded),
        enabled: enabled ?? true,
        snoozedUntil: snoozedUntil ?? null,
        webhookIds: webhookIds ? [...new Set(webhookIds)] : null,
        rule: toRule(rule ?? {}),
      };
      return describe(await questions.create(caller, settings, actorOf(request)));
    },
  );

  route.get(
    '/api/saved-questions',
    {
      id: 'listSavedQuestions',
      summary: 'List saved questions',
      description: 'Lists the saved questions that you may read, oldest first.',
      response: SavedQuestionList,
    },
    async ({ caller }) => ({
      savedQuestions: (await questions.describe(await questions.list(caller))).map(toResource),
    }),
  );

  route.get(
    '/api/saved-questions/:saved_question_id',
    {
      id: 'getSavedQuestion',
      summary: 'Get a saved question',
      description: 'Returns a saved question.',
      params: SavedQuestionParams,
      response: SavedQuestion,
      errors: [404],
    },
    async ({ caller, params }) => describe(await questions.get(caller, params.savedQuestionId)),
  );

  route.patch(
    '/api/saved-questions/:saved_question_id',
    {
      id: 'changeSavedQuestion',
      summary: 'Change a saved question',
      description:
        'Changes the settings that the request has: pauses, resumes or snoozes the question, too. Later runs use them; what has run is not repeated.',
      params: SavedQuestionParams,
      body: SavedQuestionChange,
      response: SavedQuestion,
      errors: [404],
    },
    async (request) => {
      const { caller, params, body } = request;
      const { name, query, mode, minConfidence, verify, folderId, enabled, snoozedUntil, webhookIds, rule } = body;
      const { timeZone, recorded } = body;
      const changes = {
        name: name ?? undefined,
        query: query ?? undefined,
        mode: mode ?? undefined,
        minConfidence: minConfidence ?? undefined,
        verify: verify ?? undefined,
        timeZone: timeZone == null ? undefined : timeZone || null,
        recorded: recorded == null ? undefined : toRecorded(recorded),
        enabled: enabled ?? undefined,
        folderId: folderId == null ? undefined : folderId || null,
        snoozedUntil: snoozedUntil ?? undefined,
        webhookIds: webhookIds && [...new Set(webhookIds)],
        rule: rule ? toRule(rule) : undefined,
      };
      return describe(await questions.change(caller, params.savedQuestionId, changes, actorOf(request)));
    },
  );

  route.delete(
    '/api/saved-questions/:saved_question_id',
    {
      id: 'deleteSavedQuestion',
      summary: 'Delete a saved question',
      description: 'Deletes a saved question with the list of its runs. Its analyses and their events stay.',
      params: SavedQuestionParams,
      response: DeletedSavedQuestion,
      errors: [404],
    },
    async (request) => {
      const { savedQuestionId } = request.params;
      await questions.remove(request.caller, savedQuestionId, actorOf(request));
      return { status: 'deleted' as const, savedQuestionId };
    },
  );

  route.post(
    '/api/saved-questions/:saved_question_id/run',
    {
      id: 'runSavedQuestion',
      summary: 'Run a saved question on existing videos',
      description:
        'Starts one batch over the videos of the question that it has not run on, or failed on, the oldest first. Also for a paused question.',
      params: SavedQuestionParams,
      body: RunRequest,
      response: StartedRuns,
      errors: [404, 409],
    },
    async (request) => {
      const { caller, params, body } = request;
      return questions.run(caller, params.savedQuestionId, body.announce ?? false, actorOf(request));
    },
  );

  route.post(
    '/api/saved-questions/:saved_question_id/reading',
    {
      id: 'decideSavedQuestionReading',
      summary: 'Decide about another reading of a saved question',
      description:
        'Accepts the reading that this version proposes, or keeps the stored one. Later runs, and the sessions of its cameras within a minute, use what is stored then. 409 if another reading is proposed.',
      params: SavedQuestionParams,
      body: ReadingDecision,
      response: SavedQuestion,
      errors: [404, 409],
    },
    async (request) => {
      const { caller, params, body } = request;
      return describe(await questions.decideReading(caller, params.savedQuestionId, body, actorOf(request)));
    },
  );

  route.get(
    '/api/saved-questions/:saved_question_id/runs',
    {
      id: 'listSavedQuestionRuns',
      summary: 'List runs of a saved question',
      description: 'Lists the runs on videos that you may read, newest first, with the number of their alerts.',
      params: SavedQuestionParams,
      query: RunListQuery,
      response: RunList,
      errors: [404],
    },
    async ({ caller, params, query: { limit, cursor } }) => {
      const page = { limit: limit ?? DEFAULT_LIMIT, cursor };
      const { runs, ...next } = await questions.listRuns(caller, params.savedQuestionId, page);
      return { runs: runs.map(toRunResource), ...next };
    },
  );
}

/** Null if no filter is set. */
const toRecorded = (recorded: RecordedFilter | null | undefined): RecordedFilter | null =>
  recorded && Object.values(recorded).some(Boolean) ? recorded : null;

type RuleBody = NonNullable<Domain<typeof SavedQuestionRequest>['rule']>;

const toRule = ({ labels, minConfidence, cooldownS, quietHours, digest }: RuleBody): AlertRule => ({
  labels: labels ?? [],
  minConfidence: minConfidence ?? null,
  cooldownS: cooldownS ?? 0,
  quietHours: quietHours ?? null,
  digest: digest ?? null,
});

function toState({ ownerRemoved, folderId, folderName, enabled, snoozedUntil }: DescribedQuestion) {
  if (ownerRemoved) return 'owner_left' as const;
  if (folderId !== null && folderName === null) return 'folder_deleted' as const;
  if (!enabled) return 'paused' as const;
  return snoozedUntil && snoozedUntil > new Date() ? ('snoozed' as const) : ('active' as const);
}

const toResource = ({ id, ...question }: DescribedQuestion) => ({
  ...question,
  savedQuestionId: id,
  state: toState({ id, ...question }),
});

const toRunResource = ({ id, problemCode, problemMessage, ...run }: QuestionRun) => ({
  ...run,
  runId: id,
  error: problemCode,
  message: problemMessage,
});
