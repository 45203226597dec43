import DOMPurify, { type Config } from 'dompurify';

export type CleanOptions = {
  allowRemoteImages: boolean;
  /** URLs of embedded images, by content id without angle brackets. */
  inlineImages: Readonly<Record<string, string>>;
};

/** The sanitized HTML: styles and body. */
export type Cleaned = {
  html: HTMLElement;
  /** How many remote images were removed. */
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
export function cleanHtml(source: string, page: Document, options: CleanOptions): Cleaned {
  // The page's own parser: our policy would drop styles during parsing.
  const purifier = DOMPurify(page.defaultView ?? window);
  let blockedImages = 0;
  const pass = (address: string) => {
    const shown = imageAddress(address, options);
    if (shown === null) blockedImages += 1;
    return shown;
  };
  purifier.addHook('afterSanitizeAttributes', (element) => {
    if (element.nodeName === 'A') leadOut(element);
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
function leadOut(link: Element) {
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
