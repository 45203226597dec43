// Opens a stranger's .docx: unpacked within bounds, and refused with whatever could act by itself.

import { on } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { fromBuffer, type Entry, type Options, type ZipFile } from 'yauzl';
import { reasons, UnreadableDocument } from '../documents/messages.ts';
import { refuseBombs } from '../documents/zip-guard.ts';
import {
  attributeOf,
  attributesOf,
  broken,
  decodeXml,
  localName,
  tokenize,
  type Token,
  WHAT,
} from './markup.ts';

/** Unpacked size limit, in bytes. */
export const MAX_UNPACKED_BYTES = 50 * 1024 * 1024;

export type WordPart = {
  name: string;
  /** 'main', or the kind of the relationship: 'header', 'footer', 'footnotes', 'endnotes'. */
  kind: StoryKind;
  xml: string;
};

/** Parts whose text a template may fill, in the order in which problems are reported. */
const STORY_KINDS = ['header', 'main', 'footnotes', 'endnotes', 'footer'] as const;
export type StoryKind = (typeof STORY_KINDS)[number];

export type WordPackage = {
  /** Every file of the package. */
  files: ReadonlyMap<string, Buffer>;
  stories: WordPart[];
  /** Parts beside the main one, by the kind of their relationship. */
  styles: string | undefined;
  numbering: string | undefined;
  /** Relationships of the main part, by their ids. */
  targets: ReadonlyMap<string, string>;
};

/** @throws Unreadable with the sentence for the user */
export async function openPackage(bytes: Buffer): Promise<WordPackage> {
  const head = bytes.subarray(0, 8).toString('latin1');
  // Word stores encrypted documents in the container of legacy Office files.
  if (head.startsWith('\xd0\xcf\x11\xe0')) throw new UnreadableDocument(reasons.encrypted);
  if (bytes.length === 0) throw new UnreadableDocument(reasons.empty);
  await refuseBombs(bytes, WHAT, MAX_UNPACKED_BYTES);
  const files = await unpack(bytes);
  const types = readTypes(files);
  refuseKinds(files, types);
  for (const name of files.keys())
    if (isXml(name, types)) refuseActs(tokenize(textOf(files, name)));
  return readPackage(files);
}

/** Verifies each size while unpacking, since a directory may lie. */
async function unpack(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const names = new Set<string>();
  try {
    const zip = await open(bytes, { lazyEntries: true, validateEntrySizes: true });
    for await (const entry of entriesOf(zip)) {
      const { fileName } = entry;
      if (fileName.endsWith('/')) continue;
      // Two parts of one name: another program may read the one that was not checked.
      if (names.has(fileName.toLowerCase())) throw broken();
      names.add(fileName.toLowerCase());
      files.set(fileName, await buffer(await openEntry(zip, entry)));
    }
  } catch {
    throw broken();
  }
  return files;
}

const open = promisify<Buffer, Options, ZipFile>(fromBuffer);

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  const entries = on(zip, 'entry', { close: ['end'] });
  zip.readEntry();
  for await (const [entry] of entries as AsyncIterable<[Entry]>) {
    yield entry;
    zip.readEntry();
  }
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return promisify<Entry, Readable>(zip.openReadStream.bind(zip))(entry);
}

/** @throws Unreadable for another encoding, and for entities, which Word never writes */
function textOf(files: ReadonlyMap<string, Buffer>, name: string): string {
  const bytes = files.get(name);
  if (!bytes) throw broken();
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw broken();
  }
  if (/^<\?xml[^>]*encoding\s*=\s*["'](?!utf-8|us-ascii)/i.test(text)) throw broken();
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw new UnreadableDocument(
      'The file has a document type (DOCTYPE), which Word never writes. Save it again in Word.',
    );
  return text;
}

type Types = { byName: Map<string, string>; byEnding: Map<string, string> };

function readTypes(files: ReadonlyMap<string, Buffer>): Types {
  const types: Types = { byName: new Map(), byEnding: new Map() };
  for (const token of tokenize(textOf(files, '[Content_Types].xml'))) {
    const type = attributeOf(token, 'ContentType') ?? '';
    const name = attributeOf(token, 'PartName');
    const ending = attributeOf(token, 'Extension');
    if (name) types.byName.set(name.toLowerCase(), type.toLowerCase());
    if (ending) types.byEnding.set(ending.toLowerCase(), type.toLowerCase());
  }
  return types;
}

function typeOf(name: string, { byName, byEnding }: Types): string {
  const lower = name.toLowerCase();
  return byName.get(`/${lower}`) ?? byEnding.get(lower.slice(lower.lastIndexOf('.') + 1)) ?? '';
}

function isXml(name: string, types: Types): boolean {
  return /\.(?:xml|rels|vml)$/i.test(name) || /\bxml$/.test(typeOf(name, types));
}

const sentences = {
  macros: 'The file has macros. Save it as a .docx without macros.',
  template: 'The file is a Word template (.dotx). Save it as a .docx.',
  object:
    'The file has an embedded file or object (OLE). Remove it, or paste it as a picture instead.',
  control: 'The file has ActiveX controls. Remove them, or use content controls instead.',
  chunk: 'The file includes another document (altChunk). Copy its text into this one.',
  attached:
    'The file is attached to a template of its own. In Word, set the document template to Normal, and save it again.',
  picture: 'The file has a linked picture. Insert the picture itself.',
  computed: 'The file has a field whose name another field makes up. Remove the field.',
  outside: (what: string) => `The file uses something outside of itself: ${what}. Remove it.`,
  link: (target: string) =>
    `The file has a link to ${shorten(target)}. Links can lead to web pages (http, https) and email addresses only.`,
} as const;

function shorten(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069\s]+/gu, ' ').trim();
  return clean.length > 80 ? `${clean.slice(0, 80).toWellFormed()}…` : clean;
}

/** Names and content types that are always refused. */
const KINDS: [type: RegExp, name: RegExp, sentence: string][] = [
  [
    /macroenabled|vbaproject|vbadata|keymapcustomizations/,
    /vba(?:project|data)\b/,
    sentences.macros,
  ],
  [/wordprocessingml\.template/, /\.dot[xm]$/, sentences.template],
  [/activex/, /(?:^|\/)activex\//, sentences.control],
  [/oleobject|\.package$/, /(?:^|\/)embeddings\//, sentences.object],
  [
    /^(?:text\/html|message\/rfc822|application\/(?:rtf|xhtml\+xml))/,
    /(?:^|\/)afchunk/,
    sentences.chunk,
  ],
];

function refuseKinds(files: ReadonlyMap<string, Buffer>, types: Types): void {
  const declared = [...types.byName.values(), ...types.byEnding.values()];
  const names = [...files.keys()].map((name) => name.toLowerCase());
  for (const [type, name, sentence] of KINDS)
    if (declared.some((one) => type.test(one)) || names.some((one) => name.test(one)))
      throw new UnreadableDocument(sentence);
}

/** Fields that read other files, or run other programs. */
const FIELDS: Record<string, string> = {
  DDE: 'runs another program',
  DDEAUTO: 'runs another program',
  INCLUDETEXT: 'reads another file',
  INCLUDEPICTURE: 'reads another file',
  INCLUDE: 'reads another file',
  IMPORT: 'reads another file',
  LINK: 'reads another file',
  RD: 'reads another file',
  DATABASE: 'reads a database',
  EMBED: 'embeds an object',
  MACROBUTTON: 'runs a macro',
};

const REFUSED_ELEMENTS: Record<string, string> = {
  altChunk: sentences.chunk,
  OLEObject: sentences.object,
  objectEmbed: sentences.object,
  objectLink: sentences.object,
  control: sentences.control,
  ocx: sentences.control,
  subDoc: sentences.outside('a subdocument'),
};

/** Refuses elements, relationships and fields that act when a document is opened. */
function refuseActs(tokens: readonly Token[]): void {
  const fields = new FieldReader();
  for (const token of tokens) {
    fields.read(token);
    if (token.type !== 'open' && token.type !== 'empty') continue;
    const local = localName(token.name);
    const sentence = Object.hasOwn(REFUSED_ELEMENTS, local) ? REFUSED_ELEMENTS[local] : undefined;
    // Compatibility settings and forms have elements of these names, too.
    if (
      sentence &&
      (local !== 'control' || token.raw.includes('shapeid') || token.raw.includes('r:id'))
    )
      throw new UnreadableDocument(sentence);
    if (local === 'Relationship') refuseTarget(token);
    if (isOutside(attributeOf(token, 'src'))) throw new UnreadableDocument(sentences.picture);
  }
  fields.end();
}

/** An address, or a path of another computer or drive. */
function isOutside(target: string | undefined): boolean {
  return target !== undefined && /^\s*(?:[a-z][a-z\d+.-]*:|\\|\/\/)/i.test(target);
}

function isLink(target: string): boolean {
  return /^(?:https?|mailto):/i.test(target);
}

function refuseTarget(token: Token): void {
  const target = (attributeOf(token, 'Target') ?? '').trim();
  const isExternal = attributeOf(token, 'TargetMode')?.toLowerCase() === 'external';
  const kind = (attributeOf(token, 'Type') ?? '').replace(/^.*\//s, '');
  if (/^(?:oleObject|package)$/i.test(kind)) throw new UnreadableDocument(sentences.object);
  if (/^aFChunk$/i.test(kind)) throw new UnreadableDocument(sentences.chunk);
  if (/vbaProject$|keyMapCustomizations$/i.test(kind))
    throw new UnreadableDocument(sentences.macros);
  if (/^control$|^activeX/i.test(kind)) throw new UnreadableDocument(sentences.control);
  if (!isExternal && !isOutside(target)) return;
  if (/^attachedTemplate$/i.test(kind)) throw new UnreadableDocument(sentences.attached);
  if (/^image$/i.test(kind)) throw new UnreadableDocument(sentences.picture);
  if (!/^hyperlink$/i.test(kind)) throw new UnreadableDocument(sentences.outside(shorten(kind)));
  if (!isLink(target)) throw new UnreadableDocument(sentences.link(target));
}

type OpenField = { code: string; isResult: boolean };

/** Joins the pieces of field codes, which Word splits and nests. */
class FieldReader {
  readonly #open: OpenField[] = [];
  #inText: 'code' | 'result' | undefined;
  /** The code of runs that were deleted counts, since deleting can be undone. */
  read(token: Token): void {
    const local = localName(token.name);
    if (token.type === 'text') return this.#readText(token.raw);
    if (local === 'fldSimple' && token.type !== 'close')
      refuseField(attributeOf(token, 'w:instr') ?? anyInstruction(token));
    if (local === 'fldChar' && token.type !== 'close') this.#readSign(token);
    if (local === 'instrText' || local === 'delInstrText')
      this.#inText = token.type === 'open' ? 'code' : undefined;
    if (local === 't' || local === 'delText')
      this.#inText = token.type === 'open' ? 'result' : undefined;
    if (local === 'p' && token.type === 'close') this.#add(' ');
  }

  /** Refuses fields that never end, which Word repairs or runs. */
  end(): void {
    for (const { code } of this.#open) refuseField(code);
  }

  #readSign(token: Token): void {
    const type = attributesOf(token.raw).find(([name]) => localName(name) === 'fldCharType')?.[1];
    const last = this.#open.at(-1);
    if (type === 'begin') {
      if (last && !last.isResult && /^[\s"\\]*[a-z]*$/i.test(last.code))
        throw new UnreadableDocument(sentences.computed);
      this.#open.push({ code: '', isResult: false });
    }
    if (type === 'separate' && last) last.isResult = true;
    if (type === 'end') {
      this.#open.pop();
      if (last) refuseField(last.code);
    }
  }

  #readText(raw: string): void {
    const last = this.#open.at(-1);
    const text = decodeXml(raw);
    if (this.#inText === 'code') {
      if (last) last.code += text;
      else refuseField(text);
    }
    // The result of a field within a code is a piece of that code.
    if (this.#inText === 'result') this.#add(text);
  }

  #add(text: string): void {
    const last = this.#open.findLast((field) => !field.isResult);
    if (last) last.code += text;
  }
}

function anyInstruction({ raw }: Token): string {
  return attributesOf(raw).find(([name]) => localName(name) === 'instr')?.[1] ?? '';
}

function refuseField(code: string): void {
  const text = code.replace(/^[\s"\\{]+/, '');
  const name = /^[a-z]{0,40}/i.exec(text)?.[0] ?? '';
  const rest = text.slice(name.length);
  const keyword = name.toUpperCase();
  const act = Object.hasOwn(FIELDS, keyword) ? FIELDS[keyword] : undefined;
  if (act)
    throw new UnreadableDocument(
      `The file has a field ${keyword}, which ${act}. Remove the field.`,
    );
  if (keyword !== 'HYPERLINK') return;
  const target = /^\s*(?:"([^"]*)"|([^\s\\][^\s]*))/.exec(rest);
  const address = (target?.[1] ?? target?.[2] ?? '').trim();
  if (address !== '' && !isLink(address)) throw new UnreadableDocument(sentences.link(address));
}

function readPackage(files: ReadonlyMap<string, Buffer>): WordPackage {
  const root = relationsOf(files, '');
  const main = root.find(({ kind }) => kind === 'officeDocument')?.target;
  if (!main) throw broken();
  const relations = relationsOf(files, main);
  const named = (wanted: string) => relations.filter(({ kind }) => kind === wanted);
  const textOfFirst = (wanted: string) => {
    const target = named(wanted)[0]?.target;
    return target && files.has(target) ? textOf(files, target) : undefined;
  };
  const stories = STORY_KINDS.flatMap((kind): WordPart[] => {
    const names = kind === 'main' ? [main] : named(kind).map(({ target }) => target);
    return [...new Set(names)].map((name) => ({ name, kind, xml: textOf(files, name) }));
  });
  if (!/<w:(?:document|body)[\s>]/.test(textOf(files, main))) throw broken();
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  return {
    files,
    stories,
    styles: textOfFirst('styles'),
    numbering: textOfFirst('numbering'),
    targets,
  };
}

type Relation = { id: string; kind: string; target: string };

/** Relationships of a part, with their targets as names of files; '' for the package. */
function relationsOf(files: ReadonlyMap<string, Buffer>, part: string): Relation[] {
  const folder = path.posix.dirname(part);
  const name = path.posix.join(folder, '_rels', `${path.posix.basename(part)}.rels`);
  if (!files.has(name)) return [];
  return tokenize(textOf(files, name))
    .filter((token) => localName(token.name) === 'Relationship')
    .filter((token) => attributeOf(token, 'TargetMode')?.toLowerCase() !== 'external')
    .map((token) => {
      const target = attributeOf(token, 'Target') ?? '';
      const resolved = target.startsWith('/') ? target.slice(1) : path.posix.join(folder, target);
      const kind = (attributeOf(token, 'Type') ?? '').replace(/^.*\//s, '');
      return { id: attributeOf(token, 'Id') ?? '', kind, target: resolved };
    });
}
