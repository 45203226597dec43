import type PostalMime from 'postal-mime';

/** A part of the parser's tree, which its types hide. */
type Node = {
  childNodes: Node[];
  content: ArrayBuffer | null;
  contentType: { multipart: string | false; parsed: { value: string } };
  contentDisposition: { parsed: { value: string } };
  contentTransferEncoding: { encoding: string };
};

/** A part's path, as IMAP counts (`1.2`), and its bytes, verbatim. */
export type Place = { part: string; bytes: Uint8Array };

/** Parts that the parser treats as attachments, in its order. */
export function placesOf(parser: PostalMime): Place[] {
  const { root } = parser as unknown as { root: Node };
  return root.childNodes.length === 0 ? placesIn(root, '1') : childPlaces(root, '');
}

function childPlaces(node: Node, prefix: string): Place[] {
  return node.childNodes.flatMap((child, index) => placesIn(child, `${prefix}${index + 1}`));
}

function placesIn(node: Node, part: string): Place[] {
  const own = node.content && isAttachment(node) ? [{ part, bytes: bytesOf(node) }] : [];
  return [...own, ...childPlaces(node, `${part}.`)];
}

function isAttachment({ contentType, contentDisposition }: Node): boolean {
  if (contentType.multipart) return false;
  const isText = /^text\/(plain|html)$/.test(contentType.parsed.value);
  return !isText || contentDisposition.parsed.value === 'attachment';
}

const LF = 10;
const CR = 13;

/** The parser ends each line with LF, including the last, whose end belongs to the boundary. */
function bytesOf({ content, contentTransferEncoding: { encoding } }: Node): Uint8Array {
  const bytes = new Uint8Array(content ?? new ArrayBuffer(0));
  if (encoding === 'base64') return bytes;
  const lines = bytes.at(-1) === LF ? bytes.subarray(0, -1) : bytes;
  return encoding === 'quoted-printable' ? lines : withLineEnds(lines);
}

/** CRLF, as on the wire. */
function withLineEnds(lines: Uint8Array): Uint8Array {
  const isBare = (at: number) => lines[at] === LF && lines[at - 1] !== CR;
  let count = 0;
  for (let at = 0; at < lines.length; at += 1) if (isBare(at)) count += 1;
  const whole = new Uint8Array(lines.length + count);
  let to = 0;
  for (let at = 0; at < lines.length; at += 1) {
    if (isBare(at)) whole[to++] = CR;
    whole[to++] = lines[at] ?? 0;
  }
  return whole;
}
