import { parseAsync, renderDocument } from 'docx-preview';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { findPassage, highlightPassage, scrollToPassage } from '../../../ui/highlight.ts';
import { SandboxFrame } from '../../../ui/SandboxFrame.tsx';
import { fileReader } from '../api.ts';
import { useWidth } from '../hooks/use-width.ts';
import { fileOf, type PreviewTarget, type ViewerProps } from '../rules.preview.ts';
import { MAX_UNPACKED_BYTES, unpackedSize } from '../rules.ts';
import { PageSkeleton } from './PageSkeleton.tsx';
import { useCitedPassage, PassageNote } from './PassageNote.tsx';
import { ViewerBar, ACTUAL, ZoomControl } from './ViewerBar.tsx';

type Sheet = { page: Document; width: number };

/** Margin in pixels around the page. */
const MARGIN = 16;
const STYLE = `
  html { color-scheme: light; }
  body { margin: 0; }
  .docx-wrapper { background: none; display: flex; flex-flow: column; align-items: center; gap: 12px; width: max-content; min-width: 100%; box-sizing: border-box; padding: ${MARGIN}px; }
  .docx-wrapper > section.docx { background: #fff; color: #000; flex-shrink: 0; margin: 0; box-shadow: 0 0 0 1px #d3cfc6; overflow: clip; }
  ::highlight(passage) { background-color: #fdf3cf; }
  ::highlight(sentence) { background-color: #fbe08a; }
`;

const reader = fileReader(readWord);

/** A Word document with its print layout. */
export function WordView({ shown, modes }: ViewerProps) {
  const { data: made, failure, refresh } = useResource(reader, fileOf(shown));
  if (made) return <Sheets shown={shown} word={made} modes={modes} />;
  return (
    <>
      <ViewerBar modes={modes} />
      {!failure ? (
        <PageSkeleton />
      ) : (
        <ErrorState title="Couldn’t load the document" detail={failure.message} onRetry={refresh} />
      )}
    </>
  );
}

interface SheetsProps extends Pick<ViewerProps, 'shown' | 'modes'> {
  word: WordDocument;
}

function Sheets({ shown, word, modes }: SheetsProps) {
  const box = useRef<HTMLDivElement>(null);
  const room = useWidth(box);
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const [zoom, setZoom] = useState<number | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const fit = sheet && room > 0 ? Math.min((room - 2 * MARGIN) / sheet.width, 1) : 1;
  const scale = zoom ?? fit;
  useEffect(() => {
    const wrapper = sheet?.page.querySelector<HTMLElement>('.docx-wrapper');
    if (wrapper) wrapper.style.zoom = String(scale);
  }, [sheet, scale]);
  const isMissing = useMark(shown, sheet);
  if (hasFailed)
    return <ErrorState title="Couldn’t load the document" onRetry={() => setHasFailed(false)} />;
  return (
    <>
      <ViewerBar modes={modes}>
        <ZoomControl
          scale={scale * ACTUAL}
          isFitted={zoom === null}
          onChange={(wanted) => setZoom(wanted === null ? null : wanted / ACTUAL)}
        />
      </ViewerBar>
      <div ref={box} className="min-h-0 flex-1">
        <SandboxFrame
          title="Document"
          onReady={(page, frame) => {
            // A frame with a different color scheme gets an opaque background.
            page.documentElement.style.background = getComputedStyle(frame).backgroundColor;
            fill(page, word).then(setSheet, () => setHasFailed(true));
          }}
          className="block size-full bg-sunken"
        />
      </div>
      {isMissing && <PassageNote shown={shown} />}
    </>
  );
}

/** Marks the cited passage in the rendered document. @returns whether it is missing */
function useMark(shown: PreviewTarget, sheet: Sheet | null): boolean {
  const cited = useCitedPassage(shown);
  const place = useMemo(() => {
    if (!sheet || cited.size === 0) return null;
    // Training splits long texts anywhere, even within the passage.
    const places = [...cited.values()].map((part) => findPassage(sheet.page.body, part));
    return {
      passage: places.flatMap(({ passage }) => passage),
      sentence: places.flatMap(({ sentence }) => sentence),
    };
  }, [cited, sheet]);
  useEffect(() => {
    if (!place) return undefined;
    scrollToPassage(place);
    return highlightPassage(place);
  }, [place]);
  return place?.passage.length === 0;
}

async function fill(page: Document, word: WordDocument): Promise<Sheet> {
  const nodes = await renderDocument(word.parsed, { h: createNode(page) });
  const style = page.createElement('style');
  style.textContent = STYLE;
  const isStyle = (node: Node) => node.nodeName === 'STYLE';
  const styles = nodes.filter(isStyle);
  // Word's bullet is from a font that not every computer has.
  for (const own of styles) own.textContent = (own.textContent ?? '').replaceAll('\uF0B7', '•');
  page.head.replaceChildren(...styles, style);
  page.body.replaceChildren(...nodes.filter((node) => !isStyle(node)));
  const widths = [...page.querySelectorAll<HTMLElement>('section.docx')].map(
    ({ offsetWidth }) => offsetWidth,
  );
  return { page, width: Math.max(...widths, 1) };
}

/** The parsed document, whose type the library does not export. */
type WordDocument = { parsed: unknown };

async function readWord(file: Blob): Promise<WordDocument> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (unpackedSize(bytes) > MAX_UNPACKED_BYTES) throw new Error('too large when unpacked');
  return { parsed: await parseAsync(file, { useBase64URL: true, renderAltChunks: false }) };
}

/** Node that a library wants to render: an element with properties, a text, or an existing node. */
export type NodeSpec = string | Node | ElementSpec;
type ElementSpec = {
  ns?: string;
  tagName: string;
  className?: string;
  style?: Record<string, string> | string;
  children?: NodeSpec[];
  [property: string]: unknown;
};

const FORBIDDEN = /^(script|iframe|frame|object|embed|link|meta|base|form|input|button|template)$/i;
const UNSET = /^(on.*|innerHTML|outerHTML|srcdoc|action|formAction)$/;

/**
 * Creates a library's elements in a separate page, whose policy allows their styles, but none that
 * could run or submit. Links open outside the page.
 */
export function createNode(page: Document) {
  return function create(wanted: NodeSpec): Node {
    if (typeof wanted === 'string') return page.createTextNode(wanted);
    if (isNode(wanted)) return wanted;
    const { ns, tagName, className, style, children = [], ...properties } = wanted;
    if (tagName === '#comment') return page.createComment('');
    const node =
      tagName === '#fragment' || FORBIDDEN.test(tagName)
        ? page.createDocumentFragment()
        : page.createElementNS(ns ?? 'http://www.w3.org/1999/xhtml', tagName);
    for (const child of children) node.appendChild(create(child));
    if (!('setAttribute' in node)) return node;
    if (className) node.setAttribute('class', className);
    if (typeof style === 'string') node.setAttribute('style', style);
    else if (style) Object.assign((node as HTMLElement).style, style);
    const { href, ...rest } = properties;
    if (typeof href === 'string') openOutside(node, href);
    for (const [name, value] of Object.entries(rest))
      if (value !== undefined && !UNSET.test(name)) Object.assign(node, { [name]: value });
    return node;
  };
}

function isNode(wanted: object): wanted is Node {
  // Not `instanceof`, since each page has its own `Node`.
  return 'nodeType' in wanted;
}

function openOutside(link: Element, href: string) {
  if (href.startsWith('#')) link.setAttribute('href', href);
  if (!/^(https?:|mailto:|tel:)/i.test(href)) return;
  link.setAttribute('href', href);
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer');
}
