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
    if (typeof href === 'string') leadOut(node, href);
    for (const [name, value] of Object.entries(rest))
      if (value !== undefined && !UNSET.test(name)) Object.assign(node, { [name]: value });
    return node;
  };
}

function isNode(wanted: object): wanted is Node {
  // Not `instanceof`, since each page has its own `Node`.
  return 'nodeType' in wanted;
}

function leadOut(link: Element, href: string) {
  if (href.startsWith('#')) link.setAttribute('href', href);
  if (!/^(https?:|mailto:|tel:)/i.test(href)) return;
  link.setAttribute('href', href);
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer');
}
