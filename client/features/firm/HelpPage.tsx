import BookOpen from 'lucide-react/icons/book-open';
import { createElement, Fragment, type ReactNode } from 'react';
import { useParams } from 'react-router';
import { AdminsOnly } from '../../core/AdminsOnly.tsx';
import { useAppSelector } from '../../core/store.ts';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { type Block, type Inline, readGuide } from './rules.help.ts';

/** The guides of `docs/`, put into this page by the build. */
declare const GUIDES: Record<string, string>;

/** A guide for admins, from the product's own documents. */
export function HelpPage() {
  const { guide = '' } = useParams();
  const isAdmin = useAppSelector((state) => state.user.current?.role === 'admin');
  const markdown = Object.hasOwn(GUIDES, guide) ? GUIDES[guide] : undefined;
  if (!isAdmin)
    return (
      <AdminsOnly icon={BookOpen} page="Help" title="Guides are for admins">
        Ask an admin of your firm to set this up.
      </AdminsOnly>
    );
  if (markdown === undefined) return <EmptyState icon={BookOpen} title="No such guide" />;
  const [title, ...blocks] = readGuide(markdown);
  return (
    <article className="max-w-[46rem] px-4 pt-5 pb-12 sm:px-9 sm:pt-7">
      <title>Help · Matterdesk</title>
      {title?.kind === 'heading' && (
        <h1 className="font-serif text-title font-strong">{drawAll(title.text, drawWords)}</h1>
      )}
      <div className="mt-4 space-y-3">{drawBlocks(blocks)}</div>
    </article>
  );
}

/** Without keys: a guide never changes while it is shown. */
function drawAll<Item>(items: Item[], draw: (item: Item) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...items.map((item) => draw(item)));
}

function drawBlocks(blocks: Block[]): ReactNode {
  return drawAll(blocks, drawBlock);
}

function drawBlock(block: Block): ReactNode {
  if (block.kind === 'heading') {
    const Heading = block.level === 2 ? 'h2' : 'h3';
    return (
      <Heading className="pt-4 text-heading font-semibold">
        {drawAll(block.text, drawWords)}
      </Heading>
    );
  }
  if (block.kind === 'paragraph')
    return <p className="text-pretty">{drawAll(block.text, drawWords)}</p>;
  if (block.kind === 'code')
    return (
      <pre className="rounded-card bg-sunken px-3 py-2 font-mono text-note wrap-anywhere whitespace-pre-wrap">
        {block.text}
      </pre>
    );
  if (block.kind === 'table') return <Table {...block} />;
  const List = block.isOrdered ? 'ol' : 'ul';
  return (
    <List className={cx('space-y-2 pl-6', block.isOrdered ? 'list-decimal' : 'list-disc')}>
      {drawAll(block.items, (item) => (
        <li className="space-y-2">{drawBlocks(item)}</li>
      ))}
    </List>
  );
}

function Table({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
  return (
    <table className="w-full border-collapse text-left text-note wrap-anywhere">
      <thead>
        <tr className="border-b border-line-strong">
          {drawAll(head, (cell) => (
            <th scope="col" className="py-1.5 pr-4 font-semibold">
              {drawAll(cell, drawWords)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {drawAll(rows, (row) => (
          <tr className="border-b border-line align-top">
            {drawAll(row, (cell) => (
              <td className="min-w-28 py-1.5 pr-4">{drawAll(cell, drawWords)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function drawWords(inline: Inline): ReactNode {
  if (inline.kind === 'strong') return <strong className="font-semibold">{inline.text}</strong>;
  if (inline.kind === 'em') return <em>{inline.text}</em>;
  if (inline.kind === 'code')
    return (
      <code className="rounded-sm bg-sunken px-1 font-mono text-note wrap-anywhere">
        {inline.text}
      </code>
    );
  if (inline.kind === 'link')
    return (
      <a href={inline.href} target="_blank" rel="noreferrer" className="link">
        {inline.text}
      </a>
    );
  return inline.text;
}
