import { Presets, SingleBar } from 'cli-progress';

/** A progress line on stderr: stage, percent, time left. On a terminal it is a bar; elsewhere one line per stage. */
export interface Progress {
  show(stage: string, percent: number): void;
  stop(): void;
}

export function createProgress(): Progress {
  const started = performance.now();
  if (!process.stderr.isTTY) {
    let last = '';
    return {
      show(stage, percent) {
        if (stage === last) return;
        last = stage;
        process.stderr.write(`${stage} (${Math.round(percent)} %)\n`);
      },
      stop() {},
    };
  }
  const bar = new SingleBar(
    { format: '{bar} {percent}% {stage} {left}', hideCursor: true, stream: process.stderr },
    Presets.shades_classic,
  );
  bar.start(100, 0, { stage: '', left: '' });
  return {
    show: (stage, percent) =>
      bar.update(Math.min(100, Math.round(percent)), { stage, left: timeLeft(started, percent) }),
    stop: () => bar.stop(),
  };
}

function timeLeft(startedMs: number, percent: number): string {
  if (percent < 3 || percent >= 100) return '';
  const left = ((performance.now() - startedMs) / 1000) * (100 / percent - 1);
  return `${Math.ceil(left)} s left`;
}
