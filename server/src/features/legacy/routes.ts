import { type App, failures } from '#platform/http/index';
import { problems } from './problems.ts';
import { AgentForm, AskForm, BatchForm, BatchMade, FORMS, Started, VideoParams } from './schema.ts';
import type { Legacy } from './service.ts';

/** What older clients can ask for and this service does not have. */
const NOT_OFFERED = [
  ['/api/create-agent', 'createAgent', 'Train an agent', problems.agents_not_offered],
  ['/api/update-agent', 'updateAgent', 'Train an agent again', problems.agents_not_offered],
  ['/api/list-agents', 'listAgents', 'List trained agents', problems.agents_not_offered],
  ['/api/ask-question', 'askStructured', 'Export an operating domain', problems.odd_export_not_offered],
] as const;

export function legacyRoutes(app: App, legacy: Legacy): void {
  app.post(
    '/api/create-batch',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'createBatch',
        tags: ['Older clients'],
        summary: 'Ask videos a question, as older clients do',
        description: 'The same as `/api/router/v2/query/start`, as a form.',
        consumes: FORMS,
        body: BatchForm,
        response: { 200: BatchMade, ...failures(404, 501) },
      },
    },
    ({ caller, body }) => legacy.createBatch(caller, body),
  );

  app.post(
    '/api/ask',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'askVideo',
        tags: ['Older clients'],
        summary: 'Ask a video a question, as older clients do',
        description: 'Starts an analysis of one video; its status has the events and the answer once it is completed.',
        consumes: FORMS,
        body: AskForm,
        response: { 202: Started, ...failures(404, 501) },
      },
    },
    async ({ caller, body }, reply) => reply.status(202).send(await legacy.ask(caller, body)),
  );

  for (const [path, operationId, summary] of [
    ['/api/analyze-video/:video_id', 'analyzeVideo', 'Ask a video what happens, as older clients do'],
    [
      '/api/analyze-video-edge/:video_id',
      'analyzeVideoEdge',
      'Ask a video what an agent looks for, as older clients do',
    ],
  ] as const) {
    app.post(
      path,
      {
        config: { scope: 'write', folderKeys: true },
        schema: {
          operationId,
          tags: ['Older clients'],
          summary,
          description: 'Starts an analysis of one video; poll its document until it is completed.',
          consumes: FORMS,
          params: VideoParams,
          body: AgentForm,
          response: { 200: Started, ...failures(404, 501) },
        },
      },
      ({ caller, params, body }) => legacy.askAgent(caller, params.video_id, body),
    );
  }

  for (const [path, operationId, summary, problem] of NOT_OFFERED) {
    app.post(
      path,
      {
        config: { scope: 'read', folderKeys: true },
        schema: {
          operationId,
          tags: ['Older clients'],
          summary,
          description: 'Not part of this service: always 501, with a sentence on what to do instead.',
          response: failures(501),
        },
      },
      () => {
        throw problem();
      },
    );
  }
}
