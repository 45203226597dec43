import interUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import DOMPurify, { type Config } from 'dompurify';
import { useEffect, useRef, useState } from 'react';
import { SandboxFrame } from './SandboxFrame.tsx';

interface SafeHtmlProps {
  html: string;
  /** The accessible name of the frame, such as 'Message'. */
  title: string;
  allowRemoteImages?: boolean;
  /** URLs of embedded images (blob: or data:), by content id without angle brackets. */
  inlineImages?: Readonly<Record<string, string>>;
  /** Receives the number of blocked remote images, to offer to load them. */
  onBlocked?: (images: number) => void;
}

const NONE = {};
/** Pixels; longer content scrolls, since content sized by its frame would grow forever. */
const MAX_HEIGHT = 20_000;
const MIN_ZOOM = 0.5;

// Mail is written for a white background, so its colors are readable only there.
const BASE_STYLE = `
  html { color-scheme: light; background: #fff; }
  body { margin: 0; padding: 16px; height: auto !important; color: #1c1a17; font: 15px/1.5 'Inter Variable', system-ui, sans-serif; overflow-wrap: anywhere; }
  table { overflow-wrap: break-word; }
  img { max-width: 100%; height: auto; }
  pre { white-space: pre-wrap; }
  /* A letter keeps a line that can be read; what is laid out by tables has its own widths. */
  :where(body:not(:has(table))) { max-width: 34em; }
  @media (max-width: 599px) {
    /* A newsletter made for a wide page gives way, as far as it can. */
    table, tbody, tr, td, th, div, center { max-width: 100% !important; min-width: 0 !important; }
    table, td, th { width: auto !important; }
  }
  summary { width: fit-content; margin: 8px 0; color: #6b665e; font-size: 13px; cursor: pointer; }
  blockquote { margin: 0 0 0 2px; padding-left: 12px; border-left: 2px solid #d3cfc6; }
`;

/**
 * Untrusted HTML at its full height. No script in it runs, and it loads nothing from the network
 * without `allowRemoteImages`. Load it lazily, since it includes a sanitizer.
 */
export function SafeHtml(props: SafeHtmlProps) {
  const { html, title, allowRemoteImages = false, inlineImages = NONE, onBlocked } = props;
  const [place, setPlace] = useState<{ page: Document; frame: HTMLIFrameElement } | null>(null);
  const reportBlocked = useRef(onBlocked);
  useEffect(() => {
    reportBlocked.current = onBlocked;
  });
  useEffect(() => {
    if (!place?.frame.isConnected) return undefined;
    const cleaned = cleanHtml(html, place.page, { allowRemoteImages, inlineImages });
    fill(place.page, cleaned.html);
    void addFont(place.page);
    reportBlocked.current?.(cleaned.blockedImages);
    return keepHeight(place.page, place.frame);
  }, [place, html, allowRemoteImages, inlineImages]);
  return (
    <SandboxFrame
      title={title}
      allowRemoteImages={allowRemoteImages}
      onReady={(page, frame) => setPlace({ page, frame })}
      className="block w-full bg-white"
    />
  );
}

function fill(page: Document, html: HTMLElement) {
  const style = page.createElement('style');
  style.textContent = BASE_STYLE;
  page.head.replaceChildren(style, ...html.querySelectorAll('head style'));
  page.title = 'Content';
  const body = html.querySelector('body');
  for (const name of page.body.getAttributeNames()) page.body.removeAttribute(name);
  for (const name of ['style', 'bgcolor', 'background', 'text', 'class', 'id', 'dir', 'lang']) {
    const value = body?.getAttribute(name);
    if (value) page.body.setAttribute(name, value);
  }
  page.body.replaceChildren(...(body?.childNodes ?? []));
  foldQuotes(page);
}

/** Earlier mails as Gmail, Apple, Yahoo, Thunderbird and Outlook quote them. */
const QUOTES =
  '.gmail_quote, blockquote[type=cite], .yahoo_quoted, .moz-cite-prefix + blockquote, #divRplyFwdMsg, #appendonsend';
const FORWARDED = /^[\s-]*(?:forwarded message|begin forwarded message)/i;

/** Folds quoted mails below what the author wrote; a forwarded mail is the message itself. */
function foldQuotes(page: Document) {
  const quotes = [...page.querySelectorAll(QUOTES)].filter(
    (quote) =>
      !quote.parentElement?.closest(`${QUOTES}, details`) &&
      !FORWARDED.test(quote.textContent.trim()),
  );
  for (const quote of quotes) {
    if (quote.closest('details') || !hasTextBefore(page, quote)) continue;
    const details = page.createElement('details');
    const summary = page.createElement('summary');
    summary.textContent = 'Quoted text';
    // Outlook marks only where the quoted mail begins.
    const isMark = quote.id !== '';
    const quoted = isMark ? [quote, ...nodesAfter(quote)] : [quote];
    quote.before(details);
    details.append(summary, ...quoted);
  }
}

function hasTextBefore(page: Document, element: Element): boolean {
  const range = page.createRange();
  range.setStart(page.body, 0);
  range.setEndBefore(element);
  return range.toString().trim() !== '';
}

function nodesAfter(node: Node): Node[] {
  const { nextSibling: next } = node;
  return next ? [next, ...nodesAfter(next)] : [];
}

let font: Promise<ArrayBuffer> | undefined;

/** Gives the page the product's font, which its policy keeps it from loading. */
async function addFont(page: Document): Promise<void> {
  font ??= fetch(interUrl).then((response) => response.arrayBuffer());
  const loaded = await font.catch(() => undefined);
  const { defaultView } = page;
  if (!loaded || !defaultView) return;
  // A face belongs to the window that makes it.
  const { FontFace: Face } = defaultView as unknown as { FontFace: typeof FontFace };
  page.fonts.add(new Face('Inter Variable', loaded, { weight: '100 900' }));
}

/** Fits the frame to its content, also after an image loads or the width changes. */
function keepHeight(page: Document, frame: HTMLIFrameElement) {
  const { documentElement: root, body } = page;
  const fit = () => {
    shrink(page);
    const bar = frame.offsetHeight - (root.clientHeight || frame.offsetHeight);
    const height = Math.ceil(body.getBoundingClientRect().height);
    frame.style.height = `${Math.min(height + bar, MAX_HEIGHT)}px`;
  };
  const observer = new ResizeObserver(fit);
  observer.observe(body);
  fit();
  return () => observer.disconnect();
}

/** Makes content smaller that is wider than its frame, as far as it can still be read; the rest scrolls. */
function shrink({ documentElement: root, body }: Document) {
  body.style.removeProperty('zoom');
  const share = root.clientWidth / root.scrollWidth;
  if (share < 1) body.style.setProperty('zoom', String(Math.max(share, MIN_ZOOM)));
}

type CleanOptions = {
  allowRemoteImages: boolean;
  /** URLs of embedded images, by content id without angle brackets. */
  inlineImages: Readonly<Record<string, string>>;
};

/** The sanitized HTML: styles and body. */
type CleanHtml = {
  html: HTMLElement;
  /** Number of remote images that were removed. */
  blockedImages: number;
};

const CONFIG: Config & { RETURN_DOM: true } = {
  RETURN_DOM: true,
  WHOLE_DOCUMENT: true,
  USE_PROFILES: { html: true },
  ADD_TAGS: ['style'],
  FORBID_TAGS:
    'form input button select option textarea label dialog audio video source track picture map area slot template'.split(
      ' ',
    ),
  FORBID_ATTR: [
    'srcset',
    'sizes',
    'poster',
    'ping',
    'action',
    'formaction',
    'autofocus',
    'popover',
  ],
  ALLOW_DATA_ATTR: false,
  // Exempts attributes that are never URLs from ALLOWED_URI_REGEXP, which the sanitizer applies to the rest.
  ADD_URI_SAFE_ATTR:
    'abbr align bgcolor border cellpadding cellspacing char charoff clear color cols colspan compact datetime dir face headers height hspace lang noshade nowrap reversed rowspan rules scope size span start type valign vspace width'.split(
      ' ',
    ),
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|tel:|cid:|data:image\/|#|\/\/)/i,
};

/**
 * Removes from untrusted HTML everything that could run or send requests. This is the first defense;
 * the frame that shows it has its own policy and sandbox.
 * @param page where the HTML is shown
 */
function cleanHtml(source: string, page: Document, options: CleanOptions): CleanHtml {
  // The page's own parser: our policy would drop styles during parsing.
  const purifier = DOMPurify(page.defaultView ?? window);
  let blockedImages = 0;
  const pass = (address: string) => {
    const shown = imageAddress(address, options);
    if (shown === null) blockedImages += 1;
    return shown;
  };
  purifier.addHook('afterSanitizeAttributes', (element) => {
    if (element.nodeName === 'A') openOutside(element);
    for (const name of ['src', 'background']) {
      const address = element.getAttribute(name);
      if (address === null) continue;
      const shown = pass(address);
      if (shown) element.setAttribute(name, shown);
      else element.removeAttribute(name);
    }
    const style = element.getAttribute('style');
    if (style?.includes('(')) element.setAttribute('style', cleanCss(style, pass));
  });
  purifier.addHook('uponSanitizeElement', (node) => {
    if (node.nodeName === 'STYLE') node.textContent = cleanCss(node.textContent ?? '', pass);
  });
  // With WHOLE_DOCUMENT the result is the `html` element.
  const html = purifier.sanitize(source, CONFIG) as HTMLElement;
  return { html, blockedImages };
}

/** @returns null for a remote image that is not allowed, '' if there is no usable image */
function imageAddress(address: string, { allowRemoteImages, inlineImages }: CleanOptions) {
  const trimmed = address.trim();
  if (/^(data:image\/|blob:)/i.test(trimmed)) return trimmed;
  const id = /^cid:(.+)$/i.exec(trimmed)?.[1];
  if (id !== undefined) return inlineImages[id] ?? inlineImages[decode(id)] ?? '';
  if (!/^(https?:)?\/\//i.test(trimmed)) return '';
  // A mail must not send requests to our own server with the reader's session.
  const host = hostOf(trimmed);
  if (host === null || host === window.location.host) return '';
  return allowRemoteImages ? trimmed : null;
}

function hostOf(address: string): string | null {
  try {
    return new URL(address, 'https://nowhere.invalid').host;
  } catch {
    return null;
  }
}

function cleanCss(css: string, pass: (address: string) => string | null): string {
  return css
    .replaceAll(/@import[^;]*(;|$)/gi, '')
    .replaceAll(/url\(([^()]*)\)/gi, (_, address: string) => {
      const shown = pass(address.replaceAll(/["']/g, '').trim());
      return shown ? `url("${shown.replaceAll(/["\\\n]/g, encodeURIComponent)}")` : 'none';
    });
}

/** Makes a link open outside the frame, without a referrer. */
function openOutside(link: Element) {
  if (link.getAttribute('href')?.startsWith('#')) {
    link.removeAttribute('target');
    return;
  }
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
