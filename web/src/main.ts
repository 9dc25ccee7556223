/**
 * Starts everything that the first page needs at the same time: the session, the texts, the page and the console that
 * shows it. This module is small and arrives first; one after the other, they would be a chain of requests.
 */
import './ui/base.css';
import { startEarly } from '#api/early-requests.ts';
import { LIBRARY_PAGE } from '#api/library-page.ts';
import { loadModule } from '#api/load-module.ts';
import { loadCatalog, preferredLocale } from '#frame/catalogs.ts';
import { PAGES, pageAt } from './pages.ts';

const ignore = () => {};
const path = pageAt(window.location.pathname);
if (path !== '/welcome') startEarly('/api/auth/session');
// With a filter, its request follows when the console has read the address.
if (path === '/' && window.location.search === '') startEarly(`/api/videos?${new URLSearchParams(LIBRARY_PAGE)}`);
// The modules that need them import them again, and handle failures.
if (path) PAGES[path]().catch(ignore);
loadCatalog(preferredLocale()).catch(ignore);
// Not awaited: the console imports modules of this one.
void loadModule(() => import('./console.tsx'));
