// Fills a template that was understood, by docxtemplater, which only ever meets numbers of our own tags.

import Docxtemplater from 'docxtemplater';
import PizZip from 'pizzip';
import type { Gap } from './assemble.ts';
import { type Data, type ResolvedField, type Value, isBlank, print } from './fields.ts';
import { escapeXml, type Token, tokenize } from './markup.ts';
import { MAX_UNPACKED_BYTES } from './package.ts';
import type { Mark, Story } from './story.ts';
import { isLoop, type Node, type Template } from './template.ts';

/** A run's output is larger than a document may be. */
export class TooLarge extends Error {}

/** No letter is of private use, and values are stripped of them. */
const [OPEN, CLOSE] = ['\uE010', '\uE011'];
const [BLANK, BLANK_END] = ['\uE012', '\uE013'];
const MAX_PARAGRAPHS = 200_000;
/** Values that a run prints, and items that it repeats. */
const MAX_STEPS = 100_000;

export type FilledParts = {
  gaps: Gap[];
  /** The parts whose text was filled, by their names. */
  parts: Map<string, string>;
};

/** The place in which a value is looked up: the matter, or an item of a list that is repeated. */
type Frame = { depth: number; item: Data | string; parent: Frame | null };

/** @throws TooLarge */
export function fill(
  template: Template,
  data: Data,
  answers: Readonly<Record<string, string>>,
): FilledParts {
  const printer = new Printer(template, answers);
  const root: Frame = { depth: 0, item: data, parent: null };
  const parts = new Map<string, string>();
  let paragraphs = 0;
  let bytes = 0;
  for (const story of template.stories) {
    if (story.marks.length === 0) continue;
    const xml = printer.render(numbered(story, template.nodes), root);
    paragraphs += xml.split('<w:p>').length + xml.split('<w:p ').length;
    bytes += Buffer.byteLength(xml);
    if (paragraphs > MAX_PARAGRAPHS || bytes > MAX_UNPACKED_BYTES) throw new TooLarge();
    parts.set(story.part.name, xml);
  }
  return { gaps: printer.gaps(), parts };
}

/** The whole file, with the blanks in yellow. */
export function toFile({ file }: Template, { parts }: FilledParts): Buffer {
  const zip = new PizZip();
  for (const [name, bytes] of file.files) {
    const xml = parts.get(name);
    zip.file(name, xml === undefined ? bytes : highlighted(xml), { createFolders: false });
  }
  return zip.generate({ type: 'nodebuffer', compression: 'DEFLATE' });
}

/** The part with each tag as a number in one piece. */
function numbered({ tokens, split }: Story, nodes: ReadonlyMap<Mark, Node>): string {
  const isLoopTag = (mark: Mark) => ['open', 'close'].includes(nodes.get(mark)?.type ?? '');
  const write = (mark: Mark) => {
    const node = nodes.get(mark);
    if (!node) return '';
    if (node.type === 'field' || node.type === 'ask') return `${OPEN}${node.at}${CLOSE}`;
    const sign = node.type === 'open' ? `#${node.at}` : `/${node.opener}`;
    return apart(`${OPEN}${sign}${CLOSE}`, mark, isLoopTag);
  };
  return tokens
    .map((token, at) => {
      const next = tokens[at + 1];
      // Blanks around a tag would be dropped with it.
      if (token.name === 'w:t' && token.type === 'open' && next && split.has(next))
        return '<w:t xml:space="preserve">';
      const pieces = split.get(token);
      if (!pieces) return cleaned(token);
      return pieces
        .map((piece) => (typeof piece === 'string' ? escapeXml(withoutMarks(piece)) : write(piece)))
        .join('');
    })
    .join('');
}

/** A loop's tag in a run of its own, so that whole runs are repeated; among such tags alone, in a paragraph of its own. */
function apart(sign: string, mark: Mark, isLoopTag: (mark: Mark) => boolean): string {
  const { run, paragraph } = mark;
  const { marks, isOfTags } = paragraph;
  const begin = `<w:r>${run.look}<w:t xml:space="preserve">`;
  if (!isOfTags || !marks.every(isLoopTag))
    return `</w:t></w:r>${begin}${sign}</w:t></w:r>${begin}`;
  const isFirst = marks[0] === mark || run.wrappers.length > 0;
  return isFirst ? sign : `</w:t></w:r></w:p><w:p>${begin}${sign}`;
}

function cleaned({ type, raw }: Token): string {
  return type === 'text' ? withoutMarks(raw) : raw;
}

function withoutMarks(text: string): string {
  return text.replaceAll(/[\uE010-\uE013]/g, '');
}

const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const TYPES = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${MAIN}"/></Types>`;
const PART = 'word/document.xml';

class Printer {
  readonly #nodes: Node[] = [];
  readonly #answers: Readonly<Record<string, string>>;
  readonly #gaps = new Map<string, Gap>();
  #steps = 0;

  constructor({ nodes }: Template, answers: Readonly<Record<string, string>>) {
    for (const node of nodes.values()) if (node.type !== 'close') this.#nodes[node.at] = node;
    this.#answers = answers;
  }

  gaps(): Gap[] {
    return [...this.#gaps.values()];
  }

  render(xml: string, root: Frame): string {
    const zip = new PizZip();
    zip.file('[Content_Types].xml', TYPES);
    zip.file(PART, xml);
    const document = new Docxtemplater(zip, {
      paragraphLoop: true,
      linebreaks: true,
      errorLogging: false,
      delimiters: { start: OPEN, end: CLOSE },
      nullGetter: () => '',
      parser: (tag) => ({ get: (frame: Frame) => this.#answer(Number(tag), frame) }),
    });
    try {
      document.render(root);
    } catch (error) {
      throw isTooLarge(error) ? new TooLarge() : error;
    }
    return document.getZip().file(PART)?.asText() ?? '';
  }

  #answer(at: number, frame: Frame): string | boolean | Frame[] {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) throw new TooLarge();
    const node = this.#nodes[at];
    switch (node?.type) {
      case 'open':
        return this.#open(node, frame);
      case 'field':
        return this.#field(node, frame);
      case 'ask':
        return this.#ask(node);
      case 'close':
      case undefined:
        return '';
    }
  }

  #open(node: Extract<Node, { type: 'open' }>, frame: Frame): boolean | Frame[] {
    const value = this.#valueOf(node.found, frame);
    if (isLoop(node)) {
      const items = (Array.isArray(value) ? value : []) as readonly (Data | string)[];
      this.#steps += items.length;
      return items.map((item) => ({ depth: frame.depth + 1, item, parent: frame }));
    }
    if (node.isEmpty) return isBlank(value);
    if (node.equals === null) return !isBlank(value);
    return !isBlank(value) && print(value, 'text', []).trim() === node.equals;
  }

  #field({ found, filters, mark }: Extract<Node, { type: 'field' }>, frame: Frame): string {
    const value = this.#valueOf(found, frame);
    const kind = found.isItem ? 'text' : found.field.kind;
    if (!isBlank(value)) return print(value, kind, filters);
    return this.#blank({ path: found.path, label: found.label, isQuestion: false }, mark);
  }

  #ask({ question, filters, mark }: Extract<Node, { type: 'ask' }>): string {
    const answer = this.#answerTo(question);
    if (!isBlank(answer)) return print(answer, 'lines', filters);
    return this.#blank({ path: question, label: question, isQuestion: true }, mark);
  }

  #answerTo(name: string): Value {
    return Object.hasOwn(this.#answers, name) ? (this.#answers[name] ?? null) : null;
  }

  /** An empty field has what was answered for it. */
  #valueOf(found: ResolvedField, frame: Frame): Value {
    const value = lookUp(found, frame);
    return isBlank(value) ? this.#answerTo(found.path) : value;
  }

  #blank(of: Pick<Gap, 'path' | 'label' | 'isQuestion'>, { place, isCopy }: Mark): string {
    const gap = this.#gaps.get(of.path) ?? { ...of, places: [], count: 0 };
    this.#gaps.set(of.path, gap);
    if (!isCopy) gap.count += 1;
    if (!gap.places.includes(place)) gap.places.push(place);
    return `${BLANK}[${of.label}]${BLANK_END}`;
  }
}

/** Members of the data's own, never of its prototype. */
function lookUp({ field, depth, isItem }: ResolvedField, frame: Frame): Value {
  let at: Frame | null = frame;
  while (at && at.depth > depth) at = at.parent;
  if (!at) return null;
  if (isItem) return at.item;
  let value: Value = at.item;
  for (const name of field.path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Data)[name] ?? null;
  }
  return value;
}

function isTooLarge(error: unknown): boolean {
  if (error instanceof TooLarge) return true;
  const { properties } = error as { properties?: { errors?: unknown[]; rootError?: unknown } };
  return (
    properties?.rootError instanceof TooLarge ||
    (properties?.errors ?? []).some((one) => isTooLarge(one))
  );
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const LOOK_END = '</w:rPr>';

/** Runs with a blank in them are divided, so that the blank alone is yellow; it keeps the run's other looks. */
function highlighted(xml: string): string {
  if (!xml.includes(BLANK)) return HEAD + xml;
  const out: string[] = [];
  let look = '';
  // The formatting of a tracked change is nested in that of its run.
  let depth = 0;
  let isText = false;
  for (const token of tokenize(xml)) {
    const { name, type, raw } = token;
    if (name === 'w:r' && type === 'open') look = '';
    if (name === 'w:rPr' && type === 'open') depth += 1;
    if (depth > 0 && name !== 'w:highlight') look += raw;
    if (name === 'w:rPr' && type === 'close') depth -= 1;
    if (name === 'w:t') isText = type === 'open';
    out.push(isText && type === 'text' ? divided(raw, look) : raw);
  }
  return HEAD + out.join('');
}

/** Elements that follow a highlight in the order of the schema. */
const AFTER =
  /<w:(?:u|effect|bdr|shd|fitText|vertAlign|rtl|cs|em|lang|eastAsianLayout|specVanish|oMath|rPrChange)[\s/>]/;

function withHighlight(look: string): string {
  const at = look.search(AFTER);
  const place = at === -1 ? look.length - LOOK_END.length : at;
  return `${look.slice(0, place)}<w:highlight w:val="yellow"/>${look.slice(place)}`;
}

function divided(text: string, look: string): string {
  if (!text.includes(BLANK)) return text;
  const own = look === '' ? `<w:rPr>${LOOK_END}` : look;
  const marked = withHighlight(own);
  const begin = (of: string) => `</w:t></w:r><w:r>${of}<w:t xml:space="preserve">`;
  return text.replaceAll(BLANK, begin(marked)).replaceAll(BLANK_END, begin(look));
}

/** Signs around the text of a blank. */
export const blanks = { begin: BLANK, end: BLANK_END };
