/**
 * Search parameters of the pages: every filter, selection and time is part of a page's address. Each function reads
 * what an address contains and leaves out what is not valid.
 */
type Raw = Record<string, unknown>;

const text = (value: unknown): string | undefined => {
  const trimmed = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return trimmed || undefined;
};
const number = (value: unknown): number | undefined => {
  const parsed = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(parsed) && value !== '' ? parsed : undefined;
};
const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((each) => each === value);
const flag = (value: unknown): true | undefined => (value === true || value === 'true' ? true : undefined);

const date = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** Two times of a day, from the one to before the other, as the API has them. */
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/;
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** Days of the week as the API has them: in order, separated by commas. */
export const joinWeekdays = (days: readonly unknown[]): string | undefined =>
  WEEKDAYS.filter((day) => days.includes(day)).join(',') || undefined;

/** When something was recorded: local days, times of day and weekdays. */
const recordedSearch = (raw: Raw) => ({
  recorded_after: date(raw.recorded_after),
  recorded_before: date(raw.recorded_before),
  time_of_day: typeof raw.time_of_day === 'string' && TIME_OF_DAY.test(raw.time_of_day) ? raw.time_of_day : undefined,
  weekday: typeof raw.weekday === 'string' ? joinWeekdays(raw.weekday.split(',')) : undefined,
});
export type RecordedSearch = Partial<ReturnType<typeof recordedSearch>>;

/** Makes all parameters optional for links. */
const optional = <T>(params: T): Partial<T> => params;

/** Sign-in and links. The token of a link is in the fragment. `return_to` is a path of the console. */
export const welcomeSearch = (raw: Raw) =>
  optional({
    return_to: text(raw.return_to),
    setup: raw.setup === undefined ? undefined : true,
    invitation: raw.invitation === undefined ? undefined : true,
    reset: raw.reset === undefined ? undefined : true,
  });

/** `return_to` is the page to open once a second factor is set up. */
export const secondFactorSearch = (raw: Raw) => optional({ return_to: text(raw.return_to) });

/** Orders of the library, as the API names them. */
export const SORTS = {
  newest: '-created_at',
  oldest: 'created_at',
  name: 'name',
  'name-desc': '-name',
  longest: '-duration_s',
  shortest: 'duration_s',
  recorded: '-recorded_at',
  'recorded-first': 'recorded_at',
} as const;
export type LibrarySort = keyof typeof SORTS;
export const SCOPES = ['user', 'org', 'sample'] as const;
export const STATUSES = ['ready', 'processing', 'failed'] as const;
export const LENGTHS = ['seconds', 'minutes', 'long', 'hours'] as const;

export const librarySearch = (raw: Raw) =>
  optional({
    folder: text(raw.folder),
    scope: oneOf(SCOPES, raw.scope),
    tag: text(raw.tag),
    q: text(raw.q),
    status: oneOf(STATUSES, raw.status),
    queried: oneOf(['yes', 'no'] as const, raw.queried),
    length: oneOf(LENGTHS, raw.length),
    after: date(raw.after),
    before: date(raw.before),
    ...recordedSearch(raw),
    sort: oneOf(Object.keys(SORTS) as LibrarySort[], raw.sort),
    view: oneOf(['grid', 'table'] as const, raw.view),
    trash: flag(raw.trash),
  });

export const VIDEO_TABS = ['ask', 'events', 'coverage', 'zones', 'captions', 'details'] as const;

/** `t`, `in` and `out` are times in seconds: the playhead and the marks. `ask`: a prompt that the box starts with. */
export const videoSearch = (raw: Raw) =>
  optional({
    t: number(raw.t),
    tab: oneOf(VIDEO_TABS, raw.tab),
    analysis: text(raw.analysis),
    event: text(raw.event),
    in: number(raw.in),
    out: number(raw.out),
    ask: text(raw.ask),
  });

export const questionsSearch = (raw: Raw) =>
  optional({
    q: text(raw.q),
    status: oneOf(['processing', 'completed', 'failed', 'cancelled'] as const, raw.status),
  });

/** `scope`: datasets that the user created, or those that are shared. */
export const datasetsSearch = (raw: Raw) => optional({ scope: oneOf(['user', 'org'] as const, raw.scope) });

/** `question`: id of the saved question whose runs are shown. */
export const savedQuestionsSearch = (raw: Raw) => optional({ question: text(raw.question) });

export const SEVERITIES = ['low', 'medium', 'high'] as const;
export const APPROVALS = ['pending', 'approved', 'rejected', 'unsure'] as const;

/**
 * `compare`: id of another batch whose events are compared with those of this one; `part`: those that narrow screens
 * show; `within`: longest time in seconds between two events of an incident.
 */
export const questionSearch = (raw: Raw) =>
  optional({
    label: text(raw.label),
    severity: text(raw.severity),
    verdict: oneOf(APPROVALS, raw.verdict),
    video: text(raw.video),
    confidence: number(raw.confidence),
    sort: oneOf(['time', 'confidence', 'rarest'] as const, raw.sort),
    compare: text(raw.compare),
    part: oneOf(['a', 'b', 'both'] as const, raw.part),
    within: number(raw.within),
  });

/**
 * `baseline`: the earlier prompt, if the comparison states none; `change`: the events that are shown; `question`: id of
 * the saved question that is changed.
 */
export const comparisonSearch = (raw: Raw) =>
  optional({
    baseline: text(raw.baseline),
    change: oneOf(['appeared', 'disappeared'] as const, raw.change),
    question: text(raw.question),
  });

/**
 * `after` and `before`: days on which the analyses were created; `like`: a frame, `video@seconds`, or a part of one,
 * `video@seconds@x,y,width,height`.
 */
export const searchSearch = (raw: Raw) =>
  optional({
    q: text(raw.q),
    like: text(raw.like),
    label: text(raw.label),
    severity: oneOf(SEVERITIES, raw.severity),
    folder: text(raw.folder),
    video: text(raw.video),
    review: oneOf(APPROVALS, raw.review),
    confidence: number(raw.confidence),
    after: date(raw.after),
    before: date(raw.before),
    ...recordedSearch(raw),
    sort: oneOf(['confidence'] as const, raw.sort),
    per: oneOf(['event'] as const, raw.per),
  });

export const SHOWN_EVENTS = ['open', 'disputed', 'mine', 'approved', 'rejected', 'unsure', 'samples'] as const;

/** `show`: which events are reviewed, or ranges without events, of the prompt `query`; `event`: the current one. */
export const reviewSearch = (raw: Raw) =>
  optional({
    show: oneOf(SHOWN_EVENTS, raw.show),
    order: oneOf(['least', 'newest'] as const, raw.order),
    label: text(raw.label),
    folder: text(raw.folder),
    video: text(raw.video),
    batch: text(raw.batch),
    query: text(raw.query),
    event: text(raw.event),
  });

/**
 * `action`, `user`, `outcome` and `subject`: limits of the audit log. `webhook` and `status`: deliveries that are
 * shown.
 */
export const settingsSearch = (raw: Raw) =>
  optional({
    action: text(raw.action),
    user: text(raw.user),
    outcome: oneOf(['succeeded', 'refused'] as const, raw.outcome),
    subject: text(raw.subject),
    webhook: text(raw.webhook),
    status: oneOf(['pending', 'delivered', 'failed'] as const, raw.status),
  });

/** `prefix` may be empty: the whole bucket. `include` and `exclude` have one pattern a line. */
export const newImportSearch = (raw: Raw) =>
  optional({
    integration: text(raw.integration),
    prefix: typeof raw.prefix === 'number' ? String(raw.prefix) : raw.prefix === '' ? '' : text(raw.prefix),
    include: text(raw.include),
    exclude: text(raw.exclude),
  });

/** `camera`: id of the camera that is shown. `q` and `state`: limits of the list. */
export const camerasSearch = (raw: Raw) =>
  optional({
    camera: text(raw.camera),
    q: text(raw.q),
    state: oneOf(['live', 'record', 'offline', 'off'] as const, raw.state),
  });

/** `folder`: id of the folder whose streams are shown. `events`: only tiles with new events. */
export const wallSearch = (raw: Raw) => optional({ folder: text(raw.folder), events: flag(raw.events) });

/** `ingest`: id of the recording that is shown. */
export const recordingsSearch = (raw: Raw) => optional({ ingest: text(raw.ingest) });

export type LibrarySearch = ReturnType<typeof librarySearch>;
export type VideoSearch = ReturnType<typeof videoSearch>;
export type QuestionSearch = ReturnType<typeof questionSearch>;
export type ComparisonSearch = ReturnType<typeof comparisonSearch>;
export type ReviewSearch = ReturnType<typeof reviewSearch>;
export type SearchSearch = ReturnType<typeof searchSearch>;
export type SettingsSearch = ReturnType<typeof settingsSearch>;
export type NewImportSearch = ReturnType<typeof newImportSearch>;
