import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from '#api/queries.ts';
import { preferredLocale } from '#frame/catalogs.ts';
import { activateLocale } from '#frame/locale.ts';
import { applyTheme } from '#frame/theme.ts';
import { Toasts } from '#ui/overlays/toasts.tsx';
import { router } from './router.tsx';

applyTheme();
await activateLocale(preferredLocale());

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queries}>
          <Toasts>
            <Tooltip.Provider delay={400}>
              <RouterProvider router={router} />
            </Tooltip.Provider>
          </Toasts>
        </QueryClientProvider>
      </I18nProvider>
    </CSPProvider>
  </StrictMode>,
);
