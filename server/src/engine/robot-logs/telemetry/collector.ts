import { MAX_CHANNELS } from '../../observe/telemetry/channels.ts';
import type { MessageFields } from '../messages/index.ts';
import { isMeasuring, numbersOf, unitOfField } from './fields.ts';

/** Numbers of one channel of a recording with common times, NaN for missing ones. */
export type RecordedGroup = {
  timeS: Float64Array;
  fields: { name: string; unit: string | null; values: Float64Array }[];
};
export type RecordedNumbers = { groups: RecordedGroup[]; leftOut: number };

/** Longest interval that one row stands for at the start, in seconds; it doubles where there are too many rows. */
const ROW_S = 0.05;
/** Most values of all rows: they are text in the file beside the video, 16 MiB at most. */
export const MAX_VALUES = 600_000;
/** Longest name of a topic in the names of its fields. */
const MAX_TOPIC = 80;

type Row = { timeS: number; count: number; sums: number[]; counts: number[] };
type Topic = {
  name: string;
  schema: string;
  fields: Map<string, { name: string; unit: string | null; at: number }>;
  rows: Map<number, Row>;
};

/** Collects the numbers of all messages, as means of short intervals: a bounded number of fields and of values. */
export function createNumberCollector() {
  const topics = new Map<number, Topic>();
  const leftOut = new Set<string>();
  let [rowS, values, fields] = [ROW_S, 0, 0];

  /** True while the numbers of a channel may be collected. */
  const collects = (channelId: number) => fields < MAX_CHANNELS || topics.has(channelId);

  return {
    collects,
    /** Adds a message at `timeS`. False if it has no numbers. */
    add(channel: { id: number; topic: string; schema: string }, message: MessageFields, timeS: number): boolean {
      if (!isMeasuring(channel.schema)) return false;
      const numbers = numbersOf(message).filter(({ value }) => Number.isFinite(value));
      if (numbers.length === 0) return topics.has(channel.id);
      const topic = topics.get(channel.id) ?? {
        name: channel.topic.replace(/^\/+/, '').slice(0, MAX_TOPIC),
        schema: channel.schema,
        fields: new Map(),
        rows: new Map(),
      };
      const at = Math.floor(timeS / rowS);
      for (const { path, value } of numbers) {
        const field = topic.fields.get(path) ?? addField(topic, path);
        if (!field) continue;
        topics.set(channel.id, topic);
        const row = topic.rows.get(at) ?? { timeS, count: 0, sums: [], counts: [] };
        topic.rows.set(at, row);
        if (row.counts[field.at] === undefined) values++;
        row.sums[field.at] = (row.sums[field.at] ?? 0) + value;
        row.counts[field.at] = (row.counts[field.at] ?? 0) + 1;
      }
      const row = topic.rows.get(at);
      if (row) row.timeS += (timeS - row.timeS) / ++row.count;
      if (values > MAX_VALUES) widen();
      return true;
    },
    numbers(): RecordedNumbers {
      return { groups: [...topics.values()].map(toGroup), leftOut: leftOut.size };
    },
  };

  function addField(topic: Topic, path: string) {
    const name = path === '' ? topic.name : `${topic.name}/${path}`;
    if (fields >= MAX_CHANNELS) {
      if (leftOut.size < MAX_LEFT_OUT) leftOut.add(name);
      return null;
    }
    fields++;
    const field = { name, unit: unitOfField(topic.schema, path), at: topic.fields.size };
    topic.fields.set(path, field);
    return field;
  }

  /** Joins each two rows. */
  function widen(): void {
    rowS *= 2;
    values = 0;
    for (const topic of topics.values()) {
      const rows = new Map<number, Row>();
      for (const row of topic.rows.values()) {
        const at = Math.floor(row.timeS / rowS);
        const into = rows.get(at);
        if (into) addRow(into, row);
        else rows.set(at, row);
      }
      topic.rows = rows;
      for (const { counts } of rows.values()) values += counts.filter((count) => count !== undefined).length;
    }
  }
}

/** Names of fields that are counted though they are left out. */
const MAX_LEFT_OUT = 10_000;

function addRow(into: Row, row: Row): void {
  const count = into.count + row.count;
  into.timeS += ((row.timeS - into.timeS) * row.count) / Math.max(1, count);
  into.count = count;
  for (const [at, n] of row.counts.entries()) {
    if (n === undefined) continue;
    into.sums[at] = (into.sums[at] ?? 0) + row.sums[at]!;
    into.counts[at] = (into.counts[at] ?? 0) + n;
  }
}

function toGroup({ fields, rows }: Topic): RecordedGroup {
  const ordered = [...rows.values()].sort((a, b) => a.timeS - b.timeS);
  return {
    timeS: Float64Array.from(ordered, ({ timeS }) => timeS),
    fields: [...fields.values()].map(({ name, unit, at }) => ({
      name,
      unit,
      values: Float64Array.from(ordered, ({ sums, counts }) => (counts[at] ? sums[at]! / counts[at] : Number.NaN)),
    })),
  };
}
