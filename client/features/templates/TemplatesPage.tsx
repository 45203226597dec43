// Templates of letters: Word files that the firm writes, and the fields that they can name.

import Ellipsis from 'lucide-react/icons/ellipsis';
import FileText from 'lucide-react/icons/file-text';
import FileUp from 'lucide-react/icons/file-up';
import History from 'lucide-react/icons/history';
import Pencil from 'lucide-react/icons/pencil';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Template } from '@matterdesk/contract/templates.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { ListPage } from '../../core/ListPage.tsx';
import { paths } from '../../core/paths.ts';
import { useMay } from '../../core/store.ts';
import { useResource } from '../../core/use-resource.ts';
import { counted, formatCount } from '../../core/words.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { ClearSearch } from '../../ui/ClearSearch.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { type MenuEntry, MenuButton } from '../../ui/Menu.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { matchTemplates, typesInWords } from './rules.ts';
import { ALL, templateList } from './slice.ts';

const FieldsDialog = lazyNamed(() => import('./components/FieldsDialog.tsx'), 'FieldsDialog');
const TemplateDialog = lazyNamed(() => import('./components/TemplateDialog.tsx'), 'TemplateDialog');
const VersionsDialog = lazyNamed(() => import('./components/TemplateDialog.tsx'), 'VersionsDialog');
const CaseDropdown = lazyNamed(
  () => import('../cases/components/CaseDropdown.tsx'),
  'CaseDropdown',
);
const Dialog = lazyNamed(() => import('../../ui/Dialog.tsx'), 'Dialog');
const DialogClose = lazyNamed(() => import('../../ui/Dialog.tsx'), 'DialogClose');

type OpenDialog =
  | { what: 'add' | 'fields' }
  | { what: 'edit' | 'version' | 'versions' | 'try'; template: Template };

/** Templates by name, each with its versions and what is wrong with them. */
export function TemplatesPage() {
  const list = useResource(templateList, ALL);
  const [search, setSearch] = useState('');
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const mayEdit = useMay('editTemplates');
  const close = () => setOpened(null);
  const found = list.data && matchTemplates(list.data, search);
  const addButton = (
    <Button variant="primary" icon={Plus} onClick={() => setOpened({ what: 'add' })}>
      Add template
    </Button>
  );
  return (
    <>
      <ListPage
        title="Templates"
        actions={
          <>
            <Button onClick={() => setOpened({ what: 'fields' })}>Fields</Button>
            {mayEdit && addButton}
          </>
        }
        summary="Letters that the firm writes in Word, filled from the matter."
        list={list}
        what="the templates"
        filters={
          <SearchInput
            value={search}
            onChange={setSearch}
            placeholder="Search templates"
            className="mb-3 max-w-80"
          />
        }
        empty={
          found?.length === 0 && (
            <EmptyState
              icon={FileText}
              title={search === '' ? 'No templates yet' : `No template is named “${search}”`}
              action={
                search === '' ? mayEdit && addButton : <ClearSearch onClear={() => setSearch('')} />
              }
            >
              A template is a Word file with fields such as {'{{client.name}}'}, which are filled
              from a matter.
            </EmptyState>
          )
        }
      >
        {found ? (
          <ul
            aria-label={`${formatCount(found.length)} templates`}
            className="divide-y divide-line border-y border-line"
          >
            {found.map((template) => (
              <TemplateRow
                key={template.id}
                template={template}
                mayEdit={mayEdit}
                onOpen={(what) => {
                  // No event says that someone changed it.
                  list.refresh();
                  setOpened({ what, template });
                }}
              />
            ))}
          </ul>
        ) : (
          <SkeletonRows count={6} className="h-10" />
        )}
      </ListPage>
      {opened?.what === 'add' && <TemplateDialog template={null} onClose={close} />}
      {opened?.what === 'fields' && <FieldsDialog onClose={close} />}
      {(opened?.what === 'edit' || opened?.what === 'version') && (
        <TemplateDialog
          template={list.data?.find(({ id }) => id === opened.template.id) ?? opened.template}
          isVersion={opened.what === 'version'}
          onClose={close}
        />
      )}
      {opened?.what === 'versions' && <VersionsDialog template={opened.template} onClose={close} />}
      {opened?.what === 'try' && <TryDialog template={opened.template} onClose={close} />}
    </>
  );
}

/** A template is tried with a real matter; nothing is made before it is asked for there. */
function TryDialog({ template, onClose }: { template: Template; onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <Dialog
      open
      size="small"
      title="Try with a matter"
      subtitle={template.name}
      onClose={onClose}
      footer={<DialogClose />}
    >
      <CaseDropdown
        aria-label="Matter"
        value={null}
        onChange={(option) => option && void navigate(paths.letterOf(option.id, template.id))}
      />
    </Dialog>
  );
}

type RowAction = 'edit' | 'version' | 'versions' | 'try';

interface TemplateRowProps {
  template: Template;
  mayEdit: boolean;
  onOpen: (what: RowAction) => void;
}

/** A template with its state, and what can be done with it. */
function TemplateRow({ template, mayEdit, onOpen }: TemplateRowProps) {
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
