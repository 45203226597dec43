import { useEffect, useRef, useState } from 'react';
import { cleanHtml } from './safe-html.ts';
import { SandboxFrame } from './SandboxFrame.tsx';

interface SafeHtmlProps {
  html: string;
  /** What a screen reader calls the frame, such as 'Message'. */
  title: string;
  allowRemoteImages?: boolean;
  /** Addresses of images that came along (blob: or data:), by content id without angle brackets. */
  inlineImages?: Readonly<Record<string, string>>;
  /** Hears how many images of the network were left out, to offer them. */
  onBlocked?: (images: number) => void;
}

const NONE = {};
/** Pixels; what is longer scrolls inside. A style that grows with its frame would never end. */
const MOST_HEIGHT = 20_000;

// A letter is written for white paper: what it says of colours is true there alone.
const BASE_STYLE = `
  html { color-scheme: light; background: #fff; }
  body { margin: 0; padding: 16px; height: auto !important; color: #1c1a17; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
  table { overflow-wrap: break-word; }
  img { max-width: 100%; height: auto; }
  pre { white-space: pre-wrap; }
  blockquote { margin: 0 0 0 2px; padding-left: 12px; border-left: 2px solid #d3cfc6; }
`;

/**
 * HTML of a stranger, as high as it is. Nothing in it runs, and nothing is asked of the network
 * until `allowRemoteImages`. Load it when it is needed: it brings a sanitizer along.
 */
export function SafeHtml(props: SafeHtmlProps) {
  const { html, title, allowRemoteImages = false, inlineImages = NONE, onBlocked } = props;
  const [place, setPlace] = useState<{ page: Document; frame: HTMLIFrameElement } | null>(null);
  const tell = useRef(onBlocked);
  useEffect(() => {
    tell.current = onBlocked;
  });
  useEffect(() => {
    if (!place?.frame.isConnected) return undefined;
    const cleaned = cleanHtml(html, place.page, { allowRemoteImages, inlineImages });
    fill(place.page, cleaned.html);
    tell.current?.(cleaned.blockedImages);
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

/** As high as what it holds, also when an image has come or the width changes. */
function keepHeight(page: Document, frame: HTMLIFrameElement) {
  const fit = () => {
    const bar = frame.offsetHeight - (page.documentElement.clientHeight || frame.offsetHeight);
    frame.style.height = `${Math.min(page.body.offsetHeight + bar, MOST_HEIGHT)}px`;
  };
  const watch = new ResizeObserver(fit);
  watch.observe(page.body);
  fit();
  return () => watch.disconnect();
}
