import { findSpans } from './folded-text.ts';

type Span = { start: number; end: number };
/** A passage and its most telling part, in offsets of a text that says the same as the element. */
export type Cited = { text: string; passage: Span; sentence: Span | null };

export type Place = { passage: Range[]; sentence: Range[] };

/** Where the passage stands in an element; no ranges when it does not. */
export function findPassage(element: Element, { text, passage, sentence }: Cited): Place {
  const nodes = textNodes(element);
  const shown = nodes.map((node) => node.data).join('');
  const rangesOf = (span: Span) =>
    findSpans(shown, { text, span }).map((found) => toRange(nodes, found));
  return { passage: rangesOf(passage), sentence: sentence ? rangesOf(sentence) : [] };
}

/**
 * Marks it without touching the element: `::highlight(passage)` and, over it, `::highlight(sentence)`.
 * @returns takes the marks away
 */
export function markPlace({ passage, sentence }: Place): () => void {
  const marks = [mark('passage', passage), mark('sentence', sentence)];
  return () => {
    for (const clear of marks) clear();
  };
}

/** Brings the most telling part into sight. */
export function scrollToPlace({ passage, sentence }: Place): void {
  const [start] = [...sentence, ...passage];
  start?.startContainer.parentElement?.scrollIntoView({ block: 'center', inline: 'nearest' });
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

/** Several pages may share a name; where the browser knows no highlights there is none. */
function mark(name: 'passage' | 'sentence', ranges: readonly Range[]) {
  const view = ranges[0]?.startContainer.ownerDocument?.defaultView;
  const registry = view?.CSS.highlights;
  if (!view || !registry) return () => undefined;
  const highlight = registry.get(name) ?? new view.Highlight();
  highlight.priority = name === 'sentence' ? 1 : 0;
  for (const range of ranges) highlight.add(range);
  registry.set(name, highlight);
  return () => {
    for (const range of ranges) highlight.delete(range);
  };
}
