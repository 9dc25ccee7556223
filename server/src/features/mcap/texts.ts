import type { SurveyedChannel } from '#engine/recording/index';

/** The longest name of a channel, and of what it holds, that is kept, in characters. */
const LONGEST = 300;

/** The same without U+0000 in any text: a recording can have it, and the database's texts cannot. */
export function withoutNul<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '') as T;
  if (Array.isArray(value)) return value.map(withoutNul) as T;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutNul(each)])) as T;
}

/** The channels, each by a name of its own, whatever their topics are. */
export function named(channels: readonly SurveyedChannel[]): SurveyedChannel[] {
  const taken = new Set<string>();
  return channels.map((channel) => {
    const [topic, schema] = [channel.topic.slice(0, LONGEST), channel.schema.slice(0, LONGEST)];
    let name = channel.name.slice(0, LONGEST);
    while (taken.has(name)) name += `#${channel.id}`;
    taken.add(name);
    return { ...channel, name, topic, schema };
  });
}
