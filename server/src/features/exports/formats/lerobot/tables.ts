import { DOUBLE, INT64, list, type ParquetColumn, single, TEXT, writeParquetTable } from '../parquet/table.ts';
import { CAMERA, type EpisodeRow } from './episode.ts';
import { toStatistics } from './statistics.ts';

const integer = <Row>(name: string, read: (row: Row) => number): ParquetColumn<Row> => ({
  schema: single(name, INT64),
  read: (row) => BigInt(read(row)),
});
const number = <Row>(name: string, read: (row: Row) => number): ParquetColumn<Row> => ({
  schema: single(name, DOUBLE),
  read,
});
const text = <Row>(name: string, read: (row: Row) => string | null): ParquetColumn<Row> => ({
  schema: single(name, TEXT),
  read,
});

type FrameRow = { episode: EpisodeRow; frame: number };

/** The table with a row for each frame. */
export function writeFrames(episodes: readonly EpisodeRow[]): AsyncGenerator<Uint8Array> {
  const columns: ParquetColumn<FrameRow>[] = [
    { schema: single('timestamp', { type: 'FLOAT' }), read: ({ episode, frame }) => frame / episode.fps },
    integer('frame_index', ({ frame }) => frame),
    integer('episode_index', ({ episode }) => episode.index),
    integer('index', ({ episode, frame }) => episode.from + frame),
    integer('task_index', ({ episode }) => episode.task),
  ];
  const rows = function* (): Generator<FrameRow> {
    for (const episode of episodes) for (let frame = 0; frame < episode.length; frame++) yield { episode, frame };
  };
  return writeParquetTable(columns, rows());
}

/** The table of episodes: their places in files, their statistics, and the events they show. */
export function writeEpisodes(episodes: readonly EpisodeRow[]): AsyncGenerator<Uint8Array> {
  const zero = (name: string) => integer<EpisodeRow>(name, () => 0);
  const columns: ParquetColumn<EpisodeRow>[] = [
    integer('episode_index', ({ index }) => index),
    { schema: list('tasks', TEXT), read: ({ event }) => [event.label] },
    integer('length', ({ length }) => length),
    zero('data/chunk_index'),
    zero('data/file_index'),
    integer('dataset_from_index', ({ from }) => from),
    integer('dataset_to_index', ({ from, length }) => from + length),
    integer(`videos/${CAMERA}/chunk_index`, ({ chunk }) => chunk),
    integer(`videos/${CAMERA}/file_index`, ({ file }) => file),
    number(`videos/${CAMERA}/from_timestamp`, () => 0),
    number(`videos/${CAMERA}/to_timestamp`, ({ length, fps }) => length / fps),
    ...statisticColumns(episodes[0]!),
    zero('meta/episodes/chunk_index'),
    zero('meta/episodes/file_index'),
    text('event_id', ({ event }) => event.eventId),
    text('video_id', ({ event }) => event.videoId),
    text('video_name', ({ event }) => event.videoName),
    number('start_s', ({ event }) => event.startS),
    number('end_s', ({ event }) => event.endS),
    text('start_at', ({ event }) => event.startAt),
    text('end_at', ({ event }) => event.endAt),
    number('confidence', ({ event }) => event.confidence),
    text('approval', ({ event }) => event.approval),
    text('query', ({ event }) => event.query),
    text('url', ({ event }) => event.url),
  ];
  return writeParquetTable(columns, episodes);
}

/** A column for each statistic of each feature; `example` is any episode. */
function statisticColumns(example: EpisodeRow): ParquetColumn<EpisodeRow>[] {
  return Object.entries(toStatistics([example])).flatMap(([feature, statistics]) =>
    Object.keys(statistics).map((kind): ParquetColumn<EpisodeRow> => {
      const name = `stats/${feature}/${kind}`;
      const of = (row: EpisodeRow) => toStatistics([row])[feature]![kind as keyof typeof statistics];
      if (kind === 'count') return { schema: list(name, INT64), read: (row) => (of(row) as number[]).map(BigInt) };
      return { schema: list(name, DOUBLE, feature === CAMERA ? 3 : 1), read: of };
    }),
  );
}

/** The table of tasks, which the reader expects as the index of a data frame of pandas. */
export function writeTasks(tasks: readonly string[]): AsyncGenerator<Uint8Array> {
  const column = (name: string, pandasType: string, numpyType: string) => ({
    name,
    field_name: name,
    pandas_type: pandasType,
    numpy_type: numpyType,
    metadata: null,
  });
  const pandas = {
    index_columns: ['task'],
    column_indexes: [],
    pandas_version: '2.0.0',
    columns: [column('task_index', 'int64', 'int64'), column('task', 'unicode', 'object')],
  };
  const rows = tasks.map((task, index) => ({ task, index }));
  const columns = [
    integer<(typeof rows)[number]>('task_index', ({ index }) => index),
    text<(typeof rows)[number]>('task', ({ task }) => task),
  ];
  return writeParquetTable(columns, rows, [{ key: 'pandas', value: JSON.stringify(pandas) }]);
}
