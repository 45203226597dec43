import { parseSync, Visitor, type Comment } from 'oxc-parser';
import { isCode, type Finding, type SourceFile } from './source-file.ts';

type Word = { pattern: RegExp; better: string };

// A piece of English in a file: a name split into its words, or a text as written.
type Passage = { text: string; offset: number };

// This check and its test name the words that they refuse.
const itself = /^tools\/checks\/words(\.test)?\.ts$/;

/** Words of names. A name is matched as its words in lower case: `lastSeen` is "last seen". */
const inNames: Word[] = [
  word('tell|tells|told|telling', 'emit, broadcast, report, map or notify'),
  word('hear|hears|heard', 'receive, listen or subscribe'),
  word('turnstile', 'limit, pool or queue'),
  word('veil|veils|veiled', 'filter'),
  word('doubt|doubts|doubted|doubtful', 'stale, retry, refresh or invalidate'),
  word('somebody|nobody|whoever', 'someone, a user, the caller or the client'),
  word('afresh', 'again, refetch or refresh'),
  word('hang up|hangs up|hung up', 'disconnect'),
  {
    // A task of the wire is due `late`.
    pattern: /^(?:(?:is|was) )?(?:gone|came)$|^(?:is|was) late$/,
    better: 'deleted, ended, overdue or received',
  },
];

/** British spellings, in names and texts alike, but for the wire's `organisation`. */
const british: Word[] = [
  word(
    '(?!organisation\\b)(?:recogni|normali|organi|minimi|maximi|summari)s(?:e|es|ed|ing|ation)',
    'the same with z',
  ),
  word('(?:label|travel)led', 'the same with one l'),
  word('(?:colour|behaviour|favour|licence|centre|catalogue|grey)s?', 'the American spelling'),
];

/** The wire's `cancelled` stays a name. */
const canceled = word('cancelled', 'canceled');

/** Words of comments, texts on the screen, messages and test titles. */
const inProse: Word[] = [
  // Not in the refusal that the contract words.
  word('somebody(?! must keep access)', 'someone, a user'),
  word('nobody', 'no one, no user'),
  word('whoever', 'anyone who, the user who, the caller'),
  word('one who', 'a user who, someone who'),
  word('afresh', 'again'),
  word('turnstile', 'limit, pool or queue'),
  word('veil|veils|veiled', 'filter'),
  word('(?:hang|hangs|hanging|hung) up', 'disconnect'),
  word('be had', 'available'),
  word('(?:is|are) not known here', '"Unknown field: color"'),
  word('(?:stand|stands|stood) here', 'appears here, is shown here'),
  word('will stand(?! here)', 'appears'),
  word('(?:tell|tells|told) the sockets', 'broadcasts'),
  word('hears? of', 'is notified of, receives'),
  word('word for word', 'verbatim'),
  word('what came of', 'the outcome of'),
  word('taken? apart', 'parsed'),
  word('(?:be|is|are|was|were|been) gone', 'deleted, removed, ended or expired'),
];

/** A comment opens with a noun or a verb; one that opens with these names its subject late, or not at all. */
const QUESTION = /^[*\s]*(Of|What|Who|Whom|By|Where|How)\b/;

/** Holds the paragraphs of documents to the same words as comments. */
export function checkDocumentWords(files: SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    // A table may name the words that are refused.
    const paragraphs = [...file.text.matchAll(/(?:[^\n]|\n(?!\n))+/g)].filter(
      ([text]) => !/^\n?\|/.test(text),
    );
    const prose = paragraphs.map((found) => ({ text: oneLine(found[0]), offset: found.index }));
    return toFindings(file, matches(prose, [...inProse, ...british, canceled]));
  });
}

/** Holds names, comments, texts and test titles to plain words; the table is in CONTRIBUTING.md. */
export function checkWords(files: SourceFile[]): Finding[] {
  return files.filter(({ path }) => isCode(path) && !itself.test(path)).flatMap(oddWords);
}

function oddWords(file: SourceFile): Finding[] {
  const { names, prose, comments } = passagesOf(file);
  const words = toFindings(file, [
    ...matches(names, [...inNames, ...british]),
    ...matches(prose, [...inProse, ...british, canceled]),
  ]);
  return [...words, ...questions(file, comments)];
}

function questions(file: SourceFile, comments: Comment[]): Finding[] {
  return comments.flatMap((comment, index) => {
    const found = QUESTION.exec(comment.value);
    if (found === null || continues(file, comment, comments[index - 1])) return [];
    const opening = `a comment opens with "${found[1]}": open with a noun or a verb`;
    return [{ path: lineAt(file, comment.start + found[0].length), message: opening }];
  });
}

/** Whether a `//` comment is a further line of the one above it. */
function continues(file: SourceFile, comment: Comment, previous: Comment | undefined): boolean {
  if (comment.type !== 'Line' || previous?.type !== 'Line') return false;
  return /^\r?\n[ \t]*$/.test(file.text.slice(previous.end, comment.start));
}

type Match = { offset: number; odd: string; better: string };

function toFindings(file: SourceFile, found: Match[]): Finding[] {
  return found.map(({ offset, odd, better }) => ({
    path: lineAt(file, offset),
    message: `"${odd}" is not a plain word here: say ${better}`,
  }));
}

function lineAt({ path, text }: SourceFile, offset: number): string {
  return `${path}:${text.slice(0, offset).split('\n').length}`;
}

function matches(passages: Passage[], words: Word[]): Match[] {
  return passages.flatMap(({ text, offset }) =>
    words.flatMap(({ pattern, better }) => {
      const found = pattern.exec(text);
      return found === null ? [] : [{ offset: offset + found.index, odd: found[0], better }];
    }),
  );
}

type Passages = { names: Passage[]; prose: Passage[]; comments: Comment[] };

function passagesOf(file: SourceFile): Passages {
  const { program, comments } = parseSync(file.path, file.text);
  const names = new Map<string, Passage>();
  const prose = comments.map(({ value, start }) => ({ text: oneLine(value), offset: start }));
  const name = ({ name: text, start }: { name: string; start: number }): void => {
    if (!names.has(text)) names.set(text, { text: asWords(text), offset: start });
  };
  const text = (value: string, offset: number): void => {
    if (/\s/.test(value)) prose.push({ text: oneLine(value), offset });
  };
  new Visitor({
    Identifier: name,
    JSXText: ({ value, start }) => text(value, start),
    Literal: ({ value, start }) => {
      if (typeof value === 'string') text(value, start);
    },
    TemplateElement: ({ value, start }) => text(value.cooked ?? '', start),
  }).visit(program);
  return { names: [...names.values()], prose, comments };
}

/** "Line breaks and comment stars" as one blank, so that a wrapped sentence is matched whole. */
function oneLine(text: string): string {
  return text.replaceAll(/\n\s*\*?\s*/g, ' ');
}

function asWords(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

function word(alternatives: string, better: string): Word {
  return { pattern: new RegExp(`\\b(?:${alternatives})\\b`, 'i'), better };
}
