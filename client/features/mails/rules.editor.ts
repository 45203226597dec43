// The editor's nodes from the lines of a mail, and back. Functions with $ run inside of the editor's updates.

import { $createLinkNode, $isLinkNode } from '@lexical/link';
import {
  $createListItemNode,
  $createListNode,
  $isListItemNode,
  $isListNode,
  type ListNode,
} from '@lexical/list';
import { $createQuoteNode, $isQuoteNode } from '@lexical/rich-text';
import {
  $createLineBreakNode,
  $createParagraphNode,
  $createTextNode,
  $getRoot,
  $isElementNode,
  $isLineBreakNode,
  $isTextNode,
  type ElementNode,
  type LexicalNode,
  type RangeSelection,
} from 'lexical';
import { FORMATS, isAddressOfLink, type Line, type Run } from './rules.formatting.ts';

/** Replaces everything by these lines. */
export function $showLines(lines: readonly Line[]): void {
  $getRoot()
    .clear()
    .append(...$blocksOf(lines));
}

/** Puts lines in the place of the selection; a single one becomes part of the line that is there. */
export function $insertLines(selection: RangeSelection, lines: readonly Line[]): void {
  const [first, ...more] = lines;
  const isWithin = first?.kind === 'plain' && more.length === 0;
  selection.insertNodes(isWithin ? $nodesOf(first.runs) : $blocksOf(lines));
}

function $blocksOf(lines: readonly Line[]): ElementNode[] {
  const blocks: ElementNode[] = [];
  /** The lists that are open, from the outermost in. */
  let open: ListNode[] = [];
  for (const line of lines) {
    if (line.kind === 'bullet' || line.kind === 'number') {
      open = $addItem(open, line);
      if (open[0] && open[0] !== blocks.at(-1)) blocks.push(open[0]);
    } else {
      open = [];
      const block = line.kind === 'quote' ? $createQuoteNode() : $createParagraphNode();
      blocks.push(block.append(...$nodesOf(line.runs)));
    }
  }
  return blocks;
}

/** @returns the lists that are open then */
function $addItem(before: readonly ListNode[], { kind, depth, value, runs }: Line): ListNode[] {
  const open = before.slice(0, depth + 1);
  if (open[depth] && open[depth].getListType() !== kind) open.splice(depth);
  while (open.length <= depth) {
    const list = $createListNode(kind === 'number' ? 'number' : 'bullet', value);
    const outer = open.at(-1);
    // A list inside of a list is an item of its own.
    outer?.append($createListItemNode().append(list));
    open.push(list);
  }
  open[depth]?.append($createListItemNode().append(...$nodesOf(runs)));
  return open;
}

function $nodesOf(runs: readonly Run[]): LexicalNode[] {
  return runs.flatMap(({ text, format, href }) => {
    const pieces = text
      .split('\n')
      .flatMap<LexicalNode>((piece, at) => [
        ...(at > 0 ? [$createLineBreakNode()] : []),
        ...(piece === '' ? [] : [$createTextNode(piece).setFormat(format)]),
      ]);
    return href === undefined ? pieces : [$createLinkNode(href).append(...pieces)];
  });
}

export function $readLines(): Line[] {
  return $getRoot()
    .getChildren()
    .flatMap((block) => {
      if ($isListNode(block)) return $readList(block, 0);
      const kind = $isQuoteNode(block) ? 'quote' : 'plain';
      const runs = $isElementNode(block) ? $runsOf(block) : [];
      return splitAtBreaks(runs).map((each) => ({ kind, depth: 0, value: 1, runs: each }));
    });
}

function $readList(list: ListNode, depth: number): Line[] {
  const kind = list.getListType() === 'number' ? 'number' : 'bullet';
  let value = list.getStart();
  return list
    .getChildren()
    .filter($isListItemNode)
    .flatMap((item) => {
      const inner = item.getChildren().filter($isListNode);
      const runs = $runsOf(item);
      const nested = inner.flatMap((each) => $readList(each, depth + 1));
      if (inner.length > 0 && runs.length === 0) return nested;
      const line: Line = { kind, depth, value, runs };
      value += 1;
      return [line, ...nested];
    });
}

function $runsOf(element: ElementNode, href?: string): Run[] {
  return element.getChildren().flatMap((node) => {
    const link = href === undefined ? {} : { href };
    if ($isLineBreakNode(node)) return [{ text: '\n', format: 0, ...link }];
    if ($isTextNode(node))
      return [{ text: node.getTextContent(), format: node.getFormat() & FORMATS, ...link }];
    if ($isLinkNode(node)) {
      const address = node.getURL();
      return $runsOf(node, isAddressOfLink(address) ? address : href);
    }
    return [];
  });
}

function splitAtBreaks(runs: readonly Run[]): Run[][] {
  const lines: Run[][] = [[]];
  for (const run of runs) {
    if (run.text === '\n') lines.push([]);
    else lines.at(-1)?.push(run);
  }
  return lines;
}
