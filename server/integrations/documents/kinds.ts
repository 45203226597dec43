import path from 'node:path';

/** Reader of a file's bytes. `other` has no readable text. */
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

/** The detected type first, then the extension. */
export function kindOfDocument(name: string, mimeType: string): DocumentKind {
  const extension = path.extname(name).slice(1).toLowerCase();
  const named = BY_EXTENSION[extension];
  // HTML can start like XML, and plain text like anything.
  if (named === 'html' && /xml|^text\//.test(mimeType)) return 'html';
  const typed = BY_TYPE[mimeType] ?? (mimeType.startsWith('text/') ? 'text' : undefined);
  if (typed) return typed;
  // Detected bytes take precedence over a misleading name.
  return SAYS_NOTHING.has(mimeType) ? (named ?? 'other') : 'other';
}

/**
 * In mails the type is only the sender's claim, so bytes and name take precedence.
 * @param type claimed by the sender
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
  doc: 'This is an old Word file (.doc). Save it as .docx or PDF and upload that.',
  ppt: 'Presentations can’t be read. Save it as PDF and upload that.',
  pptx: 'Presentations can’t be read. Save it as PDF and upload that.',
  zip: 'This is an archive. Unpack it and upload the files inside.',
};

/** Why files of kind `other` cannot be trained, in words for users. */
export function whyNotReadable(name: string): string {
  const extension = path.extname(name).slice(1).toLowerCase();
  return LEGACY[extension] ?? 'No readable text in this file type.';
}

/** True for formats with paper pages; the others are page 1, cut when too long. */
export function hasPages(kind: DocumentKind): boolean {
  return kind === 'pdf' || kind === 'tiff' || kind === 'image';
}
