import { type ComponentType, lazy } from 'react';
import { loadModule } from './load-module.ts';

/** A component whose module is loaded when it is first rendered. */
export const lazyComponent = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(() => loadModule(async () => ({ default: await load() })));
