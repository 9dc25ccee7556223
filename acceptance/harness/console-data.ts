import { readFile } from 'node:fs/promises';
import { sceneClip } from '../../server/test/media/clips.ts';
import { DARK } from './answers.ts';
import type { Console } from './console.ts';

/** A question whose parts keep their words in all languages. */
export const PROMPT = `${DARK}, there is a cut, a siren`;
/** A name that is too long for most places. */
export const LONG = 'Entrance north, camera 3 at the loading dock of the warehouse, Monday morning shift';

const SECTIONS = ['profile', 'organization', 'members', 'keys', 'integrations', 'webhooks', 'audit', 'usage', 'system'];
const TABS = ['ask', 'events', 'coverage', 'zones', 'captions', 'details'];
const ZONE = [
  { x: 0.1, y: 0.4 },
  { x: 0.6, y: 0.4 },
  { x: 0.6, y: 0.9 },
];

/** Uploads the rendered scene, and waits until it is ready. */
export const uploadScene = async (
  { sdk }: Pick<Console, 'sdk'>,
  name: string,
  options: { folderId?: string } = {},
): Promise<string> => {
  const file = new File([await readFile(await sceneClip())], 'scene.mp4');
  const { video_id } = await sdk.upload(file, { name, ...options });
  await sdk.ready(video_id);
  return video_id;
};

/** Creates one of everything that the console shows, with long names. Returns the ids, and the paths of all pages. */
export async function fillConsole({ sdk }: Pick<Console, 'sdk'>) {
  const videoId = await uploadScene({ sdk }, `${LONG}.mp4`);
  const { batch_id, stream_id } = await sdk.start({ query: PROMPT, videoIds: [videoId] });
  await Array.fromAsync(sdk.follow(stream_id));
  const events = await Array.fromAsync(sdk.events({ video_id: videoId }));
  const { event_id, analysis_id } = events[0]!;
  await sdk.review([event_id], { approval: 'approved' });
  await sdk.createZone({ name: 'crossing', video_id: videoId, points: ZONE });
  const { saved_question_id: savedQuestionId } = await sdk.saveQuestion({ name: LONG, query: DARK });
  const { camera_id } = await sdk.addCamera({ name: LONG, source_url: 'rtsp://127.0.0.1:9/x', enabled: false });
  await sdk.createZone({ name: 'gate', camera_id, points: ZONE });
  const { id: datasetId } = await sdk.createDataset({ name: LONG, batch_ids: [batch_id] });
  const folder = await sdk.api.POST('/api/folders', { body: { name: LONG } });
  await sdk.exportEvents({ format: 'csv', batch_id });
  const comparison = await sdk.startComparison({ query: DARK, baseline_query: PROMPT });
  const readComparison = () => sdk.comparison(comparison.batch_id);
  await sdk.settled(readComparison, ({ status }) => status !== 'processing');
  const question = `/questions/${batch_id}`;
  const video = `/videos/${videoId}?analysis=${analysis_id}&tab=`;
  const dataset = `/datasets/${datasetId}`;
  const camera = `/live/cameras?camera=${camera_id}`;
  const samples = `/review?show=samples&query=${encodeURIComponent(PROMPT)}`;
  const paths = [
    '/',
    '/?view=table',
    '/?trash=true',
    '/search?q=dark',
    '/questions',
    question,
    `${question}?sort=confidence`,
    `/comparisons/${comparison.batch_id}`,
    `/saved-questions?question=${savedQuestionId}`,
    '/datasets',
    dataset,
    '/review',
    samples,
    '/live',
    '/live/wall',
    camera,
    '/recordings',
    '/imports',
    '/imports/new',
    '/imports/019bb2757200',
    '/exports',
    '/welcome',
    '/nothing',
    ...TABS.map((tab) => video + tab),
    ...SECTIONS.map((section) => `/settings/${section}`),
  ];
  return {
    paths,
    videoId,
    folderId: folder.data!.id,
    savedQuestionId,
    datasetId,
    question,
    video,
    dataset,
    camera,
    samples,
  };
}
