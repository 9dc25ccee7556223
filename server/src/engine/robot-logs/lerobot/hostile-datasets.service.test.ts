import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/temporary-folder';
import { parseEpisodeTasks } from './episode-tasks.ts';
import { groupByFile, groupEpisodes } from './groups.ts';
import { parseDatasetInfo } from './info.ts';
import { readEpisodeTable } from './tables.ts';
import type { EpisodePlace } from './types.ts';

const CAMERA = 'observation.images.front';
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const describeDataset = (names: string, episodes = 2) =>
  parseDatasetInfo(`{"codebase_version": "v2.1", "fps": 10, "total_episodes": ${episodes},
    "data_path": "data/{episode_index:06d}.parquet", "video_path": "videos/{video_key}/{episode_index:06d}.mp4",
    "features": {"${CAMERA}": {"dtype": "video", "shape": [4, 4, 3]},
      "action": {"dtype": "float32", "shape": [2], "names": ${names}}}}`);

describe('names of elements', () => {
  test.each([
    ['a list', '["a", "b"]', ['a', 'b']],
    ['numbers', '[7, 8]', ['7', '8']],
    ['lists by group', '{"motors": ["a", "b"]}', ['a', 'b']],
    ['positions by name', '{"b": 1, "a": 0}', ['a', 'b']],
    ['objects that cannot be texts', '[{"toString": 1, "valueOf": 1}, "b"]', ['0', '1']],
    ['such objects in a group', '{"motors": [{"toString": 1, "valueOf": 1}, "b"]}', ['0', '1']],
    ['such objects as positions', '{"a": {"toString": 1, "valueOf": 1}, "b": 1}', ['0', '1']],
    ['nested lists', `[${nested(200_000)}, "b"]`, ['0', '1']],
    ['nested lists in a group', `{"motors": [${nested(200_000)}, "b"]}`, ['0', '1']],
    ['nested lists as a position', `{"a": [${nested(200_000)}], "b": 1}`, ['0', '1']],
    ['nothing', 'null', ['0', '1']],
  ])('that are %s are used or numbered', (_name, names, elements) => {
    expect(describeDataset(names).columns).toEqual([{ name: 'action', elements }]);
  });
});

test('names in paths are only those of places', () => {
  const info = { ...describeDataset('null', 1), dataPath: '{constructor}{__proto__}{toString}data' };
  expect(groupEpisodes(info, new Map(), () => true)[0]!.files[0]).toBe('data');
});

const line = (index: unknown, tasks: unknown) => JSON.stringify({ episode_index: index, tasks });

describe('tasks of episodes', () => {
  test.each<[string, string, [number, string[]][]]>([
    [
      'lines with gaps',
      `${line(0, ['a'])}\r\n\r\n  \n${line(1, ['b'])}`,
      [
        [0, ['a']],
        [1, ['b']],
      ],
    ],
    ['lines that are no objects', `null\n${line(1, ['b'])}\n`, [[1, ['b']]]],
    [
      'more lines than episodes',
      [0, 1, 2, 3].map((i) => line(i, [])).join('\n'),
      [
        [0, []],
        [1, []],
      ],
    ],
    ['tasks that are no texts', line(0, [{ toString: 1, valueOf: 1 }, 'a', null, 3, [['b']]]), [[0, ['a']]]],
    ['nested lists', `{"episode_index": 0, "tasks": [${nested(200_000)}]}`, [[0, []]]],
    ['many long tasks', line(0, Array(20).fill('x'.repeat(600))), [[0, Array(10).fill('x'.repeat(500))]]],
    ['millions of empty lines', '\n'.repeat(8 * 2 ** 20), []],
    ['millions of lines of blanks', ' \n'.repeat(4 * 2 ** 20), []],
    ['one line of blanks', ' '.repeat(8 * 2 ** 20), []],
    ['millions of returns', '\r'.repeat(8 * 2 ** 20), []],
    ['millions of wrong lines', '{\n'.repeat(4 * 2 ** 20), []],
  ])('with %s are read at little cost', (_name, text, tasks) => {
    expect([...parseEpisodeTasks(text, 2)]).toEqual(tasks);
  });
});

describe('the table of episodes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });

  /** Writes a table of `count` episodes, with columns in addition or in place of the usual ones. */
  async function write(name: string, count: number, columns: Record<string, unknown[]> = {}, first = 0) {
    const zeros = Array<number>(count).fill(0);
    const usual = {
      episode_index: zeros.map((_, i) => first + i),
      'data/chunk_index': zeros,
      'data/file_index': zeros,
      [`videos/${CAMERA}/chunk_index`]: zeros,
      [`videos/${CAMERA}/file_index`]: zeros,
      [`videos/${CAMERA}/from_timestamp`]: zeros,
      [`videos/${CAMERA}/to_timestamp`]: zeros.map(() => 1),
    };
    const columnData = Object.entries({ ...usual, ...columns }).map(([name, data]) => {
      const type = name === 'tasks' ? 'JSON' : name.endsWith('_timestamp') ? 'DOUBLE' : 'INT32';
      return { name, data, type } as const;
    });
    const path = join(folder, `${name}.parquet`);
    await writeFile(path, Buffer.from(parquetWriteBuffer({ columnData })));
    return path;
  }
  const read = (...paths: string[]) => readEpisodeTable({ paths, cameras: [CAMERA] });

  test('has the places of the cameras of the dataset only, and tasks that are texts', async () => {
    const others = Array.from({ length: 500 }, (_, i) => [`videos/other${i}/chunk_index`, [0, 0]] as const);
    const tasks = [[{ toString: 1, valueOf: 1 }, 'a', 5, [['b']]], 'c'];
    const rows = await read(await write('cameras', 2, { ...Object.fromEntries(others), tasks }));
    expect(rows.map(({ views }) => views.map(({ camera }) => camera))).toEqual([[CAMERA], [CAMERA]]);
    expect(rows.map((row) => row.tasks)).toEqual([['a'], []]);
  });

  test.each([
    ['one table', [2_000_000]],
    ['several tables', [15_000, 5_001]],
  ])('with too many rows in %s is refused before they are read', async (name, counts) => {
    let first = 0;
    const paths: string[] = [];
    for (const [i, count] of counts.entries()) {
      paths.push(await write(`${name}-${i}`, count, {}, first));
      first += count;
    }
    await expect(read(...paths)).rejects.toMatchObject({
      code: 'dataset_unreadable',
      message: expect.stringMatching(/rows, more than/),
    });
  });

  test.each([
    ['ends at no time', 0, Number.NaN],
    ['never ends', 0, Number.POSITIVE_INFINITY],
    ['ends after all time', 0, 1e300],
    ['never starts', Number.NEGATIVE_INFINITY, 1],
    ['starts before its file', -1, 1],
    ['ends before it starts', 2, 1],
  ])('with an episode that %s is refused', async (name, from, to) => {
    const path = await write(name, 1, {
      [`videos/${CAMERA}/from_timestamp`]: [from],
      [`videos/${CAMERA}/to_timestamp`]: [to],
    });
    await expect(read(path)).rejects.toMatchObject({ code: 'dataset_unreadable' });
  });
});

test('thousands of files in one group are listed in linear time', () => {
  const info = { ...describeDataset('null'), layout: 3 as const, videoPath: '{video_key}/{file_index:03d}.mp4' };
  const rows = Array.from({ length: 200_000 }, (_, index): EpisodePlace => {
    const views = [
      { camera: CAMERA, chunk: 0, file: 0 },
      { camera: 'wrist', chunk: 0, file: index },
    ];
    return {
      index,
      tasks: [],
      data: { chunk: 0, file: 0 },
      views: views.map((view) => ({ ...view, fromS: 0, untilS: 1 })),
    };
  });
  const [group] = groupByFile({ ...info, cameras: [CAMERA, 'wrist'] }, rows, () => true);
  expect(group!.files).toHaveLength(200_002);
  expect(group!.episodes[199_999]!.views[1]!.file).toBe(200_001);
});
