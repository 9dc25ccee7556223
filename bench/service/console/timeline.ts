import pg from 'pg';
import type { VideoEvent } from '../../../server/src/engine/index.ts';
import { completedDocument } from '../../../server/src/features/analyses/document.ts';
import { newId } from '../../../server/src/platform/ids.ts';
import { KEY_ZOOM } from '../../../web/src/timeline/scale.ts';
import type { BenchmarkBrowser } from '../../lib/browser.ts';
import type { BenchmarkService } from '../../lib/service.ts';
import type { BenchmarkRow } from '../../run.ts';
import { LONG_S } from './videos.ts';

const EVENTS = 10_000;
const LABELS = ['red car enters', 'person crosses', 'bus stops', 'car turns left', 'cyclist', 'picture gets dark'];
const BAR = { min: 50 };
const PAN_S = 6;

/** Moves the shown range with every frame, back and forth. Returns frames per second and the longest frame in ms. */
const PAN = `new Promise((resolve) => {
  const surface = document.querySelector('[data-timeline] [role=slider]');
  const times = [];
  const frame = (now) => {
    times.push(now);
    if (now - times[0] >= ${PAN_S * 1000}) {
      const gaps = times.slice(1).map((time, i) => time - times[i]);
      return resolve([(gaps.length * 1000) / (now - times[0]), Math.max(...gaps)]);
    }
    const deltaX = Math.floor((now - times[0]) / 1000) % 2 === 0 ? 24 : -24;
    surface?.dispatchEvent(new WheelEvent('wheel', { deltaX, clientX: 600, clientY: 700, bubbles: true, cancelable: true }));
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;

/** Numbers of steps by which the timeline is zoomed in before it is panned. */
const ZOOM_STEPS = [1, 4, 8, 16];

/** Pans a timeline of 10,000 events at several zooms. The limit is the display's rate: that of an empty page. */
export async function timelineRows(
  browser: BenchmarkBrowser,
  service: BenchmarkService,
  videoId: string,
): Promise<BenchmarkRow[]> {
  await insertAnalysis(service, videoId);
  const empty = await browser.openPage();
  const [limit] = await empty.evaluate<[number, number]>(PAN);
  await empty.context().close();
  const page = await browser.openPage();
  await page.goto(`/videos/${videoId}`);
  await page.getByRole('tab', { name: /10.?000/ }).waitFor();
  const surface = page.getByRole('slider', { name: 'Position in the video' });
  await surface.focus();
  const rows: BenchmarkRow[] = [];
  let zoomed = 0;
  for (const steps of ZOOM_STEPS) {
    for (; zoomed < steps; zoomed++) await page.keyboard.press('+');
    const visible = Math.round(EVENTS / KEY_ZOOM ** steps);
    const [fps, longest] = await page.evaluate<[number, number]>(PAN);
    rows.push({
      name: `panning ${EVENTS} events, about ${visible} of them visible`,
      value: fps,
      unit: 'fps',
      bar: BAR,
      note: `longest frame ${longest.toFixed(0)} ms; an empty page: ${limit.toFixed(1)} fps`,
    });
  }
  await page.context().close();
  return rows;
}

/** Stores a completed analysis of the video with events all over it. */
async function insertAnalysis({ sightline }: BenchmarkService, videoId: string): Promise<void> {
  const owner = (await sightline.accounts.owner())!;
  const analysisId = newId();
  const header = {
    analysisId,
    videoId,
    batchId: null,
    query: LABELS.join(', '),
    mode: 'thinking' as const,
    minConfidence: 0.5,
    createdAt: new Date(),
    engineVersion: 'bench',
  };
  const video = {
    name: 'one hour.mp4',
    durationS: LONG_S,
    width: 1920,
    height: 1080,
    frameRate: 30,
    sizeBytes: 1,
    sourceUri: null,
    createdAt: new Date(),
  };
  const events = Array.from({ length: EVENTS }, (_, i) => toEvent(i));
  const summary = `${EVENTS} events.`;
  const answer = { interpretation: summary, events, candidates: [], answer: null, summary, coverage: [] };
  const document = completedDocument(header, video, null, answer, () => '');
  const pool = new pg.Pool({ ...sightline.database.connection, max: 1 });
  await pool.query(
    `insert into analyses (id, org_id, owner_id, video_id, position, scope, query, mode, status, document, events_indexed,
       created_at)
     select $1, $2, $3, id, 0, scope, $5, 'thinking', 'COMPLETED', $6, true, now() from videos where id = $4`,
    [analysisId, owner.orgId, owner.userId, videoId, header.query, JSON.stringify(document)],
  );
  await pool.end();
}

/** Events of half a second to ten seconds, evenly over the video. */
function toEvent(index: number): VideoEvent {
  const startS = (index * (LONG_S - 10)) / EVENTS;
  const endS = startS + 0.5 + ((index * 7) % 20) / 2;
  return {
    startS,
    endS,
    startPts: Math.round(startS * 90_000),
    endPts: Math.round(endS * 90_000),
    timeBase: [1, 90_000],
    label: LABELS[index % LABELS.length]!,
    category: 'object',
    severity: 'medium',
    confidence: 0.5 + (index % 50) / 100,
    explanation: 'Generated.',
    caveats: [],
    evidence: { frames: [], tracks: [], signals: [] },
  };
}
