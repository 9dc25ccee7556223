import type { SurveyedChannel } from '#engine/robot-logs/index';

/** Maximum length of stored channel and schema names in characters. */
const LONGEST = 300;

/** Removes U+0000 from all texts: recordings may have it, but the database cannot store it. */
export function removeNul<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '') as T;
  if (Array.isArray(value)) return value.map(removeNul) as T;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, removeNul(each)])) as T;
}

/** Gives each channel a unique name of limited length. */
export function withUniqueNames(channels: readonly SurveyedChannel[]): SurveyedChannel[] {
  const taken = new Set<string>();
  return channels.map((channel) => {
    const [topic, schema] = [channel.topic.slice(0, LONGEST), channel.schema.slice(0, LONGEST)];
    let name = channel.name.slice(0, LONGEST);
    while (taken.has(name)) name += `#${channel.id}`;
    taken.add(name);
    return { ...channel, name, topic, schema };
  });
}
