import {
  type ComponentProps,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import type { CaseType } from '@matterdesk/contract/cases.ts';
import type { Template } from '@matterdesk/contract/templates.ts';
import { Pending } from '../../../core/Pending.tsx';
import { cx } from '../../../ui/cx.ts';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { SkeletonRows } from '../../../ui/Skeleton.tsx';
import { sectionsOf } from '../rules.ts';

interface ChooseTemplateProps {
  list: ComponentProps<typeof Pending>['of'] & { data: readonly Template[] | null };
  type: CaseType;
  recent: readonly string[];
  chosen: string;
  onChoose: (id: string) => void;
}

/**
 * Templates by what they are for; Enter in the search takes the first. The dialog opens before they are loaded, with
 * the focus in the search: Enter waits for them then.
 */
export function ChooseTemplate({ list, type, recent, chosen, onChoose }: ChooseTemplateProps) {
  const [search, setSearch] = useState('');
  const sections = sectionsOf(list.data ?? [], { type, recent, search });
  const first = sections[0]?.templates[0];
  const isEntered = useRef(false);
  const arrive = useEffectEvent(() => {
    if (isEntered.current && first) onChoose(first.id);
    isEntered.current = false;
  });
  useEffect(() => {
    if (list.data) arrive();
  }, [list.data]);
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (first) onChoose(first.id);
    else isEntered.current = list.data === null;
  };
  return (
    <nav aria-label="Templates" className="space-y-3.5">
      <SearchInput
        value={search}
        onChange={(text) => {
          isEntered.current = false;
          setSearch(text);
        }}
        placeholder="Search templates"
        onKeyDown={handleKeyDown}
      />
      {sections.map(({ title, templates: listed }) => (
        <section key={title}>
          <h3 className="px-2.5 pb-1 text-sm text-ink-2">{title}</h3>
          <ul>
            {listed.map(({ id, name }) => (
              <li key={id}>
                <button
                  type="button"
                  aria-pressed={id === chosen}
                  className={cx(
                    'w-full rounded-control px-2.5 py-1.5 text-left wrap-anywhere pointer-coarse:min-h-11',
                    id === chosen ? 'bg-accent-soft font-medium text-accent' : 'hover:bg-hover',
                  )}
                  onClick={() => onChoose(id)}
                >
                  {name}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {list.data === null && (
        <Pending of={list} what="the templates">
          <SkeletonRows count={6} className="h-7" />
        </Pending>
      )}
      {list.data && sections.length === 0 && (
        <p className="px-2.5 text-ink-2">
          {search === '' ? 'No template can be used yet.' : `No template is named “${search}”.`}
        </p>
      )}
    </nav>
  );
}
