// The meaning of a template: its tags against the closed list of fields, and what is wrong with them.

import type { Inspection } from './assemble.ts';
import {
  type Field,
  findField,
  type ResolvedField,
  nearest,
  type Scope,
  suggestPath,
} from './fields.ts';
import { type Filter, quote, type Tag } from './grammar.ts';
import { openPackage, type WordPackage } from './package.ts';
import { type Mark, readStory, type Story } from './story.ts';

/** A tag that is understood; a closing one names its opener. */
export type Node =
  | { type: 'field'; found: ResolvedField; filters: Filter[]; mark: Mark; at: number }
  | { type: 'ask'; question: string; filters: Filter[]; mark: Mark; at: number }
  | {
      type: 'open';
      found: ResolvedField;
      equals: string | null;
      isEmpty: boolean;
      mark: Mark;
      at: number;
    }
  | { type: 'close'; opener: number };
type Opener = Extract<Node, { type: 'open' }>;

export type Template = {
  file: WordPackage;
  stories: Story[];
  nodes: Map<Mark, Node>;
  inspection: Inspection;
};

/** Problems of a file that are named. */
const MAX_PROBLEMS = 100;
const MAX_DEPTH = 8;

/** @throws Unreadable */
export async function readTemplate(bytes: Buffer, catalog: readonly Field[]): Promise<Template> {
  const file = await openPackage(bytes);
  const stories: Story[] = [];
  let tags = 0;
  for (const part of file.stories) {
    const story = readStory(part, tags);
    tags += story.marks.length;
    stories.push(story);
  }
  const reader = new TagReader(catalog);
  for (const story of stories) reader.read(story);
  return { file, stories, nodes: reader.nodes, inspection: reader.inspect() };
}

/** Whether a list's items are what the tag repeats, or only whether there are any. */
export function isLoop({ found, equals, isEmpty }: Opener): boolean {
  return found.field.kind === 'list' && !found.isItem && equals === null && !isEmpty;
}

class TagReader {
  readonly nodes = new Map<Mark, Node>();
  readonly #catalog: readonly Field[];
  readonly #problems: { mark: Mark; message: string }[] = [];
  /** Places of marks in the document. */
  readonly #places = new Map<Mark, number>();
  readonly #fields = new Set<string>();
  readonly #questions = new Set<string>();
  #usesLists = false;
  /** Null for an opener that was not understood. */
  #open: { mark: Mark; node: Opener | null }[] = [];

  constructor(catalog: readonly Field[]) {
    this.#catalog = catalog;
  }

  read({ marks }: Story): void {
    this.#open = [];
    for (const mark of marks) {
      this.#places.set(mark, this.#places.size);
      this.#take(mark);
    }
    for (const { mark } of this.#open)
      this.#complain(mark, `${quote(mark.source)} is not closed. Add {{/}} after it.`);
  }

  inspect(): Inspection {
    return {
      fields: [...this.#fields],
      questions: [...this.#questions],
      usesLists: this.#usesLists,
      // A beginning without an end is found last, and is often what else goes wrong.
      problems: this.#problems
        .toSorted((a, b) => this.#placeOf(a.mark) - this.#placeOf(b.mark))
        .slice(0, MAX_PROBLEMS)
        .map(({ mark: { place }, message }) => ({ place, message })),
    };
  }

  /** Word keeps some text twice, whose problems are named once. */
  #complain(mark: Mark, message: string): void {
    if (!mark.isCopy) this.#problems.push({ mark, message });
  }

  #placeOf(mark: Mark): number {
    return this.#places.get(mark) ?? 0;
  }

  get #scopes(): Scope[] {
    return this.#open.map(({ node }) => (node && isLoop(node) ? node.found : null));
  }

  #take(mark: Mark): void {
    const { tag } = mark;
    if (typeof tag === 'string') {
      this.#complain(mark, tag);
      // So that its end closes nothing else.
      if (/^\s*[#^]/.test(mark.source)) this.#open.push({ mark, node: null });
      return;
    }
    const isLoopTag = tag.type === 'open' || tag.type === 'close';
    if (isLoopTag && mark.paragraph.isOfTags && mark.paragraph.isSection)
      this.#complain(
        mark,
        `${quote(mark.source)} is alone in a paragraph that ends a section. Move it to another.`,
      );
    switch (tag.type) {
      case 'close':
        return this.#close(mark);
      case 'open':
        return this.#begin(mark, tag);
      case 'ask':
        this.#questions.add(tag.question);
        return this.#ask(mark, tag);
      case 'field':
        return this.#name(mark, tag);
    }
  }

  #ask(mark: Mark, { question, filters }: Extract<Tag, { type: 'ask' }>): void {
    const wrong = filters.find((filter) => !OF_QUESTIONS.has(filter));
    if (wrong) this.#complain(mark, `${quote(mark.source)}: ${wrong} does not fit a question.`);
    const at = this.nodes.size;
    this.nodes.set(mark, { type: 'ask', question, filters, mark, at });
  }

  #find(mark: Mark, path: string): ResolvedField | undefined {
    const found = findField(this.#catalog, this.#scopes, path);
    if (found) {
      this.#fields.add(found.path);
      if (found.field.kind === 'list') this.#usesLists = true;
      return found;
    }
    const meant = suggestPath(this.#catalog, this.#scopes, path);
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    this.#complain(mark, `${quote(mark.source)} is not a field.${hint}`);
    return undefined;
  }

  #begin(mark: Mark, { path, equals, isEmpty }: Extract<Tag, { type: 'open' }>): void {
    const found = this.#find(mark, path);
    const at = this.nodes.size;
    const node: Opener | null = found ? { type: 'open', found, equals, isEmpty, mark, at } : null;
    if (node) this.nodes.set(mark, node);
    if (found && equals !== null) this.#compare(mark, found, equals);
    this.#open.push({ mark, node });
    if (this.#open.length > MAX_DEPTH)
      this.#complain(mark, `${quote(mark.source)} is more than ${MAX_DEPTH} levels deep.`);
  }

  #compare(mark: Mark, { field, isItem }: ResolvedField, equals: string): void {
    const { kind, choices = [] } = field;
    if (kind === 'list' && !isItem)
      return this.#complain(mark, `${quote(mark.source)} compares a list. Repeat it instead.`);
    if (kind !== 'choice' || choices.includes(equals)) return;
    const meant = nearest(equals, choices);
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    this.#complain(
      mark,
      `${quote(mark.source)}: ${field.path} is one of ${choices.join(', ')}.${hint}`,
    );
  }

  #close(mark: Mark): void {
    const opener = this.#open.pop();
    if (!opener)
      return this.#complain(
        mark,
        `${quote(mark.source)} closes nothing. Remove it, or add its beginning.`,
      );
    const { node } = opener;
    if (!node) return;
    this.nodes.set(mark, { type: 'close', opener: node.at });
    if (rowOf(mark) !== rowOf(opener.mark))
      this.#complain(
        opener.mark,
        `${quote(opener.mark.source)} ends in another row of the table. Begin and end it in one row.`,
      );
    else if (isTorn(opener.mark, mark))
      this.#complain(
        opener.mark,
        `${quote(opener.mark.source)} ends outside of the link, the change or the control that it begins in.`,
      );
    else if (boxOf(mark) !== boxOf(opener.mark))
      this.#complain(
        opener.mark,
        `${quote(opener.mark.source)} ends in another part of the page. Begin and end it in one text.`,
      );
  }

  #name(mark: Mark, { path, filters }: Extract<Tag, { type: 'field' }>): void {
    const found = this.#find(mark, path);
    if (!found) return;
    const problem = problemOf(mark, found, filters);
    if (problem) this.#complain(mark, problem);
    this.nodes.set(mark, { type: 'field', found, filters, mark, at: this.nodes.size });
  }
}

const OF_QUESTIONS = new Set<Filter>(['upper', 'title', 'lines']);
const FITTING: Record<Field['kind'], ReadonlySet<Filter>> = {
  text: new Set(['upper', 'title', 'lines']),
  lines: new Set(['upper', 'title', 'lines']),
  choice: new Set(['upper', 'title']),
  date: new Set(['long', 'short', 'iso', 'upper']),
  phone: new Set(['phone']),
  number: new Set(),
  list: new Set(['list', 'lines', 'upper', 'title']),
};

function problemOf(
  mark: Mark,
  { field, isItem }: ResolvedField,
  filters: Filter[],
): string | undefined {
  const kind = isItem ? 'text' : field.kind;
  const wrong = filters.find((filter) => !FITTING[kind].has(filter));
  if (wrong) return `${quote(mark.source)}: ${wrong} does not fit this field.`;
  if (isItem && field.items) return `${quote(mark.source)} is a list. Name one of its fields.`;
  const isJoined = filters.some((filter) => filter === 'list' || filter === 'lines');
  if (kind === 'list' && !isJoined)
    return `${quote(mark.source)} is a list. Add | list, or repeat it with {{#${field.path}}} … {{/}}.`;
  return undefined;
}

/** The innermost row of a table that a tag is in. */
function rowOf({ paragraph }: Mark) {
  return paragraph.ancestors.findLast(({ name }) => name === 'w:tr');
}

/** The text box, footnote or other text of its own that a tag is in. */
function boxOf({ paragraph }: Mark) {
  return paragraph.ancestors.findLast(({ name }) =>
    ['w:txbxContent', 'w:footnote', 'w:endnote'].includes(name),
  );
}

/** Links and content controls, which a loop may not begin in and end out of; changes are tracked around runs. */
const WHOLE = new Set(['w:hyperlink', 'w:sdt', 'w:ins', 'w:moveTo', 'w:fldSimple']);

/** Whether what is between two tags would open or close an element of the text alone. */
function isTorn(from: Mark, to: Mark): boolean {
  const [outer, inner] = [from, to].map(({ paragraph, run }) =>
    [...paragraph.ancestors, ...run.wrappers].filter(({ name }) => WHOLE.has(name)),
  );
  return (
    outer?.length !== inner?.length || outer?.some((token, at) => token !== inner?.[at]) === true
  );
}
