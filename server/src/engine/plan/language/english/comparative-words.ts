import { OBJECT_MEASURES, OBJECT_OPERATORS } from '../../../operators/index.ts';
import { type ClosedClass, inflected, words } from './closed-class.ts';

/** Words of the operators that compare objects: "bigger", "the biggest". */
export const COMPARATIVE_WORDS: readonly ClosedClass[] = [
  ...OBJECT_MEASURES.flatMap((measure) => {
    const { more, less, most, least, equal } = OBJECT_OPERATORS[measure].english;
    return [
      ...(equal ? [words('Equative', equal, { measure })] : []),
      words('Comparative', more, { measure, compare: 'more' }),
      words('Comparative', less, { measure, compare: 'less' }),
      words('Utmost', most, { measure, compare: 'more' }),
      words('Utmost', least, { measure, compare: 'less' }),
    ];
  }),
  ...inflected('Seem', 'look, seem, appear, seem to be, appear to be'),
];
