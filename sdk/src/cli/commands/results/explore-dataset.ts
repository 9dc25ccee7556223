import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { DatasetEvent, DatasetFilter } from '../../../resources/dataset-events.ts';
import { counted, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

/** Commands that explore the events of a dataset. */
export function exploreDatasetCommands(datasets: Command, run: Run): void {
  datasets
    .command('events')
    .description('list events of a dataset by the values of their fields, or by words')
    .argument('<dataset_id>')
    .option('--where <json>', 'filter, such as {"confidence": ">= 0.8", "severity": ["medium", "high"]}')
    .option('--query <words>', 'what to find, in plain words; the best matches come first')
    .option('--limit <count>', 'number of events', Number, 100)
    .action(
      run(
        async (
          { sightline, print },
          id: string,
          { where, query, limit }: { where?: string; query?: string; limit: number },
        ) => {
          const client = await sightline();
          const filter = where === undefined ? undefined : readFilter(where);
          const found: DatasetEvent[] = [];
          if (query !== undefined) {
            found.push(...(await client.searchDataset(id, query, { where: filter, limit })).events);
          } else {
            for await (const event of client.datasetEvents(id, filter ?? ALL)) {
              if (found.length >= limit) break;
              found.push(event);
            }
          }
          print(found, () => table(HEAD, found.map(toRow), 'No event matches.'));
        },
      ),
    );
  datasets
    .command('fields')
    .description('list the fields by which the events of a dataset are filtered')
    .argument('<dataset_id>')
    .action(
      run(async ({ sightline, print }, id: string) => {
        const fields = await (await sightline()).datasetFields(id);
        const rows = fields.map(({ name, type, values }) => [name, type, values?.join(', ') ?? '']);
        print(fields, () => table(['field', 'type', 'values'], rows, 'There are no fields.'));
      }),
    );
  datasets
    .command('coverage')
    .description('count the events of a dataset by combinations of values')
    .argument('<dataset_id>')
    .option('--field <name...>', 'only these fields')
    .action(
      run(async ({ sightline, print }, id: string, { field }: { field?: string[] }) => {
        const counts = await (await sightline()).datasetCoverage(id, field);
        const names = Object.keys(counts[0]?.values ?? {});
        const rows = counts.map(({ values, events }) => [...names.map((name) => values[name] ?? '-'), String(events)]);
        print(counts, () =>
          table([...names, 'events'], rows, 'The dataset has no events with fields of fixed values.'),
        );
      }),
    );
  datasets
    .command('classify')
    .description('classify the events of a dataset by new fields, and wait until that has ended')
    .argument('<dataset_id>')
    .argument('<file>', 'JSON file with a schema of fields, as for `ask --fields`')
    .action(
      run(async ({ sightline, print }, id: string, file: string) => {
        const { label, fields } = JSON.parse(await readFile(file, 'utf8'));
        const ended = await (await sightline()).classifyDataset(id, { label, fields });
        if (ended.status !== 'done') throw new Error(ended.error ?? 'The events could not be classified.');
        print(
          ended,
          () =>
            `Filled ${ended.completed_fields.join(', ')} in ${counted(ended.analyses_done, 'analysis', 'analyses')}.`,
        );
      }),
    );
}

/** Applies to every event. */
const ALL: DatasetFilter = { confidence: '>= 0' };
const HEAD = ['event', 'video', 'start', 'end', 'confidence', 'description', 'values'];

const toRow = ({ event_id, video_name, start_time, end_time, confidence, description, values }: DatasetEvent) => [
  event_id,
  video_name,
  start_time.toFixed(1),
  end_time.toFixed(1),
  confidence.toFixed(2),
  description,
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(' '),
];

function readFilter(text: string): DatasetFilter {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The filter is not JSON: ${text}`);
  }
}
