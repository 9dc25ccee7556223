import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Clapperboard, FolderClosed, Keyboard, type LucideIcon, Moon, Search, Settings, Sun } from 'lucide-react';
import { useDeferredValue } from 'react';
import { api } from '#api/client.ts';
import { PLACES, SETTINGS } from './places.tsx';
import { useQuickCommands } from './quick-commands.ts';
import { openShortcuts } from './shortcuts.tsx';
import { setTheme } from './theme.ts';

/** A row of the palette. `hint`: its kind, at the end of the line. */
export type Command = { id: string; icon: LucideIcon; text: string; hint?: string; run: () => unknown };

/** Number of videos, and of folders, that are offered while typing. */
const MATCHES = 6;
/** Most folders that are searched by name. */
const FOLDERS = 1_000;

const ACTIONS: { id: string; icon: LucideIcon; name: MessageDescriptor; run: () => void }[] = [
  { id: 'dark', icon: Moon, name: msg`Use the dark theme`, run: () => setTheme('dark') },
  { id: 'light', icon: Sun, name: msg`Use the light theme`, run: () => setTheme('light') },
  { id: 'shortcuts', icon: Keyboard, name: msg`Show keyboard shortcuts`, run: openShortcuts },
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
  return [
    {
      id: 'search',
      icon: Search,
      text: t`Search events for “${words}”`,
      run: () => navigate({ to: '/search', search: { q: words } }),
    },
    ...offered,
    ...[...pages, ...settings].filter(matches),
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
  const folders = useQuery({
    queryKey: ['folders', 'palette'],
    enabled,
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (await api.GET('/api/folders', { params: { query: { limit: FOLDERS } }, signal })).data!.folders,
  });
  if (!enabled) return { videos: [], folders: [] };
  const named = folders.data?.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase())) ?? [];
  return { videos: videos.data ?? [], folders: named.slice(0, MATCHES) };
}
