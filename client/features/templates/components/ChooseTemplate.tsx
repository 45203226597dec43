import { useState } from 'react';
import type { CaseType } from '@matterdesk/contract/cases.ts';
import type { Template } from '@matterdesk/contract/templates.ts';
import { cx } from '../../../ui/cx.ts';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { sectionsOf } from '../rules.ts';

interface ChooseTemplateProps {
  templates: readonly Template[];
  type: CaseType;
  recent: readonly string[];
  chosen: string;
  onChoose: (id: string) => void;
}

/** Templates by what they are for; Enter in the search takes the first. */
export function ChooseTemplate({ templates, type, recent, chosen, onChoose }: ChooseTemplateProps) {
  const [search, setSearch] = useState('');
  const sections = sectionsOf(templates, { type, recent, search });
  const first = sections[0]?.templates[0];
  return (
    <nav aria-label="Templates" className="space-y-3.5">
      <SearchInput
        value={search}
        onChange={setSearch}
        placeholder="Search templates"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          if (first) onChoose(first.id);
        }}
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
      {sections.length === 0 && (
        <p className="px-2.5 text-ink-2">
          {search === '' ? 'No template can be used yet.' : `No template is named “${search}”.`}
        </p>
      )}
    </nav>
  );
}
