import { readFileSync } from 'node:fs';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { parseSections } from '../../../core/vocabulary.ts';
import { weights } from './rules.weights.ts';

/** A word weighs 1 when the question says it, and less when it is implied. */
export type Word = { text: string; weight: number };
export type Turn = { question: string; answer: string };

/** A question as the retrieval reads it; each list has a word once, in the order of the question. */
export type ParsedQuestion = {
  asked: Word[];
  /** Words of the opening that identifies the document: 'Consider the lease with Smith; …'. */
  documentWords: Word[];
  /** Words of the earlier turns that the question depends on. */
  carried: Word[];
  /** Words that answers use where questions use others. */
  hints: Word[];
  /** Likely names: the words of the opening, and capitalized words inside the question. */
  names: string[];
  wantsFrontPage: boolean;
};

const BACK_REFERENCE =
  /\b(it|its|that|this|they|them|their|those|these|he|she|him|her|his|there|then|such|same|one|former|latter)\b|^(and|but|so|also|or|why|what about|how about)\b/i;

/** A word for a document, as opposed to the subject of a question: 'In case of fire, …' names none. */
const DOCUMENT = String.raw`\b(?:agreement|contract|lease|nda|policy|deed|licen[cs]e|memorandum|amendment|addendum|indenture|mortgage|guarant(?:y|ee)|bylaws|charter|privacy (?:notice|statement))["”’)]*`;
const BETWEEN = String.raw`(?:by and between|by and among|between|among|with|dated)`;
const OPENING = String.raw`(?:please\s+)?(?:consider|looking at|(?:i am|i’m|i'm|we are) (?:looking at|reading|reviewing)|in|under|according to|pursuant to|as per|per|based on|regarding|concerning|as (?:to|for)|with (?:respect|regard) to|(?:this is )?about)`;
const ASKS = String.raw`(?:what|when|where|which|who|whom|whose|why|how)`;
const VERB = String.raw`(?:is|are|was|were|do|does|did|can|could|may|must|shall|should|will|would|has|have)`;
/** The beginning of a sentence that asks. */
const QUESTION = String.raw`(?:${ASKS}|${VERB})\b`;
/** Within a sentence: May and Will are also names. */
const CLAUSE = String.raw`(?:(?:in|at|to|by|for|from|on|of|under|until|with|within)\s)?(?:${ASKS}|(?-i:${VERB}))\b`;
const CUT = String.raw`(?::|\s[–—-]+)\s+`;

/** The last part may be 'and when?', which asks nothing by itself. */
const MAX_CUTS = 3;

const expression = (source: string) => new RegExp(source, 'ius');

const asksAtOnce = expression(String.raw`^\s*${QUESTION}`);
const isClause = expression(String.raw`^\s*${CLAUSE}`);
const isTitle = expression(String.raw`${DOCUMENT}$`);
const isName = expression(
  String.raw`${DOCUMENT}(?:$|\s(?:${BETWEEN}|by|titled|of)\b)|^(?:the matter of|re:?)\s`,
);

/** 'Under the Lease with A, may the tenant sublet?' and 'I am reading the Lease with A. May the tenant sublet?'. */
const opening = expression(
  String.raw`^${OPENING}\s([^?]{3,400}?)(?:(?:,|${CUT})\s*(?=${CLAUSE})|\.\s+(?=${QUESTION}))`,
);
/** 'Lease with A: may the tenant sublet?' */
const title = expression(
  String.raw`^([^?,;:–—]{0,120}?${DOCUMENT}[^?]{0,300}?)${CUT}(?=${QUESTION}|${CLAUSE})`,
);
/** 'What is the term of the Lease between A and B?': the last possible beginning of the name. */
const ending = expression(
  String.raw`^(.+)\s(?:of|in|under|to|by|from|for|per)\s((?:the|this|our|your)\s[^?;]{0,120}?${DOCUMENT}\s${BETWEEN}\s[^?]{3,300})\??\s*$`,
);
/** 'What is the term under the Supply Agreement?': a name in capitals. */
const capitals = expression(
  String.raw`^(.+)\s(?:in|under|according to|pursuant to|per)\s(?:the|our|your)\s((?:["“]?(?-i:\p{Lu})[^\s?;]*\s(?:(?:and|of|for|&)\s)?){1,8}(?-i:\p{Lu})[^\s?;]*)\??\s*$`,
);

const VOCABULARY = 'vocabulary.txt';
export const vocabulary = parseVocabulary(
  readFileSync(new URL(VOCABULARY, import.meta.url), 'utf8'),
);

/** Reads a question; a follow-up carries over the words of the turn that it refers to. */
export function readQuestion(question: string, history: readonly Turn[] = []): ParsedQuestion {
  const { documentName, asking } = splitDocumentName(question);
  const asked = toWords(contentWords(asking), 1);
  const before = turnsMeant(question, history);
  const weight = pointsBack(question) ? weights.carried : weights.carriedByShort;
  const own = new Set(asked.map((word) => word.text));
  const carried = toWords(
    before.flatMap((text) => contentWords(text)).filter((word) => !own.has(word)),
    weight,
  );
  // Earlier questions say what this one is about, but not what it asks for.
  const wanted = asked.length > 0 ? asking : [...before, asking].join('\n');
  return {
    asked: asked.length > 0 || carried.length > 0 ? asked : toWords(plainWords(asking), 1),
    documentWords: toWords(contentWords(documentName), 1),
    carried,
    hints: toWords(hintsFor(wanted), weights.hint),
    names: [
      ...new Set([...contentWords(documentName), ...[asking, ...before].flatMap(capitalizedWords)]),
    ],
    wantsFrontPage: vocabulary.frontPage.some((pattern) => pattern.test(asking)),
  };
}

/** A follow-up question preceded by the questions that it refers to; any other question unchanged. */
export function inContext(question: string, history: readonly Turn[] = []): string {
  return pointsBack(question) ? [...turnsMeant(question, history), question].join('\n') : question;
}

/** The question without the words that name its document. */
export function withoutDocumentName(question: string): string {
  return splitDocumentName(question).asking.trim();
}

/** Whether a question is understood without the earlier turns. */
export function isSelfContained(question: string): boolean {
  return (
    !pointsBack(question) &&
    contentWords(splitDocumentName(question).asking).length >= weights.enoughWords
  );
}

/** Words that carry meaning, in lower case. */
export function contentWords(text: string): string[] {
  return plainWords(text).filter(
    (word) => !vocabulary.stop.has(word) && !vocabulary.asking.has(word),
  );
}

/** Parses `vocabulary.txt`, which describes its own sections. @throws Error that quotes a bad line */
export function parseVocabulary(text: string) {
  const linesOf = parseSections(text);
  const wordsOf = (name: string) => new Set(linesOf(name).flatMap((line) => line.split(' ')));
  return {
    stop: wordsOf('stop words'),
    asking: wordsOf('asking words'),
    frontPage: linesOf('front page').map((pattern) => new RegExp(pattern, 'i')),
    hints: linesOf('answered in other words').map(parseHint),
  };
}

/** Words that documents use to answer what a question asks in other words. */
export function hintsFor(question: string): string[] {
  const text = normalized(question, 'NFKC').toLowerCase();
  return vocabulary.hints.flatMap(({ speaksOf, words }) => (speaksOf.test(text) ? words : []));
}

/** For example 'When must it be returned?' or 'And how much?'. */
function pointsBack(question: string): boolean {
  const { asking } = splitDocumentName(question);
  const count = contentWords(asking).length;
  return count === 0 || (BACK_REFERENCE.test(asking) && count <= weights.mostPointing);
}

/** The earlier questions that this one depends on, back to the last self-contained one. */
function turnsMeant(question: string, history: readonly Turn[]): string[] {
  if (isSelfContained(question)) return [];
  const meant: string[] = [];
  for (const turn of history.slice(-weights.turnsRemembered).toReversed()) {
    meant.unshift(turn.question);
    if (!pointsBack(turn.question)) break;
  }
  return meant;
}

/** Skips the first word of a sentence, which is always capitalized. */
function capitalizedWords(text: string): string[] {
  const inside = text.replaceAll(/(^|[.?!:]\s)\s*\S+/g, ' ');
  return contentWords((inside.match(/\p{Lu}[\p{L}\p{N}&.'-]*/gu) ?? []).join(' '));
}

function plainWords(text: string): string[] {
  const found = normalized(text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[’‘]/g, "'")
    .match(/[\p{L}\p{N}]+(?:[.,'&-][\p{L}\p{N}]+)*/gu);
  return [...new Set((found ?? []).map((word) => word.replace(/'s$/, '')))];
}

/** Splits 'Consider the lease between A and B; may the tenant sublet?' and its like into what names the file, and the rest. */
function splitDocumentName(question: string): { documentName: string; asking: string } {
  for (const { documentName, asking } of readings(question))
    if (contentWords(asking).length > 0) return { documentName, asking };
  return { documentName: '', asking: question };
}

function toWords(texts: string[], weight: number): Word[] {
  return [...new Set(texts)].map((text) => ({ text, weight }));
}

/** Ways to read a question that names its document, the likeliest first; the first with something to ask is meant. */
function* readings(question: string): Generator<NamedQuestion> {
  yield* atSemicolons(question);
  const opened = opening.exec(question);
  if (isName.test(opened?.[1] ?? '')) yield* afterMatch(question, opened);
  yield* afterMatch(question, title.exec(question));
  const capital = capitals.exec(question);
  const ended = ending.exec(question) ?? (isTitle.test(capital?.[2] ?? '') ? capital : null);
  if (ended) yield { documentName: ended[2] ?? '', asking: ended[1] ?? '' };
  yield* looseReadings(question);
}

function* afterMatch(question: string, found: RegExpExecArray | null): Generator<NamedQuestion> {
  if (found) yield { documentName: found[1] ?? '', asking: question.slice(found[0].length) };
}

/** Cuts before the first part that asks, or else at the last semicolon: those before it separate parties. */
function* atSemicolons(question: string): Generator<NamedQuestion> {
  const parts = question.split(';');
  const asks = parts.findIndex((part, at) => at > 0 && isClause.test(part));
  // 'What is the rent; and the deposit?' names nothing.
  if (asks === -1 && asksAtOnce.test(question)) return;
  const cuts = parts.map((_, at) => at).slice(1);
  const last = cuts.toReversed().slice(0, MAX_CUTS);
  for (const at of asks === -1 ? last : [asks, ...last])
    yield { documentName: parts.slice(0, at).join(';'), asking: parts.slice(at).join(';') };
}

function parseHint(line: string) {
  const [speaksOf, words, ...rest] = line.split(' => ');
  if (!speaksOf || !words || rest.length > 0)
    throw new Error(`${VOCABULARY} takes <regular expression> => <words>, not ${line}`);
  return { speaksOf: new RegExp(`\\b(?:${speaksOf})`), words: words.split(' ') };
}

// Looser ways to name a document.

/** A question in two parts: the document's name, and the rest. */
type NamedQuestion = { documentName: string; asking: string };

const onOneLine = (source: string) => new RegExp(source, 'iu');

/** Words for a document that name one by themselves: 'the lease'. */
const STRONG = String.raw`(?:agreement|contract|lease|nda|deed|indenture|mortgage|bylaws|subpoena|affidavit|transcript)`;
/** Words that name one with a word before them: 'the police report'. */
const WEAK = String.raw`(?:policy|notice|report|statement|letter|memo|memorandum|amendment|addendum|charter|complaint|petition|deposition|invoice|bill|estimate|records?|declaration|motion|questionnaire|certificate|minutes|e-?mail|guarant(?:y|ee)|licen[cs]e)`;
const FILE = String.raw`[\p{L}\p{N}][^\s?;:,]*\.(?:pdf|docx?|txt|rtf|md|eml|xlsx?|pptx?|html?|csv)\b`;
const MONTH = String.raw`(?:january|february|march|april|may|june|july|august|september|october|november|december)`;

const THE = String.raw`(?:the|this|that|our|your|my|their)\s`;
/** A word before the kind of document: a party, a date, what it is about. */
const OWN = String.raw`(?!(?:of|on|in|to|for|by|with|at|under|a|an|the|and|or|not|no|${ASKS}|${VERB})\b)[\p{L}\p{N}“"‘'’&.,()-]+\s`;
const JOINED = String.raw`(?:(?:and|of|&)\s)?`;
const TAIL = String.raw`(?:\s(?:of|with|from|between|by|dated|for|signed|among)\s[^?;:]{2,120}?)?`;
const KIND = String.raw`(?:(?:${OWN}${JOINED}){0,6}?${STRONG}|(?:${OWN}${JOINED}){1,6}?${WEAK})["”’)]*`;
/** 'the deposition of Jane Doe' */
const OF_SOMEONE = String.raw`(?:${THE})${WEAK}\s(?:of|from|by|dated)\s[^?;:]{2,120}?`;
const TITLED = String.raw`(?:(?:${THE})?${KIND}${TAIL}|${OF_SOMEONE})`;
/** Names in capitals alone: 'Pinecrest Dental Group'. */
const CAPITALS = String.raw`(?-i:\p{Lu})[^\s?;:,]*(?:\s(?:(?:and|of|&|v\.?|vs\.?)\s)?(?-i:\p{Lu})[^\s?;:,]*){0,7}`;
/** Before what is asked of it. */
const LEAD = String.raw`(?:in|from|for|under|per|about|regarding|concerning|re:?|according to|pursuant to|as per|as to|as for|with (?:respect|regard) to|looking at|see|based on|on the basis of)`;
/** Behind it; without the prepositions that belong to verbs. */
const END = String.raw`(?:in|from|under|per|according to|pursuant to|as per|based on)`;
const SEE = String.raw`(?:see|in|from|this is|it is|about|for|re:?)\s`;
const PAUSE = String.raw`(?:\s?[:,]|\s[–—-]+)\s+`;
const BREAK = String.raw`(?:\s?:|\s[–—-]+)\s+`;

/** Forms in which the name comes first, and what is asked follows. */
const first = [
  // 'In the Harrowgate lease, may …', 'From the police report: who …', 'In the lease how …'
  String.raw`^(?:please\s)?${LEAD}\s(${TITLED}|${FILE})(?:${PAUSE}(?=${CLAUSE})|\s(?=${ASKS}\b))`,
  // 'For Harrowgate: when …', 'Regarding Pinecrest, when …'
  String.raw`^(?:in re|regarding|concerning|re:?|about|as to|as for)\s(${CAPITALS})${PAUSE}(?=${CLAUSE})`,
  // 'The lease with Pinecrest: may …', 'Pinecrest lease, may …', 'office-lease.txt: may …'
  String.raw`^(${TITLED}|${FILE})${PAUSE}(?=${CLAUSE})`,
  // 'Pinecrest: may …'
  String.raw`^(${CAPITALS})${BREAK}(?=${CLAUSE})`,
  // 'office lease harrowgate: may …'
  String.raw`^((?:${OWN}){0,5}${STRONG}(?:\s(?!${VERB}\b)[\p{L}\p{N}&.’'-]+){1,4})${BREAK}(?=${CLAUSE})`,
  // '[Office Lease] may …'
  String.raw`^[[(@]((?:${OWN}){0,5}${STRONG}[^\]()?]{0,60}|${FILE})[\])]?:?\s+(?=${CLAUSE})`,
].map(onOneLine);

/** Forms in which it comes last. */
const last = [
  // 'How much is the rent? (Office Lease, Harrowgate)'
  String.raw`^(.{8,}?)\??\s*\(([^()?]{3,120})\)\s*[?.]?\s*$`,
  // 'How much is the rent? See the office lease.'
  String.raw`^(.{8,}\?)\s+(?:${SEE})?(${TITLED}|${FILE})\s*\.?\s*$`,
  // 'How much is the rent – office lease'
  String.raw`^(.{8,}?)\??\s[–—-]+\s(${TITLED}|${FILE})\s*\??\s*$`,
  // 'How much is the rent in the Pinecrest lease?', '… per office-lease.txt?'
  String.raw`^(.{8,}),?\s${END}\s((?:${THE}|(?=(?-i:\p{Lu})))${KIND}${TAIL}|${FILE})\s*\??\s*$`,
  // 'What is the term of the Pinecrest lease?'
  String.raw`^(.{8,})\s(?:of|on)\s((?:${THE}|(?=(?-i:\p{Lu})))(?:${OWN}${JOINED}){1,6}?(?:${STRONG}|${WEAK})${TAIL})\s*\??\s*$`,
].map(onOneLine);

const isDocument = onOneLine(String.raw`\b(?:${STRONG}|${WEAK})\b|${FILE}`);
const isFile = onOneLine(
  String.raw`^((?:[\p{L}\p{N}]+[\s_-]+){0,6}${STRONG}|(?:[\p{L}\p{N}]+[\s_-]+){1,6}${WEAK})${BREAK}(?=${CLAUSE})`,
);
const isDate = onOneLine(String.raw`\b${MONTH}\b|\b\d{4}\b`);

/** Ways in which people name a document beside its formal title, the likeliest first. */
export function* looseReadings(question: string): Generator<NamedQuestion> {
  for (const form of [...first, isFile]) {
    const found = form.exec(question);
    if (found) yield { documentName: found[1] ?? '', asking: question.slice(found[0].length) };
  }
  for (const form of last) {
    const [, asking = '', documentName = ''] = form.exec(question) ?? [];
    if (isDocument.test(documentName) || isDate.test(documentName)) yield { documentName, asking };
  }
}
