import { findSpans } from './folded-text.ts';

type Span = { start: number; end: number };
/** A passage and its most telling part, in offsets of a text that says the same as the element. */
export type Cited = { text: string; passage: Span; sentence: Span | null };

/**
 * Marks a passage in an element without touching it: `::highlight(passage)` and, over it,
 * `::highlight(sentence)`.
 * @returns where the telling part begins, or null when it was not found; `clear` takes the marks away
 */
export function markPassage(element: Element, { text, passage, sentence }: Cited) {
  const view = element.ownerDocument.defaultView;
  const nodes = textNodes(element);
  const shown = nodes.map((node) => node.data).join('');
  const outer = findSpans(shown, { text, span: passage }).map((span) => toRange(nodes, span));
  const inner = sentence
    ? findSpans(shown, { text, span: sentence }).map((span) => toRange(nodes, span))
    : [];
  const marks = [mark(view, 'passage', outer), mark(view, 'sentence', inner)];
  return {
    range: inner[0] ?? outer[0] ?? null,
    clear: () => {
      for (const clear of marks) clear();
    },
  };
}

function textNodes(element: Element): Text[] {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  return nodes;
}

function toRange(nodes: readonly Text[], { start, end }: Span): Range {
  const range = nodes[0]?.ownerDocument.createRange() ?? new Range();
  let before = 0;
  for (const node of nodes) {
    const after = before + node.length;
    if (start >= before && start < after) range.setStart(node, start - before);
    if (end > before && end <= after) {
      range.setEnd(node, end - before);
      break;
    }
    before = after;
  }
  return range;
}

type View = (Window & typeof globalThis) | null;

/** Several pages may share a name; where the browser knows no highlights there is none. */
function mark(view: View, name: 'passage' | 'sentence', ranges: readonly Range[]) {
  const registry = view?.CSS.highlights;
  if (!view || !registry || ranges.length === 0) return () => undefined;
  const highlight = registry.get(name) ?? new view.Highlight();
  highlight.priority = name === 'sentence' ? 1 : 0;
  for (const range of ranges) highlight.add(range);
  registry.set(name, highlight);
  return () => {
    for (const range of ranges) highlight.delete(range);
  };
}
