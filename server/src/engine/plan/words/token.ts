/** One word, number or mark of a prompt, with its position. */
export type Token = {
  kind: 'word' | 'number' | 'time' | 'mark' | 'pause' | 'picture';
  /** Lower case; for marks the character. */
  text: string;
  /** For numbers; seconds for times such as 1:30. */
  value: number;
  start: number;
  end: number;
};
