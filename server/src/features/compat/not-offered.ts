import { Type } from 'typebox';
import { type App, routes } from '#platform/http/index';
import type { ProblemMaker } from '#platform/problem';
import { problems } from './problems.ts';

type Refusal = [method: 'get' | 'post', path: string, id: string, summary: string];

/** Operations of existing clients that this service does not have, by the reason of the refusal. */
const REFUSALS: [ProblemMaker, Refusal[]][] = [
  [
    problems.agents_not_offered,
    [
      ['post', '/api/create-agent', 'createAgent', 'Train an agent'],
      ['post', '/api/update-agent', 'updateAgent', 'Train an agent again'],
      ['post', '/api/list-agents', 'listAgents', 'List trained agents'],
    ],
  ],
  [problems.odd_export_not_offered, [['post', '/api/ask-question', 'askStructured', 'Export an operating domain']]],
  [
    problems.segmenters_not_offered,
    [
      ['post', '/api/segmenter-training/jobs', 'trainSegmenter', 'Train a segmenter'],
      ['post', '/api/segmenter-training/external-data', 'uploadSegmenterData', 'Upload training data of a segmenter'],
      ['get', '/api/segmenter-training/jobs/:job_id', 'getSegmenterTraining', 'Get a training job of a segmenter'],
    ],
  ],
  [
    problems.samples_not_offered,
    [['post', '/api/public/video/:video_id/signed-url', 'getSampleUrl', 'Get the URL of a public sample video']],
  ],
];

const PARAMETERS: Record<string, string> = {
  job_id: 'Identifier of the job.',
  video_id: 'Identifier of the video.',
};

/** Refuses these operations with a reason. Bodies are not read. */
export function notOfferedRoutes(app: App): void {
  const route = routes(app, { tag: 'Older clients', scope: 'read' });
  // Training data arrives as a form with a file.
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));

  for (const [problem, operations] of REFUSALS) {
    for (const [method, path, id, summary] of operations) {
      const { status } = problem();
      const description = `Not part of this service: always ${status}, with a message that states the alternative.`;
      const errors = [...new Set([404, status])];
      // A 404 concerns a video, which a key that is limited to a folder may not reach.
      const folderKeys = status === 501;
      route[method](path, { id, scope: 'read', folderKeys, summary, description, errors, ...paramsOf(path) }, () => {
        throw problem();
      });
    }
  }
}

function paramsOf(path: string) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  if (names.length === 0) return {};
  const fields = names.map((name) => [name, Type.String({ description: PARAMETERS[name] })] as const);
  return { params: Type.Object(Object.fromEntries(fields)) };
}
