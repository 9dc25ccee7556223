import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** A test that failed, or what else failed in a file (a hook, a suite, the file itself), with the first error. */
export type Failure = { name: string; message: string };

export type Report = {
  passed: number;
  skipped: number;
  /** Files that failed, even without a failed test. */
  failed: { path: string; failures: Failure[] }[];
  /** Errors outside of files. */
  unhandled: string[];
  /** Annotations of tests, such as what this machine offers and what it lacks. */
  notes: string[];
};

/**
 * Writes a `Report` to the file in REPORT_FILE. Vitest's own JSON report omits errors of hooks in suites and errors
 * outside of tests, so that a file could fail without a reason.
 */
export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const report: Report = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      skipped: tests.filter((test) => test.result().state === 'skipped').length,
      failed: modules
        .filter((module) => !module.ok())
        .map((module) => ({ path: relative(process.cwd(), module.moduleId), failures: failuresOf(module) })),
      unhandled: unhandled.map(describe),
      notes: tests.flatMap((test) => test.annotations().map(({ message }) => message)),
    };
    writeFileSync(process.env.REPORT_FILE!, JSON.stringify(report));
  }
}

function failuresOf(module: TestModule): Failure[] {
  const failures = [
    ...failure('(the file as a whole)', module.errors()),
    ...[...module.children.allSuites()].flatMap((suite) => failure(`${suite.fullName} (its hooks)`, suite.errors())),
    ...[...module.children.allTests()]
      .filter((test) => test.result().state === 'failed')
      .flatMap((test) => failure(test.fullName, test.result().errors ?? [])),
  ];
  return failures.length > 0 ? failures : [{ name: '(the file as a whole)', message: 'It did not end.' }];
}

const failure = (name: string, [error]: readonly SerializedError[]): Failure[] =>
  error ? [{ name, message: describe(error) }] : [];

const describe = ({ message, stack }: SerializedError): string => message || stack || 'No message.';
