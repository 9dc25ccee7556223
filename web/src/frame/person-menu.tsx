import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BookOpen, Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { api } from '#api/client.ts';
import { useSession } from '#api/session.ts';
import { Menu, MenuItem, MenuSeparator } from '#ui/overlays/menu.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { showCutTitles } from './cut-titles.ts';
import { openShortcuts } from './shortcuts.tsx';
import { setTheme, type Theme, useTheme } from './theme.ts';

// Also for all pages, and not for the first paint.
showCutTitles();

const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

/** The signed-in user: profile, theme, help, sign out. */
export function PersonMenu() {
  const { t } = useLingui();
  const session = useSession();
  const theme = useTheme();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { showError } = useToasts();
  const themeTexts = { system: t`Theme: system`, light: t`Theme: light`, dark: t`Theme: dark` };

  async function signOut() {
    try {
      await api.POST('/api/auth/sign-out', {});
    } catch (error) {
      return showError(error);
    }
    queryClient.clear();
    await navigate({ to: '/welcome', search: {} });
  }

  const initials = session.email.slice(0, 2);
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          // The visible text is part of the name, for people who speak to their computer.
          aria-label={t`${initials}: account of ${session.email}`}
          className="grid size-7 shrink-0 place-items-center rounded-full bg-accent font-semibold text-accent-ink text-xs uppercase"
        >
          {initials}
        </button>
      }
    >
      <div className="max-w-64 truncate px-2 py-1.5 text-ink-2 text-sm">{session.email}</div>
      <MenuSeparator />
      <MenuItem icon={{ system: Monitor, light: Sun, dark: Moon }[theme]} onSelect={() => setTheme(NEXT[theme])}>
        {themeTexts[theme]}
      </MenuItem>
      <MenuItem icon={Keyboard} onSelect={openShortcuts}>
        {t`Keyboard shortcuts`}
      </MenuItem>
      <MenuItem icon={BookOpen} onSelect={() => window.open('/docs', '_blank', 'noopener')}>
        {t`API documentation`}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={LogOut} onSelect={() => void signOut()}>
        {t`Sign out`}
      </MenuItem>
    </Menu>
  );
}
