import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'sightline.theme';
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

const stored = (): Theme => {
  const value = localStorage.getItem(KEY);
  return value === 'light' || value === 'dark' ? value : 'system';
};

/** Shows the chosen theme; `system` follows the system. */
function showTheme(): void {
  const theme = stored();
  const isDark = theme === 'dark' || (theme === 'system' && dark.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  for (const listener of listeners) listener();
}

/** Shows the chosen theme from now on. */
export function applyTheme(): void {
  dark.addEventListener('change', showTheme);
  showTheme();
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  showTheme();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The chosen theme. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, stored);

/** The theme that is shown. Canvas drawings depend on it. */
export const useShownTheme = (): 'light' | 'dark' =>
  useSyncExternalStore(subscribe, () => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'));
