import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Clapperboard, FolderClosed, Keyboard, type LucideIcon, Moon, Search, Settings, Sun } from 'lucide-react';
import { useDeferredValue } from 'react';
import { api } from '#api/client.ts';
import { foldersQuery } from '#api/folders-query.ts';
import { PLACES, SETTINGS } from './places.tsx';
import { useQuickCommands } from './quick-commands.ts';
import { openShortcuts } from './shortcuts.tsx';
import { setTheme } from './theme.ts';

/** A row of the palette. `hint`: its kind, at the end of the line. */
export type Command = { id: string; icon: LucideIcon; text: string; hint?: string; run: () => unknown };

/** Number of videos, and of folders, that are offered while typing. */
const MATCHES = 6;

const ACTIONS: { id: string; icon: LucideIcon; name: MessageDescriptor; run: () => void }[] = [
  { id: 'dark', icon: Moon, name: msg`Use the dark theme`, run: () => setTheme('dark') },
  { id: 'light', icon: Sun, name: msg`Use the light theme`, run: () => setTheme('light') },
  { id: 'shortcuts', icon: Keyboard, name: msg`Show keyboard shortcuts`, run: openShortcuts },
];

/** Parts of the pages of the settings, for those who do not know on which page they are. */
const IN_SETTINGS: readonly { name: MessageDescriptor; section: keyof typeof SETTINGS }[] = [
  { name: msg`Language and theme`, section: 'profile' },
  { name: msg`Password`, section: 'profile' },
  { name: msg`Two-factor sign-in`, section: 'profile' },
  { name: msg`Single sign-on`, section: 'profile' },
  { name: msg`Where you are signed in`, section: 'profile' },
  { name: msg`Ownership`, section: 'organization' },
  { name: msg`Open invitations`, section: 'members' },
  { name: msg`Limits`, section: 'usage' },
  { name: msg`Models`, section: 'system' },
  { name: msg`Vision-language models`, section: 'system' },
  { name: msg`Workers`, section: 'system' },
  { name: msg`Queues`, section: 'system' },
];

/** The search over events first, then actions, pages and settings; below them what loads: videos and folders. */
export function useCommands(text: string): Command[] {
  const { t } = useLingui();
  const navigate = useNavigate();
  const words = text.trim();
  const { videos, folders } = useNames(useDeferredValue(words));
  const matches = ({ text }: Command) => text.toLowerCase().includes(words.toLowerCase());
  const quick = useQuickCommands();
  const offered: Command[] = quick.flatMap(({ id, icon, text, withWords, run }) => {
    if (!words) return [{ id, icon, text, run: () => run('') }];
    const isNamed = text.toLowerCase().includes(words.toLowerCase());
    if (withWords && !isNamed) return [{ id, icon, text: withWords(words), run: () => run(words) }];
    return isNamed ? [{ id, icon, text, run: () => run('') }] : [];
  });
  const pages: Command[] = [
    ...PLACES.map(({ to, icon, name }) => ({
      id: String(to),
      icon,
      text: t(name),
      hint: t`Page`,
      run: () => navigate({ to }),
    })),
    ...ACTIONS.map(({ id, icon, name, run }) => ({ id, icon, text: t(name), run })),
  ];
  const settings: Command[] = Object.entries(SETTINGS).map(([section, name]) => ({
    id: `settings ${section}`,
    icon: Settings,
    text: t(name),
    hint: t`Settings`,
    run: () => navigate({ to: '/settings/$section', params: { section } }),
  }));
  if (!words) return [...offered, ...pages, ...settings];
  const inSettings: Command[] = IN_SETTINGS.map(({ name, section }) => ({
    id: `settings ${section} ${t(name)}`,
    icon: Settings,
    text: t(name),
    hint: t`Settings: ${t(SETTINGS[section])}`,
    run: () => navigate({ to: '/settings/$section', params: { section } }),
  }));
  return [
    {
      id: 'search',
      icon: Search,
      text: t`Search events for “${words}”`,
      run: () => navigate({ to: '/search', search: { q: words } }),
    },
    ...offered,
    ...[...pages, ...settings, ...inSettings].filter(matches),
    ...videos.map(({ video_id: videoId, video_name }) => ({
      id: videoId,
      icon: Clapperboard,
      text: video_name,
      hint: t`Video`,
      run: () => navigate({ to: '/videos/$videoId', params: { videoId } }),
    })),
    ...folders.map(({ id, name }) => ({
      id,
      icon: FolderClosed,
      text: name,
      hint: t`Folder`,
      run: () => navigate({ to: '/', search: { folder: id } }),
    })),
  ];
}

/** Videos and folders whose name contains the words. */
function useNames(words: string) {
  const enabled = words.length > 1;
  const videos = useQuery({
    queryKey: ['palette', words],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await api.GET('/api/videos', { params: { query: { name: words, limit: MATCHES } }, signal })).data!.videos,
  });
  const folders = useQuery({ ...foldersQuery, enabled });
  if (!enabled) return { videos: [], folders: [] };
  const named = folders.data?.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase())) ?? [];
  return { videos: videos.data ?? [], folders: named.slice(0, MATCHES) };
}
