import { useState } from 'react';
import { rankItems } from '@matterdesk/contract/ranking.ts';
import { Pending } from '../../../core/Pending.tsx';
import { useResource } from '../../../core/use-resource.ts';
import { copyToClipboard } from '../../../ui/copy-to-clipboard.ts';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { SkeletonRows } from '../../../ui/Skeleton.tsx';
import { ALL, templateFields } from '../slice.ts';

const EXAMPLES = [
  ['{{case.SOL | short}}', 'A date as 11/20/2027; without a filter it is November 20, 2027'],
  ["{{#case.type = 'PI'}} … {{/}}", 'Printed only in PI matters'],
  ['{{#client.fax}} … {{/}}', 'Printed where there is a fax number'],
  ['{{^client.email}} … {{/}}', 'Printed where there is no email address'],
  ['{{#parties.insurer}} {{name}} {{/}}', 'Repeated for each insurer: a text, or a row of a table'],
  ['{{client.emails | list}}', 'All of a list, as A, B and C'],
  ["{{ask 'Which records?'}}", 'Asked before the letter is made'],
] as const;

/** Fields that templates can name, copied by a click, and the signs around them. */
export function FieldsDialog({ onClose }: { onClose: () => void }) {
  const list = useResource(templateFields, ALL);
  const [search, setSearch] = useState('');
  const lists = list.data?.flatMap((one) => (one.isList ? [one.path] : [])) ?? [];
  const found =
    list.data && rankItems(list.data, search, ({ label, path }) => ({ names: [label, path] }));
  const copy = (tag: string) => copyToClipboard(tag, `Copied ${tag}`);
  return (
    <Dialog open size="large" title="Fields" onClose={onClose} footer={<DialogClose />}>
      <p className="pb-3 text-ink-2">
        Click a field to copy it, then paste it into your Word file.
      </p>
      <SearchInput value={search} onChange={setSearch} placeholder="Search fields" />
      <details className="py-3">
        <summary className="cursor-pointer font-medium">Conditions, lists and questions</summary>
        <dl className="grid gap-x-4 gap-y-1 pt-2 text-sm sm:grid-cols-2">
          {EXAMPLES.map(([tag, says]) => (
            <div key={tag} className="contents">
              <dt>
                <code>{tag}</code>
              </dt>
              <dd className="pb-1.5 text-ink-2">{says}</dd>
            </div>
          ))}
        </dl>
      </details>
      {found ? (
        <ul className="divide-y divide-line border-y border-line">
          {found.map(({ path, label, sample, isList }) => {
            const tag = tagOf(path, isList, lists);
            return (
              <li key={path}>
                <button
                  type="button"
                  className="grid w-full gap-x-4 py-1.5 text-left hover:bg-hover sm:grid-cols-[1fr_1fr_10rem]"
                  onClick={() => void copy(tag)}
                >
                  <span>{label}</span>
                  <code className="text-sm wrap-anywhere">{tag}</code>
                  <span className="truncate text-sm text-ink-2">{sample}</span>
                </button>
              </li>
            );
          })}
        </ul>
      ) : (
        <Pending of={list} what="the fields">
          <SkeletonRows count={8} className="h-6" />
        </Pending>
      )}
    </Dialog>
  );
}

/** The tag as a template writes it; inside a list, item fields have no prefix. */
function tagOf(path: string, isList: boolean, lists: readonly string[]): string {
  const list = lists.find((one) => path.startsWith(`${one}.`));
  const name = list === undefined ? path : path.slice(list.length + 1);
  const tag = isList ? `{{${name} | list}}` : `{{${name}}}`;
  return list === undefined ? tag : `{{#${list}}}${tag}{{/}}`;
}
