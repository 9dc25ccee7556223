import { expect, test } from 'vitest';
import { runTask } from '#platform/threads/index';
import { READ_LABELS, readLabels } from './read-labels.ts';

const attributes = Array.from({ length: 400_000 }, (_, i) => `a${i}=""`).join(' ');
const FILES = {
  'XML with 400,000 attributes': { format: 'cvat', content: `<annotations ${attributes}></annotations>` },
  'an unclosed quote in CSV': { format: 'csv', content: `label,start_s,end_s\n"${'a,1,2\n'.repeat(300_000)}` },
  'a row with a fault on each line': { format: 'csv', content: `label,start_s,end_s\n${'car,x,y\n'.repeat(30_000)}` },
} as const;

/** Milliseconds of processor time of the thread that calls, with the result. */
async function measure<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const before = process.threadCpuUsage();
  const result = await work();
  const { user, system } = process.threadCpuUsage(before);
  return { ms: (user + system) / 1000, result };
}

test.each(Object.entries(FILES))(
  '%s does not hold up the main thread',
  async (_name, file) => {
    const request = { ...file, wanted: null, videos: [], all: null };
    const inline = await measure(async () => readLabels(request));
    // The least of three: garbage of earlier tests may be collected in this thread meanwhile.
    let ms = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      const threaded = await measure(() => runTask(READ_LABELS, request, { bytes: file.content.length }));
      ms = Math.min(ms, threaded.ms);
      expect(threaded.result).toEqual(inline.result);
    }
    expect(inline.result.faults.length).toBeLessThanOrEqual(100);
    expect(ms, `${ms} ms of ${inline.ms}`).toBeLessThan(Math.max(60, inline.ms / 4));
  },
  120_000,
);
