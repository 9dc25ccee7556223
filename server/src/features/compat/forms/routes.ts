import { type App, routes } from '#platform/http/index';
import { AgentForm, BatchForm, CreatedBatch, FORMS, QuestionForm, StartedAnalysis, VideoParams } from './schema.ts';
import type { QueryForms } from './service.ts';

export function queryFormsRoutes(app: App, forms: QueryForms): void {
  const route = routes(app, { tag: 'Older clients', scope: 'write', folderKeys: true });

  route.post(
    '/api/create-batch',
    {
      id: 'createBatch',
      summary: 'Query videos (older clients)',
      description: 'The same as `/api/router/v2/query/start`, as a form.',
      consumes: FORMS,
      body: BatchForm,
      response: CreatedBatch,
      errors: [404, 501],
    },
    ({ caller, body }) => forms.createBatch(caller, body),
  );

  route.post(
    '/api/ask',
    {
      id: 'askVideo',
      summary: 'Query one video (older clients)',
      description:
        'Starts an analysis of one video. Once it is completed, its status contains the events and the answer.',
      consumes: FORMS,
      body: QuestionForm,
      status: 202,
      response: StartedAnalysis,
      errors: [404, 501],
    },
    ({ caller, body }) => forms.ask(caller, body),
  );

  for (const [path, id, summary] of [
    ['/api/analyze-video/:video_id', 'analyzeVideo', 'Find events in a video (older clients)'],
    ['/api/analyze-video-edge/:video_id', 'analyzeVideoEdge', 'Run the query of an agent (older clients)'],
  ] as const) {
    route.post(
      path,
      {
        id,
        summary,
        description: 'Starts an analysis of one video; poll its document until it is completed.',
        consumes: FORMS,
        params: VideoParams,
        body: AgentForm,
        response: StartedAnalysis,
        errors: [404, 501],
      },
      ({ caller, params, body }) => forms.askAgent(caller, params.videoId, body),
    );
  }
}
