export type Reading = { text: string /** Mean probability of the characters, 0 to 1. */; score: number };

/** Index of "no character" in the output of the recognizer. */
const BLANK = 0;

/**
 * Decodes the output of the recognizer, `steps` × `classes` probabilities: the most likely class of each step, of which
 * repetitions and blanks are dropped (CTC). `characters` are those of the classes from 1 on.
 */
export function decodeLine(output: Float32Array, classes: number, characters: readonly string[]): Reading {
  let text = '';
  let sum = 0;
  let count = 0;
  let previous = BLANK;
  for (let step = 0; step * classes < output.length; step++) {
    const row = output.subarray(step * classes, (step + 1) * classes);
    let best = 0;
    for (let index = 1; index < classes; index++) if (row[index]! > row[best]!) best = index;
    if (best !== BLANK && best !== previous) {
      text += characters[best - 1] ?? '';
      sum += row[best]!;
      count++;
    }
    previous = best;
  }
  return { text: text.trim(), score: count === 0 ? 0 : sum / count };
}
