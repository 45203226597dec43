import { hintsFor } from './rules.vocabulary.ts';

/** A word of the question with what it counts: 1 for what was asked, less for what was not said outright. */
export type Word = { text: string; weight: number };
export type Turn = { question: string; answer: string };

/** A question as the retrieval reads it. Weights are settled; words come once each, in the order of the question. */
export type Reading = {
  asked: Word[];
  /** Of the leading words that say which document is meant: 'Consider the lease with Smith; …'. */
  naming: Word[];
  /** From the turns before, when this one leans on them: what it is about as well. */
  carried: Word[];
  /** Words of the trade that answers use where questions use others. */
  hints: Word[];
  /** Those that look like names: of the leading words, and whatever is spelt with a capital inside the question. */
  names: string[];
  wantsFrontPage: boolean;
};

const CARRIED = 0.5;
/** Of a question that only is short: enough to choose between passages that are equal otherwise. */
const HARDLY_CARRIED = 0.1;
const HINT = 0.4;
/** Questions with fewer words of their own may lean on the turn before. */
const ENOUGH_WORDS = 3;
/** A pronoun in a question of more words points at something in the question itself. */
const MOST_POINTING = 5;
const TURNS_REMEMBERED = 3;

const words = (list: string) => new Set(list.split(/\s+/));

const STOP =
  words(`a about above after again all also am an and any are as at be because been before being
  below between both but by can cannot could did do does doing done down during each few for from further get
  gets give given go had has have having he her here hers him his how i if in into is it its itself just kind let
  like many may me might more most much must my no nor not of off on once one only or other our out over own per
  same shall she should so some such than that the their them then there these they this those through to too
  under until up upon us very was we were what when where whether which while who whom whose why will with within
  would yes yet you your`);

/** What questions are made of, and contracts hold everywhere. */
const ASKING =
  words(`agreement agreements answer apply article attached clause clauses consider contain contains
  contract contracts describe described detail details discuss document documents exist exists explain file find
  highlight include included includes indicate indicates information know lawyer list look mean means mention
  mentioned mentions need page paragraph part parts passage please possible provide provided provides provision
  provisions quote read regarding related relating relevant review reviewed said say says section sections
  show specified specify state stated states summarise summarize tell term's text thing things type under want
  written`);

const LEANING =
  /\b(it|its|that|this|they|them|their|those|these|he|she|him|her|his|there|then|such|same|one|former|latter)\b|^(and|but|so|also|or|why|what about|how about)\b/i;

const FRONT_PAGE = [
  /\b(title|name|caption|heading)\s+of\s+(the|this)\b/i,
  /\bwho\s+(are|is|were|was)\s+(the\s+)?(\w+\s+)?(part(y|ies)|buyers?|sellers?|landlords?|tenants?|lessors?|lessees?|employers?|employees?|licensors?|licensees?|plaintiffs?|defendants?)\b/i,
  /\b(which|what|list|name)\b.{0,30}\bparties\b/i,
  /\bbetween\s+(whom|which|what)\b/i,
  /\b(agreement|contract|lease|document|effective|execution|signing|commencement)\s+date\b/i,
  /\bdate\s+of\s+(the|this)\b/i,
  /\bwhen\s+(was|is|were|did|does)\b.{0,60}\b(dated|signed|executed|made|entered|effective|take\s+effect|begin|start|commence|concluded)\b/i,
  /\bdocument\s+name\b/i,
];

/** Reads a question; one that points back takes the words along of the turn that it points at. */
export function readQuestion(question: string, history: readonly Turn[] = []): Reading {
  const { naming, asking } = splitNaming(question);
  const asked = weigh(contentWords(asking), 1);
  const before = turnsMeant(question, history);
  const weight = pointsBack(question) ? CARRIED : HARDLY_CARRIED;
  const own = new Set(asked.map((word) => word.text));
  const carried = weigh(
    before.flatMap((text) => contentWords(text)).filter((word) => !own.has(word)),
    weight,
  );
  // What was asked before says what this is about, but not what is wanted of it.
  const wanted = asked.length > 0 ? asking : [...before, asking].join('\n');
  return {
    asked: asked.length > 0 || carried.length > 0 ? asked : weigh(plainWords(asking), 1),
    naming: weigh(contentWords(naming), 1),
    carried,
    hints: weigh(hintsFor(wanted), HINT),
    names: [...new Set([...contentWords(naming), ...[asking, ...before].flatMap(capitalised)])],
    wantsFrontPage: FRONT_PAGE.some((pattern) => pattern.test(asking)),
  };
}

/** A question that points back, behind the questions that it points at; any other as it is. */
export function inContext(question: string, history: readonly Turn[] = []): string {
  return pointsBack(question) ? [...turnsMeant(question, history), question].join('\n') : question;
}

/** Whether a question can be understood without the turns before it. */
export function standsAlone(question: string): boolean {
  return !pointsBack(question) && contentWords(splitNaming(question).asking).length >= ENOUGH_WORDS;
}

/** 'When must it be returned?', 'And how much?' */
function pointsBack(question: string): boolean {
  const { asking } = splitNaming(question);
  const count = contentWords(asking).length;
  return count === 0 || (LEANING.test(asking) && count <= MOST_POINTING);
}

/** The questions that this one is understood by: back to the one that pointed at none before it. */
function turnsMeant(question: string, history: readonly Turn[]): string[] {
  if (standsAlone(question)) return [];
  const meant: string[] = [];
  for (const turn of history.slice(-TURNS_REMEMBERED).toReversed()) {
    meant.unshift(turn.question);
    if (!pointsBack(turn.question)) break;
  }
  return meant;
}

/** Words that carry meaning, as the question spells them, lower case. */
export function contentWords(text: string): string[] {
  return plainWords(text).filter((word) => !STOP.has(word) && !ASKING.has(word));
}

/** The first word of a sentence has its capital for another reason. */
function capitalised(text: string): string[] {
  const inside = text.replaceAll(/(^|[.?!:]\s)\s*\S+/g, ' ');
  return contentWords((inside.match(/\p{Lu}[\p{L}\p{N}&.'-]*/gu) ?? []).join(' '));
}

function plainWords(text: string): string[] {
  const found = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[’‘]/g, "'")
    .match(/[\p{L}\p{N}]+(?:[.,'&-][\p{L}\p{N}]+)*/gu);
  return [...new Set((found ?? []).map((word) => word.replace(/'s$/, '')))];
}

/** 'Consider the lease between A and B; may the tenant sublet?': what stands before the semicolon names the document. */
function splitNaming(question: string): { naming: string; asking: string } {
  const cut = question.indexOf(';');
  const asking = question.slice(cut + 1);
  if (cut === -1 || contentWords(asking).length === 0) return { naming: '', asking: question };
  return { naming: question.slice(0, cut), asking };
}

function weigh(texts: string[], weight: number): Word[] {
  return [...new Set(texts)].map((text) => ({ text, weight }));
}
