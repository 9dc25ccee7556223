import { type AuditActor, recordAction } from '#features/audit/index';
import type { Batches } from '#features/batches/index';
import type { DomainEvents } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import { checkTimeZone } from '#features/videos/index';
import { canManage, canRead } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import { type Caller, type IdPage, readIdPage } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import { isTimeZone } from '#platform/local-time';
import { isValidQuietHours } from './alerts.ts';
import * as cameraStore from './camera-store.ts';
import { createDigests, type Recaps } from './digests/index.ts';
import { createInbox, inboxStore } from './inbox/index.ts';
import { type LiveMatches, raiseLiveAlerts } from './live-alerts.ts';
import { problems } from './problems.ts';
import { keepReading, replaceReading } from './reading-store.ts';
import { createQuestionReadings, type ReadingsDeps } from './readings.ts';
import * as runStore from './run-store.ts';
import { createRunner, type RunnerDeps, toOwner, toQuery } from './runner.ts';
import * as store from './store.ts';
import type { QuestionReading, QuestionRun, ReadingDecision, SavedQuestion, SavedQuestionSettings } from './types.ts';

/** Longest text of all questions of a camera in characters: the longest query of a session. */
const QUERIES_LENGTH = 10_000;

export type SavedQuestionsDeps = Omit<RunnerDeps, 'readings'> &
  ReadingsDeps & {
    jobs: Pick<Jobs, 'sendMany' | 'handle' | 'schedule'>;
    recaps: Recaps;
    targets: AlertTargets;
    folders: Pick<Folders, 'requireWritable'>;
    batches: Pick<Batches, 'start' | 'preview' | 'readToStore'>;
    /** Questions of an organization. */
    maxQuestions: number;
    /** Videos of one batch. */
    maxVideos: number;
  };

/** Where alerts go. */
export type AlertTargets = {
  /** Throws a 404 if one of these ids is no webhook of the caller's organization. */
  requireAll(caller: Caller, webhookIds: readonly string[]): Promise<void>;
};

/** A question with how it is understood; null: its words are read within a minute. */
export type DescribedQuestion = Omit<SavedQuestion, 'reading'> & { reading: QuestionReading | null };

/** A batch of a question over existing videos. `hasMore`: further videos wait for another one. */
export type StartedRuns = { batchId: string; streamId: string; total: number; hasMore: boolean };

/**
 * Saved questions. Functions with an id throw `saved_question_not_found` (404), or `saved_question_forbidden` (403) if
 * the caller may not read it.
 */
export function createSavedQuestions(deps: SavedQuestionsDeps) {
  const { database, events, jobs, recaps, targets, folders, batches, engine, maxQuestions, maxVideos } = deps;
  const { now = () => new Date() } = deps;
  const { db } = database;

  async function require(caller: Caller, id: string): Promise<SavedQuestion> {
    const question = await store.findQuestion(db, id);
    if (!question) throw problems.saved_question_not_found();
    if (!canRead(caller, question)) throw problems.saved_question_forbidden();
    return question;
  }

  /** The same, or throws `saved_question_forbidden` (403). */
  async function requireManageable(caller: Caller, id: string): Promise<SavedQuestion> {
    const question = await require(caller, id);
    if (!canManage(caller, question)) throw problems.saved_question_forbidden();
    return question;
  }

  /** Throws `saved_question_refused` (400) with the reasons if no part of a prompt can be searched for. */
  async function checkPrompt(caller: Caller, settings: SavedQuestionSettings) {
    const { query, mode, minConfidence, verify, folderId, timeZone } = settings;
    const { parts } = await batches.preview(caller, { query, minConfidence, verify, timeZone }, mode, folderId);
    if (parts.length === 0 || parts.some(({ status }) => status !== 'not_looked_for')) return;
    const reasons = parts.map(({ text, reason }) => (reason?.startsWith('"') ? reason : `"${text}": ${reason}`));
    throw problems.saved_question_refused(
      `No part of this prompt can be searched for. ${[...new Set(reasons)].join('; ').replace(/\.$/, '')}.`,
    );
  }

  /** Scope of a question about a folder, which its owner must be able to use. Throws as the folders room does. */
  const scopeOf = async (owner: { orgId: string; userId: string }, folderId: string | null) =>
    folderId === null ? 'org' : (await folders.requireWritable(owner, folderId)).scope;

  const record = (
    trx: Transaction,
    by: AuditActor,
    action: string,
    { id, orgId, name }: Pick<SavedQuestion, 'id' | 'orgId' | 'name'>,
    detail: Record<string, string> = {},
  ) => recordAction(trx, by, { orgId, action: `saved_question.${action}`, subjectId: id, detail: { name, ...detail } });

  const readings = createQuestionReadings(deps);
  const runner = createRunner({ ...deps, readings });
  const digests = createDigests({ database, events, jobs, recaps, now });
  const inbox = createInbox({ database, require });

  const questions = {
    ...runner,
    ...inbox,
    sendDigests: digests.sendDue,
    readMissing: readings.readMissing,
    registerJobs(): void {
      runner.registerJobs();
      readings.registerJobs();
      digests.registerJobs();
    },

    list: (caller: Caller): Promise<SavedQuestion[]> => store.listQuestions(db, caller),
    get: require,

    /** Questions with how they are understood. */
    async describe(found: readonly SavedQuestion[]): Promise<DescribedQuestion[]> {
      const described = await readings.describeAll(found);
      return found.map((question) => ({ ...question, reading: described.get(question.id) ?? null }));
    },

    /**
     * Accepts the reading that this version proposes, or keeps the stored one until the proposal changes. A decision
     * can be repeated. Throws `saved_question_forbidden` (403), `saved_question_reading_changed` (409), or
     * `saved_question_reading_unusable` (409) if the stored one cannot be run.
     */
    async decideReading(caller: Caller, id: string, decided: ReadingDecision, by: AuditActor): Promise<SavedQuestion> {
      const question = await requireManageable(caller, id);
      const { readingId, decision } = decided;
      if (question.reading === null) throw problems.saved_question_reading_changed();
      const { held, proposal } = await readings.find(question);
      const isAccepted = decision === 'accept';
      if (isAccepted && held && engine.readings.idOf(held) === readingId) return question;
      if (proposal?.readingId !== readingId) throw problems.saved_question_reading_changed();
      if (!isAccepted && held === null) throw problems.saved_question_reading_unusable();
      if (!isAccepted && question.declinedReading === readingId) return question;
      const before = { id, query: question.query, from: question.reading };
      const isStored = await database.transaction(async (trx) => {
        const stored = isAccepted
          ? await replaceReading(trx, before, { plan: proposal.plan, version: engine.version })
          : await keepReading(trx, before, readingId);
        if (stored) {
          const detail = { decision, interpretation: engine.interpret(proposal.plan) };
          await record(trx, by, 'reading_decided', question, detail);
        }
        return stored;
      });
      // Somebody else has decided, or has changed the words.
      return isStored ? require(caller, id) : questions.decideReading(caller, id, decided, by);
    },

    /**
     * Saves a question of the caller. Throws `saved_question_refused`, `quiet_hours_invalid`, `digest_invalid` (400),
     * `saved_question_limit` (409), or the problems of a query, of the folders room or of `targets`.
     */
    async create(caller: Caller, settings: SavedQuestionSettings, by: AuditActor): Promise<SavedQuestion> {
      const { orgId, userId: ownerId } = caller;
      checkRule(settings);
      await targets.requireAll(caller, settings.webhookIds ?? []);
      const scope = await scopeOf({ orgId, userId: ownerId }, settings.folderId);
      await checkPrompt(caller, settings);
      const query = settings.query.trim();
      const reading = await readings.read(caller, { query, folderId: settings.folderId });
      const question = { ...settings, id: newId(), orgId, ownerId, scope, query, reading };
      await database.transaction(async (trx) => {
        if (!(await store.insertQuestion(trx, question, maxQuestions))) throw problems.saved_question_limit();
        await record(trx, by, 'created', question);
      });
      return require(caller, question.id);
    },

    /** Changes settings; undefined leaves one unchanged. Throws as `create`, or `saved_question_forbidden` (403). */
    async change(
      caller: Caller,
      id: string,
      changes: Partial<SavedQuestionSettings>,
      by: AuditActor,
    ): Promise<SavedQuestion> {
      const current = await requireManageable(caller, id);
      const next = { ...current, ...defined(changes) };
      checkRule(next);
      // Those from before may have been deleted meanwhile.
      const added = (changes.webhookIds ?? []).filter((webhookId) => !current.webhookIds?.includes(webhookId));
      await targets.requireAll(caller, added);
      const { folderId } = changes;
      const scope = folderId === undefined ? undefined : await scopeOf(toOwner(current), folderId);
      const query = next.query.trim();
      const hasNewWords = query !== current.query;
      if (hasNewWords) await checkPrompt(caller, next);
      const reading = hasNewWords ? await readings.read(caller, { query, folderId: next.folderId }) : undefined;
      await database.transaction(async (trx) => {
        const changed = { ...changes, query: hasNewWords ? query : undefined, reading, scope };
        if (!(await store.updateQuestion(trx, id, changed))) throw problems.saved_question_not_found();
        await record(trx, by, 'changed', next);
      });
      return require(caller, id);
    },

    /** Deletes a question with its runs; the analyses stay. Throws `saved_question_forbidden` (403). */
    async remove(caller: Caller, id: string, by: AuditActor): Promise<void> {
      const question = await requireManageable(caller, id);
      await database.transaction(async (trx) => {
        if (!(await store.deleteQuestion(trx, id))) throw problems.saved_question_not_found();
        await record(trx, by, 'deleted', question);
      });
    },

    /**
     * Runs a question on its existing videos that it has not run on, or failed on: one batch of the oldest. Throws
     * `saved_question_forbidden` (403), `saved_question_nothing_to_run`, `saved_question_busy`,
     * `saved_question_owner_left`, `saved_question_reading_unusable` (409), or the problems of a query.
     */
    async run(caller: Caller, id: string, announces: boolean, by: AuditActor): Promise<StartedRuns> {
      const question = await requireManageable(caller, id);
      if (question.ownerRemoved) throw problems.saved_question_owner_left();
      const owner = toOwner(question);
      const reading = await readings.require(question);
      const found = await runStore.listVideosToRun(db, question, owner, maxVideos + 1);
      if (found.length === 0) throw problems.saved_question_nothing_to_run();
      const videoIds = found.slice(0, maxVideos);
      const hasMore = found.length > maxVideos;
      const { body, options } = toQuery(question);
      const { batchId, streamId, total } = await batches.start(
        { ...owner, keyId: caller.keyId },
        { ...body, videoIds },
        {
          ...options,
          reading,
          async saveReference(started, trx) {
            const runs = { questionId: id, videoIds, batchId: started.batchId, announces };
            if ((await runStore.insertStarted(trx, runs)) < videoIds.length) throw problems.saved_question_busy();
            await record(trx, by, 'run', question);
          },
        },
      );
      return { batchId, streamId, total, hasMore };
    },

    /**
     * Replaces the questions that are answered while a camera is recorded. The caller must be able to read them. Throws
     * `saved_question_not_found` (404), `saved_question_forbidden` (403), or `saved_questions_too_long` (400).
     */
    async setOfCamera(trx: Transaction, caller: Caller, cameraId: string, ids: readonly string[]): Promise<void> {
      const chosen = [...new Set(ids)];
      const found = await Promise.all(chosen.map((id) => require(caller, id)));
      const length = found.reduce((sum, { query }) => sum + query.length + 1, 0);
      if (length > QUERIES_LENGTH) throw problems.saved_questions_too_long();
      await cameraStore.replaceQuestions(trx, cameraId, chosen);
    },

    /** Questions of cameras, without a check of access, oldest first. */
    listOfCameras: (cameraIds: readonly string[], on: Queryable = db) => cameraStore.listQuestionsOf(on, cameraIds),

    /** Publishes alerts for events that a question of a camera asks for, as its rule says. */
    /** Domain event: alerts about events of a session are about those of its recordings. */
    onLiveAnswered: (trx: Transaction, { sessionId, events: answered }: DomainEvents['live.answered']) =>
      inboxStore.setAnalyses(trx, sessionId, answered),
    /** Domain event: lists a fault of a camera when it begins. */
    async onCameraFault(trx: Transaction, { orgId, faultId, endedAt }: DomainEvents['camera.fault']): Promise<void> {
      if (endedAt === null) await inboxStore.insertFaultAlert(trx, orgId, faultId);
    },
    raiseLiveAlerts: (trx: Transaction, id: string, matches: LiveMatches) =>
      raiseLiveAlerts(trx, { events, now }, id, matches),

    /** Runs on videos that the caller may read, newest first. Throws `cursor_invalid` (400). */
    async listRuns(caller: Caller, id: string, page: IdPage) {
      await require(caller, id);
      const read = (before: string | null, limit: number) =>
        runStore.listRuns(db, caller, { questionId: id, before, limit });
      const { rows, ...next } = await readIdPage<QuestionRun>(page, read, (run) => run.id);
      return { runs: rows, ...next };
    },
  };
  return questions;
}

export type SavedQuestions = ReturnType<typeof createSavedQuestions>;

/** Throws `time_zone_invalid`, `quiet_hours_invalid` or `digest_invalid` (400). */
function checkRule({ rule: { quietHours, digest }, timeZone }: Pick<SavedQuestionSettings, 'rule' | 'timeZone'>): void {
  checkTimeZone(timeZone);
  if (quietHours && !isValidQuietHours(quietHours)) throw problems.quiet_hours_invalid();
  if (digest && !isTimeZone(digest.timeZone)) throw problems.digest_invalid();
}

const defined = <T extends object>(changes: T) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
