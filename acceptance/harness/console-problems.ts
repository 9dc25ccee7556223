import { afterAll, afterEach, expect } from 'vitest';
import { takeProblems } from './console.ts';

// A problem of a page fails the test that it belongs to. These hooks run after those of the file, so that a problem
// does not keep a file from ending what it started.
const WHAT = 'problems that the browser reported';
afterEach(() => expect(takeProblems(), WHAT).toEqual([]));
afterAll(() => expect(takeProblems(), WHAT).toEqual([]));
