import { planSchema } from '#engine/index';
import { type App, createHttp, type HttpDeps, serveOpenApi } from '#platform/http/index';

/** The areas of the API, in the order a reader meets them. */
const AREAS = [
  { name: 'Authentication', description: 'API key verification.' },
  { name: 'Accounts', description: 'Signing in, single sign-on, invitations, members and their roles.' },
  { name: 'Uploads', description: 'Direct video uploads.' },
  { name: 'Videos', description: 'Video status, playback URLs, library operations.' },
  {
    name: 'Playback',
    description: 'What signed URLs lead to: the film, its stream, clips and pictures. No key is needed.',
  },
  { name: 'Analysis', description: 'Prompt-based video analysis, analysis status and analysis documents.' },
  { name: 'Batches', description: 'Batch status and result retrieval.' },
  { name: 'Search', description: 'Events that were found before, across the videos of a folder.' },
  { name: 'Folders', description: 'Folder creation and lookup.' },
  { name: 'Cloud Imports', description: 'Asynchronous imports from GCS, S3 and Hugging Face buckets.' },
  { name: 'Cloud Integrations', description: 'Reusable saved cloud credential integrations.' },
  { name: 'MCAP', description: 'MCAP file upload, cloud ingest, and view stitching.' },
  { name: 'Multi-view', description: 'Multi-view video linkage.' },
  { name: 'Livestreams', description: 'Live-stream session management.' },
  { name: 'Older clients', description: 'The forms in which clients of older generations ask.' },
  { name: 'System', description: 'Health, readiness, version and limits of this service.' },
];

const DESCRIPTION = `Self-hosted video analysis: ask in plain words what happened in a video and get time-stamped events with evidence.

**Keys.** Send \`Authorization: Bearer <key>\` or \`X-API-Key: <key>\`, or both when they agree. No key or a malformed one is 403; an unknown, expired or revoked one is 401; a missing scope is 403.

**Sessions.** Someone who signed in sends a cookie in place of a key: \`member\` may read and write, \`admin\` and \`owner\` everything. What changes something must come from a page of this service.

**Errors** have one shape, \`{"detail", "message", "error"}\`: a sentence to act on, twice, and a stable code. Unknown fields and \`null\` for optional ones are accepted.

**Repeats.** With an \`Idempotency-Key\` header a write happens once: whoever repeats it gets the first answer for 24 hours (\`Idempotency-Replayed: true\`). POSTs that change nothing are simply answered again. The repeat of a stream attaches to the same stream; of an upload with its file in the form only the length is compared; pieces of a resumable upload need no key, as their offset makes a repeat safe.

**Limits.** Writes and queries are limited per minute and per day, for each key and each address; reads generously, per minute. \`RateLimit\` and \`RateLimit-Policy\` say what is left; beyond it the answer is 429 with \`Retry-After\`.

**Times** are ISO 8601, UTC; positions in a video are seconds of presentation time. **Ids** are opaque.`;

/** Version of the interface (spec.md, Versioning). The product's own version is in `GET /api/system`. */
const API_VERSION = '1.0.0';

export type ApiParts = HttpDeps & {
  /** Each room's routes, as `(app) => xRoutes(app, x)`; a room is encapsulated, so that its plugins are its own. */
  rooms: readonly ((app: App) => void)[];
};

/** The whole API: the HTTP layer, its description, and the rooms. */
export function createApi({ rooms, ...http }: ApiParts): App {
  const app = createHttp(http);
  serveOpenApi(app, {
    title: 'Sightline',
    version: API_VERSION,
    description: DESCRIPTION,
    tags: AREAS,
    schemas: { Plan: planSchema },
  });
  for (const room of rooms) app.register(async (scope) => room(scope as unknown as App));
  return app;
}
