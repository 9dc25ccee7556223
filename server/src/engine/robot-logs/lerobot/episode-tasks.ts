/** Tasks of an episode that are stored, and characters of each: they are only shown. */
const MAX_TASKS = 10;
const MAX_CHARACTERS = 500;

/** Tasks that a dataset states of an episode. Only texts are tasks. */
export const toTasks = (stated: unknown): string[] =>
  Array.isArray(stated)
    ? stated
        .slice(0, MAX_TASKS)
        .filter((task) => typeof task === 'string')
        .map((task) => task.slice(0, MAX_CHARACTERS))
    : [];

/**
 * Tasks by episode of a dataset of version 2, from one JSON object per line. Lines that state none are skipped, and so
 * is what follows `maxLines` lines with content.
 */
export function parseEpisodeTasks(text: string, maxLines: number): Map<number, string[]> {
  const tasks = new Map<number, string[]>();
  let lines = 0;
  // Line by line, without a list of all: a crafted file has millions of empty ones.
  for (let start = 0, end = 0; start < text.length && lines < maxLines; start = end + 1) {
    end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    const line = text.slice(start, end).trim();
    if (line === '') continue;
    lines++;
    try {
      const { episode_index: index, tasks: stated } = JSON.parse(line) as Record<string, unknown>;
      if (typeof index === 'number') tasks.set(index, toTasks(stated));
    } catch {
      // A truncated line.
    }
  }
  return tasks;
}
