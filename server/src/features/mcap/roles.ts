import { VIEW_ROLE } from '#features/events/index';
import { Problem } from '#platform/problem';
import { problems } from './problems.ts';
import type { Roles } from './types.ts';

/** How cameras are called in topics, and the role that means. */
const WORDS = new Map(
  Object.entries({
    front: 'front',
    forward: 'front',
    fwd: 'front',
    fcam: 'front',
    center: 'front',
    centre: 'front',
    rear: 'rear',
    back: 'rear',
    backward: 'rear',
    left: 'left',
    right: 'right',
    top: 'top',
    roof: 'top',
    up: 'top',
    bottom: 'bottom',
    down: 'bottom',
  }),
);
/** Words of topics that say nothing of where a camera looks. */
const NOISE =
  /^(image|images|img|raw|rect|color|colour|compressed|camera|cam|cameras|sensor|sensors|video|h264|h265|jpeg|stream|mono|rgb|preview|data)$/;

export type Role = { channel: string; role: string; label: string | null };

/**
 * Gives each channel a role: those that were said, and for the others what their topic suggests, which never takes a role that was said. The first is the
 * front's, or of the first channel where none is. Throws `mcap_channel_unknown`, `mcap_role_invalid` or `mcap_role_repeated` (400).
 */
export function assignRoles(channels: readonly string[], said: Roles): Role[] {
  const named = new Map<string, string>();
  const label = new Map<string, string>();
  for (const [name, text] of Object.entries(said.channelLabels)) label.set(require(channels, name), text);
  for (const [name, role] of Object.entries(said.channelRoles)) named.set(require(channels, name), spelt(role));
  if (said.frontChannel !== null) {
    const front = require(channels, said.frontChannel);
    if ((named.get(front) ?? 'front') !== 'front') {
      throw problems.mcap_role_repeated(
        `The channel ${front} is named as the front channel, and given the role "${named.get(front)}".`,
      );
    }
    named.set(front, 'front');
  }
  const taken = new Set<string>();
  for (const [channel, role] of named) {
    if (taken.has(role)) throw problems.mcap_role_repeated(`The role "${role}" is given twice, also to ${channel}.`);
    taken.add(role);
  }
  const roles = channels.map((channel): Role => {
    const role = named.get(channel) ?? free(guess(channel), taken);
    taken.add(role);
    return { channel, role, label: label.get(channel) ?? null };
  });
  // One must be looked at first; a recording of a single camera is of what lies in front of it.
  if (!taken.has('front') && roles[0] && !named.has(roles[0].channel)) roles[0].role = 'front';
  return roles.sort((a, b) => Number(b.role === 'front') - Number(a.role === 'front'));
}

/** The stated roles with the labels from before, except where they state another; an empty label removes one. */
export function withLabels(said: Roles, before: Roles): Roles {
  const spelt = (name: string) => name.replace(/^\//, '');
  const stated = new Set(Object.keys(said.channelLabels).map(spelt));
  const kept = Object.entries(before.channelLabels).filter(([name]) => !stated.has(spelt(name)));
  return { ...said, channelLabels: { ...Object.fromEntries(kept), ...said.channelLabels } };
}

/** Why these roles cannot be given to the channels; null where they can. */
export function misfitOf(channels: readonly string[], said: Roles): Problem | null {
  try {
    assignRoles(channels, said);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

function require(channels: readonly string[], name: string): string {
  const channel = channels.find((each) => each === name || each === `/${name}`);
  if (channel !== undefined) return channel;
  const list = channels.slice(0, 10).join(', ') || 'there are none';
  throw problems.mcap_channel_unknown(
    `The recording has no channel of pictures "${name.slice(0, 100)}"; its channels are ${list}.`,
  );
}

function spelt(role: string): string {
  const clean = role.trim().toLowerCase();
  if (VIEW_ROLE.test(clean)) return clean;
  throw problems.mcap_role_invalid();
}

/** "front_left" of `/camera/front_left/image_raw`; what is left of the topic's words where none says a direction. */
function guess(channel: string): string {
  const words = channel
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const places = [...new Set(words.flatMap((word) => WORDS.get(word) ?? []))];
  const rest = words.filter((word) => !NOISE.test(word));
  return (places.join('_') || rest.join('_') || 'camera').slice(0, 60);
}

function free(role: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? role : `${role}_${n}`;
    if (!taken.has(name)) return name;
  }
}
