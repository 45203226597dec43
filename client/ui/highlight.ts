import { findWords, findSpans } from './find-text.ts';

type Span = { start: number; end: number };
/** A passage and its most relevant sentence, as offsets in a text with the same words as the element. */
export type Cited = { text: string; passage: Span; sentence: Span | null };

export type PassageRanges = { passage: Range[]; sentence: Range[] };

/** Finds the passage in an element; without ranges if it is missing. */
export function findPassage(element: Element, { text, passage, sentence }: Cited): PassageRanges {
  const shown = readWords(element);
  const rangesOf = (span: Span) =>
    findSpans(shown.text, { text, span }).map((found) => toRange(shown, found));
  return { passage: rangesOf(passage), sentence: sentence ? rangesOf(sentence) : [] };
}

/** Finds the words of a search in an element. */
export function findRanges(element: Element, wanted: string): Range[] {
  const shown = readWords(element);
  return findWords(shown.text, wanted).map((found) => toRange(shown, found));
}

/**
 * Paints `::highlight(passage)` and, over it, `::highlight(sentence)`, without changing the element.
 * @returns a function that removes the highlights
 */
export function highlightPassage({ passage, sentence }: PassageRanges): () => void {
  const marks = [mark('passage', passage), mark('sentence', sentence)];
  return () => {
    for (const clear of marks) clear();
  };
}

/** Scrolls to the sentence, or else to the passage. */
export function scrollToPassage({ passage, sentence }: PassageRanges): void {
  const [start] = [...sentence, ...passage];
  if (start) scrollToRange(start);
}

export function scrollToRange(range: Range): void {
  range.startContainer.parentElement?.scrollIntoView({ block: 'center', inline: 'nearest' });
}

/** The text of an element, and where each of its text nodes begins in it. */
type RenderedText = { text: string; nodes: { node: Text; start: number }[] };

function readWords(element: Element): RenderedText {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_ALL);
  const shown: RenderedText = { text: '', nodes: [] };
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.nodeName === 'BR') shown.text += '\n';
    if (node.nodeType !== Node.TEXT_NODE) continue;
    shown.nodes.push({ node: node as Text, start: shown.text.length });
    shown.text += (node as Text).data;
  }
  return shown;
}

function toRange({ nodes }: RenderedText, span: Span): Range {
  const first = nodes.findLast(({ start }) => start <= span.start) ?? nodes[0];
  const last = nodes.findLast(({ start }) => start < span.end) ?? nodes[0];
  const range = (first?.node.ownerDocument ?? document).createRange();
  if (first) range.setStart(first.node, Math.min(span.start - first.start, first.node.length));
  if (last) range.setEnd(last.node, Math.min(span.end - last.start, last.node.length));
  return range;
}

const PRIORITIES = { passage: 0, sentence: 1, found: 2, current: 3 };

/**
 * Paints ranges as `::highlight(name)`; several pages may share a name.
 * @returns a function that removes them
 */
export function mark(name: keyof typeof PRIORITIES, ranges: readonly Range[]): () => void {
  const view = ranges[0]?.startContainer.ownerDocument?.defaultView;
  const registry = view?.CSS.highlights;
  // Without browser support, nothing is painted.
  if (!view || !registry) return () => undefined;
  const highlight = registry.get(name) ?? new view.Highlight();
  highlight.priority = PRIORITIES[name];
  for (const range of ranges) highlight.add(range);
  registry.set(name, highlight);
  return () => {
    for (const range of ranges) highlight.delete(range);
  };
}
