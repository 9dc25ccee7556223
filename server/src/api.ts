import { outputSchemaSchema, planSchema } from '#engine/index';
import { type App, createHttp, type HttpDeps, serveOpenApi } from '#platform/http/index';

/** The areas of the API, in the order a reader meets them. */
const AREAS = [
  { name: 'Authentication', description: 'API key verification.' },
  { name: 'Accounts', description: 'Signing in, single sign-on, invitations, members and their roles.' },
  { name: 'Uploads', description: 'Direct video uploads.' },
  { name: 'Videos', description: 'Video status, playback URLs, library operations.' },
  {
    name: 'Playback',
    description: 'Files behind signed URLs: the video, its stream, clips and images. They need no key.',
  },
  { name: 'Analysis', description: 'Prompt-based video analysis, analysis status and analysis documents.' },
  { name: 'Batches', description: 'Batch status and result retrieval.' },
  { name: 'Search', description: 'Search events of earlier analyses across the videos of a folder.' },
  { name: 'Folders', description: 'Folder creation and lookup.' },
  { name: 'Cloud Imports', description: 'Asynchronous imports from GCS, S3 and Hugging Face buckets.' },
  { name: 'Cloud Integrations', description: 'Reusable saved cloud credential integrations.' },
  { name: 'MCAP', description: 'MCAP file upload, cloud ingest, and view stitching.' },
  { name: 'Zones', description: 'Polygons and lines in the frame of fixed cameras, which prompts call by name.' },
  { name: 'Saved questions', description: 'Questions that run by themselves on new videos.' },
  { name: 'Review', description: 'Verdicts on events, corrections, missed events and agreement of reviewers.' },
  { name: 'Exports', description: 'Events as files for other tools.' },
  { name: 'Datasets', description: 'Named sets of batches and videos, downloaded as one file.' },
  { name: 'MCP', description: 'Tools for language models.' },
  { name: 'Webhooks', description: 'Messages about events to your own endpoints.' },
  { name: 'Multi-view', description: 'Multi-view video linkage.' },
  { name: 'Livestreams', description: 'Live-stream session management.' },
  { name: 'Activity', description: 'What changes in the organization, as one stream.' },
  { name: 'Older clients', description: 'Request forms of older client generations.' },
  { name: 'System', description: 'Health, readiness, version and limits of this service.' },
];

const DESCRIPTION = `Self-hosted video analysis: ask in plain words what happened in a video and get time-stamped events with evidence.

**Keys.** Send \`Authorization: Bearer <key>\` or \`X-API-Key: <key>\`. If you send both, they must match. A missing or malformed key is answered with 403, an unknown, expired or revoked key with 401, and a missing scope with 403.

**Sessions.** Signed-in users send a session cookie instead of a key. The role \`member\` may read and write; \`admin\` and \`owner\` may do everything. Requests that change something must come from a page of this service.

**Errors** have one shape, \`{"detail", "message", "error", "request_id"}\`: \`detail\` and \`message\` state the problem and a remedy, \`error\` is a stable code, and \`errors\` lists all invalid fields with their \`param\`. \`null\` for optional fields is accepted, and so are unknown fields: \`Ignored-Fields\` of the response names them. Unknown query parameters are refused with the nearest name.

**Idempotency.** A write with an \`Idempotency-Key\` header happens once: repeated requests get the first response for 24 hours (\`Idempotency-Replayed: true\`). POST requests that change nothing run again. A repeated stream request attaches to the same stream. For uploads with the file in a form, only the length is compared. Parts of a resumable upload need no key, because their offset makes a repeat safe.

**Rate limits.** Writes and queries are limited per minute and per day, for each key and address; reads per minute. \`RateLimit\` and \`RateLimit-Policy\` state what remains. Requests beyond the limit get 429 with \`Retry-After\`.

**Times** are ISO 8601 in UTC. Positions in a video are seconds of presentation time. **Ids** are opaque.`;

/** Version of the interface (spec.md, Versioning). The product's own version is in `GET /api/system`. */
const API_VERSION = '1.0.0';

export type ApiParts = HttpDeps & {
  /** Each room's routes, as `(app) => xRoutes(app, x)`; a room is encapsulated, so that its plugins are its own. */
  rooms: readonly ((app: App) => void)[];
};

/** The whole API: the HTTP layer, its description, and the rooms. */
export function createApi({ rooms, ...http }: ApiParts): App {
  const app = createHttp({ ...http, apiVersion: API_VERSION });
  serveOpenApi(app, {
    title: 'Sightline',
    version: API_VERSION,
    description: DESCRIPTION,
    tags: AREAS,
    schemas: { OutputSchema: outputSchemaSchema, Plan: planSchema },
  });
  for (const room of rooms) app.register(async (scope) => room(scope as unknown as App));
  return app;
}
