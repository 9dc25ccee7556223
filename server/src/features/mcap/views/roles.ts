import { VIEW_ROLE } from '#features/events/index';
import { Problem } from '#platform/problem';
import { problems } from '../problems.ts';
import type { ChannelRoles } from '../types.ts';

/** Words of topics and the roles that they mean. */
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
/** Words of topics without a direction. */
const NOISE =
  /^(image|images|img|raw|rect|color|colour|compressed|camera|cam|cameras|sensor|sensors|video|observation|h264|h265|jpeg|stream|mono|rgb|preview|data)$/;

export type ChannelRole = { channel: string; role: string; label: string | null };

/**
 * Assigns a role to each channel: the stated one, or an unused one that its topic suggests. The front view is the
 * first; without one it is the first channel. Throws `mcap_channel_unknown`, `mcap_role_invalid` or
 * `mcap_role_repeated` (400).
 */
export function assignRoles(channels: readonly string[], stated: ChannelRoles): ChannelRole[] {
  const named = new Map<string, string>();
  const label = new Map<string, string>();
  for (const [name, text] of Object.entries(stated.channelLabels)) label.set(requireChannel(channels, name), text);
  for (const [name, role] of Object.entries(stated.channelRoles))
    named.set(requireChannel(channels, name), parseRole(role));
  if (stated.frontChannel !== null) {
    const front = requireChannel(channels, stated.frontChannel);
    if ((named.get(front) ?? 'front') !== 'front') {
      throw problems.mcap_role_repeated(
        `The channel ${front} is the front channel, so it cannot have the role "${named.get(front)}".`,
      );
    }
    named.set(front, 'front');
  }
  const taken = new Set<string>();
  for (const [channel, role] of named) {
    if (taken.has(role))
      throw problems.mcap_role_repeated(
        `The role "${role}" is given to more than one channel, one of them ${channel}.`,
      );
    taken.add(role);
  }
  const roles = channels.map((channel): ChannelRole => {
    const role = named.get(channel) ?? toUnusedName(suggestRole(channel), taken);
    taken.add(role);
    return { channel, role, label: label.get(channel) ?? null };
  });
  // Every recording has a primary view: without a front camera it is the first one.
  if (!taken.has('front') && roles[0] && !named.has(roles[0].channel)) roles[0].role = 'front';
  return roles.sort((a, b) => Number(b.role === 'front') - Number(a.role === 'front'));
}

/** Returns the stated roles with earlier labels that they do not replace. An empty label removes one. */
export function mergeLabels(stated: ChannelRoles, before: ChannelRoles): ChannelRoles {
  const normalize = (name: string) => name.replace(/^\//, '');
  const replaced = new Set(Object.keys(stated.channelLabels).map(normalize));
  const remaining = Object.entries(before.channelLabels).filter(([name]) => !replaced.has(normalize(name)));
  return { ...stated, channelLabels: { ...Object.fromEntries(remaining), ...stated.channelLabels } };
}

/** Returns the problem of roles that cannot be assigned to the channels, or null. */
export function checkRoles(channels: readonly string[], stated: ChannelRoles): Problem | null {
  try {
    assignRoles(channels, stated);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

function requireChannel(channels: readonly string[], name: string): string {
  const channel = channels.find((each) => each === name || each === `/${name}`);
  if (channel !== undefined) return channel;
  const list = channels.slice(0, 10).join(', ') || 'none';
  throw problems.mcap_channel_unknown(
    `The recording has no image channel "${name.slice(0, 100)}". Its image channels: ${list}.`,
  );
}

function parseRole(role: string): string {
  const clean = role.trim().toLowerCase();
  if (VIEW_ROLE.test(clean)) return clean;
  throw problems.mcap_role_invalid();
}

/** Role from a topic: `front_left` for `/camera/front_left/image_raw`, otherwise its remaining words. */
function suggestRole(channel: string): string {
  const words = channel
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const places = [...new Set(words.flatMap((word) => WORDS.get(word) ?? []))];
  const rest = words.filter((word) => !NOISE.test(word));
  return (places.join('_') || rest.join('_') || 'camera').slice(0, 60);
}

function toUnusedName(role: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? role : `${role}_${n}`;
    if (!taken.has(name)) return name;
  }
}
