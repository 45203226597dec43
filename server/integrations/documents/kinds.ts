import path from 'node:path';

/** How the bytes of a file are read. `other` are those that hold no text we can read. */
export const documentKinds = [
  'pdf',
  'image',
  'tiff',
  'word',
  'sheet',
  'html',
  'eml',
  'msg',
  'text',
  'other',
] as const;
export type DocumentKind = (typeof documentKinds)[number];

const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const OPEN = 'application/vnd.oasis.opendocument.';

const BY_TYPE: Record<string, DocumentKind> = {
  'application/pdf': 'pdf',
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/webp': 'image',
  'image/bmp': 'image',
  'image/tiff': 'tiff',
  [`${OFFICE}wordprocessingml.document`]: 'word',
  [`${OFFICE}wordprocessingml.template`]: 'word',
  [`${OPEN}text`]: 'word',
  'application/rtf': 'word',
  'text/rtf': 'word',
  [`${OFFICE}spreadsheetml.sheet`]: 'sheet',
  [`${OPEN}spreadsheet`]: 'sheet',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'message/rfc822': 'eml',
  'application/vnd.ms-outlook': 'msg',
  'application/json': 'text',
  'application/xml': 'text',
};

const BY_EXTENSION: Record<string, DocumentKind> = {
  pdf: 'pdf',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  webp: 'image',
  bmp: 'image',
  tif: 'tiff',
  tiff: 'tiff',
  docx: 'word',
  odt: 'word',
  rtf: 'word',
  xlsx: 'sheet',
  xls: 'sheet',
  ods: 'sheet',
  htm: 'html',
  html: 'html',
  xhtml: 'html',
  eml: 'eml',
  msg: 'msg',
  txt: 'text',
  text: 'text',
  log: 'text',
  csv: 'text',
  md: 'text',
};

/** What the bytes were recognised as comes first; the extension decides where they say nothing. */
export function kindOfDocument(name: string, mimeType: string): DocumentKind {
  const extension = path.extname(name).slice(1).toLowerCase();
  const named = BY_EXTENSION[extension];
  // HTML that begins like XML, and text that begins like anything.
  if (named === 'html' && /xml|^text\//.test(mimeType)) return 'html';
  const typed = BY_TYPE[mimeType] ?? (mimeType.startsWith('text/') ? 'text' : undefined);
  if (typed) return typed;
  // Recognised as something else than its name says: the bytes are right.
  return SAYS_NOTHING.has(mimeType) ? (named ?? 'other') : 'other';
}

/**
 * Inside a mail only the sender says what a file is, so what its bytes are and what it is called come first.
 * @param type the sender's
 */
export async function kindOfAttachment(
  name: string,
  type: string,
  bytes: Buffer,
): Promise<DocumentKind> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime ?? '';
  if (!SAYS_NOTHING.has(found)) return kindOfDocument(name, found);
  const named = BY_EXTENSION[path.extname(name).slice(1).toLowerCase()];
  return named ?? kindOfDocument(name, type);
}

const SAYS_NOTHING = new Set([
  '',
  'application/octet-stream',
  'application/zip',
  'application/x-cfb',
]);

const LEGACY: Record<string, string> = {
  doc: 'This is a Word file of the old kind (.doc). Please save it as .docx or PDF and upload that.',
  ppt: 'Presentations cannot be read. Please save it as PDF and upload that.',
  pptx: 'Presentations cannot be read. Please save it as PDF and upload that.',
  zip: 'This is an archive. Please unpack it and upload the files inside it.',
};

/** Why a file of kind `other` cannot be trained, in words for the person. */
export function whyNotReadable(name: string): string {
  const extension = path.extname(name).slice(1).toLowerCase();
  return LEGACY[extension] ?? 'Files of this kind hold no text that can be read.';
}

/** True where pages are pages of paper; elsewhere everything is page 1, cut when it grows too long. */
export function hasPages(kind: DocumentKind): boolean {
  return kind === 'pdf' || kind === 'tiff' || kind === 'image';
}
