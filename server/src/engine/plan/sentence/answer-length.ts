import { matchItems, sense, type Words, withoutWords } from '../tokens/lexer.ts';

const LENGTH =
  /(?:,\s*)?\bin (?:(?:about|around|at most|no more than|only|just|exactly) )?(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten) (?:(?:short|brief|simple|plain|clear) )?(?:sentences?|words?|lines?|bullets?|bullet points?|points?|paragraphs?)(?=$|[\s.,;!?])/i;

/** "Summarize in three sentences": without the form of an answer in words, which is not searched. */
export function withoutAnswerLength(words: Words): Words {
  const found = LENGTH.exec(words.query);
  if (!found) return words;
  const isOpen = matchItems(words).some((item) => sense(item, 'question')?.question === 'describe');
  return isOpen ? withoutWords(words, found.index, found.index + found[0].length) : words;
}
