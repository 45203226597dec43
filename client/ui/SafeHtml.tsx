import { useEffect, useRef, useState } from 'react';
import { cleanHtml } from './safe-html.ts';
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
  body { margin: 0; padding: 16px; height: auto !important; color: #1c1a17; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
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
