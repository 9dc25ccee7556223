// Files of other tools as labels, and files that are wrong or hostile.
import { describe, expect, test } from 'vitest';
import type { LabelFormat } from '../types.ts';
import { detectFormat, LABEL_FORMATS } from './index.ts';

async function read(content: string, format: LabelFormat = detectFormat(content)) {
  const { labels, skipped, faults } = await LABEL_FORMATS[format](content);
  return {
    labels: labels.map(({ label, when, videos }) => [label, when, videos[0] ?? null]),
    skipped,
    faults,
    all: labels,
  };
}
const none = { skipped: 0, faults: [] };

describe('CSV', () => {
  test('of spreadsheets: other names of columns, semicolons, decimal commas and clock times', async () => {
    const rows = ['Start;End;Class;File', '12,5;1:02,25;"A car; red";a.mp4', '1:00:02;1:00:03;Bus;b.mp4'];
    expect(await read(`\ufeff${rows.join('\r\n')}\r\n\r\n`, 'csv')).toMatchObject({
      ...none,
      labels: [
        ['A car; red', { startS: 12.5, endS: 62.25 }, 'a.mp4'],
        ['Bus', { startS: 3602, endS: 3603 }, 'b.mp4'],
      ],
    });
    const tabs = await read('label\tstart_s\tend_s\tnote\nÄ\t1\t2\tseen by Ada');
    expect((await read('label,start_s,end_s\n"a\u0000\tb\ud800\n",1,2')).labels[0]![0]).toBe('a b\ufffd');
    expect(tabs.all).toMatchObject([{ label: 'Ä', note: 'seen by Ada', severity: 'medium', videos: [] }]);
  });

  test('reports each wrong row with its line and the reason', async () => {
    const rows = [
      'label,start_s,end_s,severity,approval',
      'A,1,2,,',
      'B,soon,2,,',
      ',1,2,,',
      'C,1,,,',
      'D,1,2,urgent,',
      'E,1,2,,maybe',
      `${'F'.repeat(1_001)},1,2,,`,
      'G,-1,2,high,approved',
      '"two',
      'lines",1,2,high,',
    ];
    const { labels, faults } = await read(rows.join('\n'));
    expect(labels.map(([label]) => label)).toEqual(['A', 'two lines']);
    expect(faults.map(({ location, message }) => [location, message.split('. ')[0]])).toEqual([
      ['line 3', 'The start is not a time: "soon"'],
      ['line 4', 'The label is missing.'],
      ['line 5', 'The end is missing'],
      ['line 6', 'The severity must be `low`, `medium`, `high` or empty.'],
      ['line 7', 'The review state must be `approved`, `rejected`, `unsure`, `pending` or empty.'],
      ['line 8', 'The label has more than 1,000 characters.'],
      ['line 9', 'The start is not a time: "-1"'],
    ]);
  });

  test('has only labels that were approved, and texts without the apostrophe of exports', async () => {
    const rows = ["'=cmd,1,2,approved", "'tis,1,2,", 'no,1,2,rejected', 'open,1,2,pending'];
    expect(await read(['label,start_s,end_s,approval', ...rows].join('\n'))).toMatchObject({
      skipped: 2,
      faults: [],
      all: [{ label: '=cmd' }, { label: "'tis" }],
    });
  });

  test.each([
    ['label,start_s\nA,1', 'line 1', 'The first row must name the columns. Missing: `end_s`.'],
    ['\n\n', 'line 1', 'The file is empty.'],
    [
      'label,start_s,end_s\nA,1,2\n"B,1,2\n',
      'line 3',
      'The row is not valid CSV: a quote is wrong, or it is too long.',
    ],
    [
      `label,start_s,end_s\n"${'x'.repeat(200_000)}",1,2\n`,
      'line 2',
      'The row is not valid CSV: a quote is wrong, or it is too long.',
    ],
  ])('that cannot be read: %#', async (content, location, message) => {
    const { faults } = await read(content, 'csv');
    expect(faults).toEqual([{ location: expect.stringMatching(/^line \d$/), message }]);
    expect(Math.abs(Number(faults[0]!.location.slice(5)) - Number(location.slice(5)))).toBeLessThanOrEqual(1);
  });

  test('stops at the largest number of labels', async () => {
    const { all, faults } = await read(`label,start_s,end_s\n${'A,1,2\n'.repeat(50_010)}`);
    expect(all).toHaveLength(50_000);
    expect(faults).toEqual([{ location: 'line 50002', message: expect.stringContaining('more than 50,000 labels') }]);
  });
});

describe('CVAT', () => {
  const document = (body: string, meta = '<meta><task><id>7</id><source>junction.mp4</source></task></meta>') =>
    `<?xml version="1.0" encoding="utf-8"?>\n<annotations><version>1.1</version>${meta}\n${body}\n</annotations>`;
  const box = (frame: number, outside = 0) =>
    `<box frame="${frame}" outside="${outside}" keyframe="1" xtl="1" ytl="1" xbr="2" ybr="2"><attribute name="x">1</attribute></box>`;

  test('for video: tracks, while the object is visible', async () => {
    const tracks = `<track id="0" label="car">${box(10)}${box(30)}${box(40, 1)}${box(60)}${box(61)}</track>
      <track id="1" label="a &lt;dog&gt; &amp; cat"><polygon frame="5" outside="0" points="1,1;2,2"/></track>`;
    expect(await read(document(tracks))).toMatchObject({
      ...none,
      labels: [
        ['car', { startFrame: 10, endFrame: 40 }, 'junction.mp4'],
        ['car', { startFrame: 60, endFrame: 62 }, 'junction.mp4'],
        ['a <dog> & cat', { startFrame: 5, endFrame: 6 }, 'junction.mp4'],
      ],
    });
  });

  test('of a project: each track is of the video of its task', async () => {
    const task = (id: number, source: string) => `<task><id>${id}</id><name>n</name><source>${source}</source></task>`;
    const meta = `<meta><project><tasks>${task(3, 'a.mp4')}${task(4, 'b.mp4')}</tasks></project></meta>`;
    const track = (task: number) => `<track id="0" label="car" task_id="${task}">${box(1)}</track>`;
    const { labels } = await read(document(track(4) + track(3), meta));
    expect(labels.map(([, , video]) => video)).toEqual(['b.mp4', 'a.mp4']);
  });

  test('for images: shapes and tags of frames', async () => {
    const body = `<image id="0" name="junction/frame_000012.PNG" width="9" height="9"><box label="car" xtl="1"/><tag label="night" source="manual"/></image>
      <image id="1" name="frame_000013"><box label="car"/></image>
      <image id="2" name="cover"><box label="car"/></image>`;
    const { labels, faults } = await read(document(body));
    expect(labels).toEqual([
      ['car', { frame: 12 }, 'junction'],
      ['night', { frame: 12 }, 'junction'],
      ['car', { frame: 13 }, null],
    ]);
    expect(faults).toEqual([
      { location: 'line 5', message: expect.stringContaining('The time of its image is unknown') },
    ]);
  });

  test('with elements that are named like properties of objects', async () => {
    const body = '<constructor/><__proto__ label="x"/><toString><hasOwnProperty/></toString>';
    expect(await read(document(body))).toMatchObject({ ...none, labels: [] });
  });

  const laughs = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><annotations>&b;</annotations>`;
  const file = '<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><annotations><track label="&f;"/></annotations>';
  test.each([
    [laughs, 'DOCTYPE'],
    [file, 'DOCTYPE'],
    ['<annotations><track label="&f;"/></annotations>', 'not valid XML'],
    ['<annotations><image></annotations>', 'not valid XML'],
    ['<annotations>', 'not valid XML'],
    ['<html/>', 'root element `annotations`'],
    [`<annotations>${'<a>'.repeat(100_000)}`, 'nested too deeply'],
    ['<annotations><track id="1" label="car"><box frame="-1"/></track></annotations>', 'no frame'],
    ['<annotations><track id="1" label="car"/></annotations>', 'no shapes'],
  ])('that is wrong or hostile: %#', async (content, message) => {
    const { labels, faults } = await read(content);
    expect(labels).toEqual([]);
    expect(faults[0]).toEqual({ location: 'line 1', message: expect.stringContaining(message) });
  });
});

describe('COCO', () => {
  test('of frames: their times, numbers or names, and the video that they name', async () => {
    const file = {
      videos: [{ id: 1, name: 'junction.mp4' }],
      images: [
        { id: 1, file_name: 'x.jpg', video_id: 1, frame_id: 4 },
        { id: 2, file_name: 'junction/frame_000123.jpg' },
        { id: 3, file_name: 'a.jpg', video_name: 'b.mp4', time_s: 1.5 },
        { id: 4, file_name: 'cover.jpg' },
      ],
      categories: [{ id: 9, name: 'car' }],
      annotations: [1, 2, 3].map((image_id) => ({ image_id, category_id: 9, track_id: 5 })),
    };
    const { labels, all, faults } = await read(JSON.stringify(file));
    expect(labels).toEqual([
      ['car', { frame: 4 }, 'junction.mp4'],
      ['car', { frame: 123 }, 'junction'],
      ['car', { timeS: 1.5 }, 'b.mp4'],
    ]);
    expect([all[0]!.track, faults]).toEqual(['5', []]);
  });

  test('reports annotations without an image, a category or a time', async () => {
    const file = {
      images: [{ id: 1, file_name: ['x'] }, { id: 2, time_s: 1 }, { id: 2, time_s: 2 }, null],
      categories: [{ id: 9, name: 'car' }],
      annotations: [{ image_id: 1, category_id: 9 }, { image_id: 8 }, { image_id: 2, category_id: 8 }, 7],
    };
    const { faults } = await read(JSON.stringify(file));
    expect(faults.map(({ location, message }) => [location, message.split(':')[0]])).toEqual([
      ['images[2]', 'Another image has the same id.'],
      ['annotations[0]', 'The time of its image is unknown'],
      ['annotations[1]', 'There is no image with its `image_id`.'],
      ['annotations[2]', 'There is no category with its `category_id`.'],
      ['annotations[3]', 'There is no category with its `category_id`.'],
    ]);
  });

  test.each([['{'], ['{"images": {}}'], ['{"images": [], "annotations": 3}'], [`{"a":${'['.repeat(200_000)}`]])(
    'that is no COCO: %#',
    async (content) => {
      expect((await read(content)).faults).toMatchObject([{ location: 'file' }]);
    },
  );
});

describe('Label Studio', () => {
  const FILE = '/data/upload/1/0a1b2c3d-my%20junction.mp4';
  const task = (result: object[], more: object = {}) =>
    JSON.stringify([{ data: { video: FILE }, annotations: [{ result }], ...more }]);

  test('timelines, audio regions and tracked boxes; predictions and other results are skipped', async () => {
    const result = [
      { type: 'timelinelabels', value: { ranges: [{ start: 11, end: 21 }], timelinelabels: ['car', 'red'] } },
      { type: 'labels', value: { start: 1.5, end: 2, labels: ['horn'] } },
      {
        type: 'videorectangle',
        id: 'r1',
        value: { labels: ['dog'], sequence: [{ frame: 1 }, { frame: 9, enabled: false }, { frame: 20 }] },
      },
      { type: 'choices', value: { choices: ['day'] } },
      { type: 'constructor', value: {} },
      { type: '__proto__', value: {} },
    ];
    const read1 = await read(task(result));
    expect(read1).toMatchObject({
      skipped: 3,
      faults: [],
      labels: [
        ['car', { startFrame: 10, endFrame: 20 }, FILE],
        ['red', { startFrame: 10, endFrame: 20 }, FILE],
        ['horn', { startS: 1.5, endS: 2 }, FILE],
        ['dog', { startFrame: 0, endFrame: 8 }, FILE],
        ['dog', { startFrame: 19, endFrame: 20 }, FILE],
      ],
    });
    expect(read1.all[0]!.videos).toContain('my junction.mp4');
    const canceled = await read(task([], { annotations: [{ was_cancelled: true, result: result.slice(0, 1) }] }));
    expect(canceled).toMatchObject({ labels: [], skipped: 1, faults: [] });
    expect(await read(task([], { annotations: [], predictions: [{ result }] }))).toMatchObject({
      labels: [],
      skipped: 1,
    });
  });

  test('reports results without times or labels, and tasks in another form', async () => {
    const result = [
      { type: 'timelinelabels', value: { ranges: [{ start: 5, end: 4 }], timelinelabels: ['car'] } },
      { type: 'labels', value: { start: 'now', end: 2, labels: ['horn'] } },
      { type: 'labels', value: { start: 1, end: 2 } },
      { type: 'videorectangle', value: { labels: ['dog'], sequence: [{ frame: 0 }] } },
    ];
    const { faults } = await read(task(result));
    expect(faults.map(({ location }) => location)).toEqual(
      [0, 1, 2, 3].map((at) => `[0].annotations[0].result[${at}]`),
    );
    expect((await read('[{"video": "a.mp4", "events": []}, 3]')).faults).toMatchObject([
      { location: '[0]', message: expect.stringContaining('JSON-MIN') },
      { location: '[1]' },
    ]);
    expect((await read('{}', 'label_studio')).faults).toMatchObject([{ location: 'file' }]);
  });
});
