import Ellipsis from 'lucide-react/icons/ellipsis';
import FileUp from 'lucide-react/icons/file-up';
import History from 'lucide-react/icons/history';
import Pencil from 'lucide-react/icons/pencil';
import type { Template } from '@matterdesk/contract/templates.ts';
import { counted } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import type { MenuEntry } from '../../../ui/Menu.tsx';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { typesInWords } from '../rules.ts';

type What = 'edit' | 'version' | 'versions' | 'try';

interface TemplateRowProps {
  template: Template;
  mayEdit: boolean;
  onOpen: (what: What) => void;
}

/** A template with its state, and what can be done with it. */
export function TemplateRow({ template, mayEdit, onOpen }: TemplateRowProps) {
  const { name, active, types, version, versions, fields, questions } = template;
  const hasProblems = (versions[0]?.problems.length ?? 0) > 0;
  const used = [
    typesInWords(types),
    version === null ? 'No version can be used' : `Version ${version}`,
    counted(fields.length, 'field'),
    ...(questions.length > 0 ? [counted(questions.length, 'question')] : []),
  ];
  const changes: MenuEntry[] = [
    { label: 'New version', icon: FileUp, onSelect: () => onOpen('version') },
    { label: 'Edit', icon: Pencil, onSelect: () => onOpen('edit') },
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {name}
          {hasProblems && <Chip tone="red">Has problems</Chip>}
          {!active && <Chip>Not in use</Chip>}
        </p>
        <p className="text-sm text-ink-2">{used.join(' · ')}</p>
      </div>
      <span className="flex flex-none items-center gap-2">
        {active && version !== null && (
          <Button
            size="small"
            aria-label={`Try ${name} with a matter`}
            onClick={() => onOpen('try')}
          >
            Try with a matter
          </Button>
        )}
        <MenuButton
          label={`More actions on ${name}`}
          icon={Ellipsis}
          entries={[
            { label: 'Versions', icon: History, onSelect: () => onOpen('versions') },
            ...(mayEdit ? changes : []),
          ]}
        />
      </span>
    </li>
  );
}
