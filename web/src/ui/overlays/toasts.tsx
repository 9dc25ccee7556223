import { Toast } from '@base-ui/react/toast';
import { useLingui } from '@lingui/react/macro';
import { type ReactNode, Suspense } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import type { ToastData } from './toast-list.tsx';

// Not needed for the first paint.
const ToastList = lazyComponent(async () => (await import('./toast-list.tsx')).ToastList);

/** Shows short messages above the page. Screen readers announce them. */
export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider>
      {children}
      <Suspense>
        <ToastList />
      </Suspense>
    </Toast.Provider>
  );
}

/** Functions that show a message. `undo` adds a button that reverses what was done. */
export function useToasts() {
  const { t } = useLingui();
  const manager = Toast.useToastManager<ToastData>();
  return {
    show: (title: string, undo?: () => void) =>
      manager.add({ title, ...(undo ? { actionProps: { children: t`Undo`, onClick: undo } } : {}) }),
    showError: (error: unknown) => manager.add({ data: { error }, priority: 'high', timeout: 12_000 }),
  };
}
