// Intakes: everyone who asks for help, until it is a matter or declined.

import ChartColumn from 'lucide-react/icons/chart-column';
import LayoutList from 'lucide-react/icons/layout-list';
import Plus from 'lucide-react/icons/plus';
import SquareKanban from 'lucide-react/icons/square-kanban';
import FormInput from 'lucide-react/icons/text-cursor-input';
import { type ComponentProps, useCallback, useId, useState } from 'react';
import { openStages } from '@matterdesk/contract/intakes.ts';
import { lazyComponent, lazyNamed } from '../../core/chunks.ts';
import { personOption } from '../../core/full-name.ts';
import type { IntakeCheck } from '../../core/intake-check.ts';
import { usePeople } from '../../core/people.ts';
import type { CaseDialog, ContactFieldProps } from '../../core/slots.ts';
import { useAppSelector } from '../../core/store.ts';
import {
  anyText,
  MAX_SEARCH_LENGTH,
  oneOf,
  searchText,
  useAddress,
} from '../../core/use-address.ts';
import { useResource } from '../../core/use-resource.ts';
import { formatCount, plural } from '../../core/words.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { useNow } from '../../ui/days.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchInput, useSearchText } from '../../ui/SearchInput.tsx';
import { Select } from '../../ui/Select.tsx';
import { TabPanel, Tabs } from '../../ui/Tabs.tsx';
import { useDocumentKey } from '../../ui/use-document-key.ts';
import { SavedViews } from '../views/components/SavedViews.tsx';
import { IntakePanel } from './components/IntakePanel.tsx';
import { IntakesView } from './components/IntakesView.tsx';
import { type IntakePage, intakeList } from './slice.ts';

const IntakeDialog = lazyComponent(async () => {
  const [{ IntakeDialog: Dialog }, { NameCheckLine }] = await Promise.all([
    import('./components/IntakeDialog.tsx'),
    import('../conflicts/components/NameCheckLine.tsx'),
  ]);
  return (props: Omit<ComponentProps<typeof Dialog>, 'nameCheck'>) => (
    <Dialog {...props} nameCheck={NameCheckLine} />
  );
});

const NewCaseDialog = lazyComponent(async () => {
  const [{ NewCaseDialog: Dialog }, { NameHints }, { NameCheckLine }] = await Promise.all([
    import('../cases/components/NewCaseDialog.tsx'),
    import('../contacts/components/NameHints.tsx'),
    import('../conflicts/components/NameCheckLine.tsx'),
  ]);
  const parts = { contactHints: NameHints, nameCheck: NameCheckLine };
  return (props: ComponentProps<CaseDialog>) => <Dialog {...props} parts={parts} />;
});

const AccessDialog = lazyNamed(
  () => import('../access/components/AccessDialog.tsx'),
  'AccessDialog',
);

const ConflictCheck = lazyNamed(
  () => import('../conflicts/components/IntakeCheck.tsx'),
  'IntakeCheck',
);

const ContactDropdown = lazyNamed(
  () => import('../contacts/components/ContactDropdown.tsx'),
  'ContactDropdown',
);

const StatsView = lazyNamed(() => import('./components/StatsView.tsx'), 'StatsView');

const FormsView = lazyNamed(() => import('./components/FormsView.tsx'), 'FormsView');

/** `?tab=closed&owner=…&search=…&view=list&intake=…` */
const schema = {
  tab: oneOf(['closed', 'spam']),
  owner: anyText,
  search: searchText,
  view: oneOf(['list', 'statistics', 'forms']),
  intake: anyText,
};
/** Kept by a saved view of the intakes. */
const VIEW_MEMBERS = ['tab', 'owner', 'search', 'view'];
type IntakesAddress = ReturnType<typeof useAddress<typeof schema>>;

const MAX_SHOWN = 200;

export function IntakesPage() {
  const { address, change } = useAddress(schema);
  const { tab: named, owner, search, view, intake: openId } = address;
  const tab = named || 'open';
  const list = useResource(intakeList, { tab, owner, search, limit: MAX_SHOWN }, { batchMs: 120 });
  const isAdmin = useAppSelector(({ user }) => user.current?.role === 'admin');
  const isForms = isAdmin && view === 'forms';
  const isStats = view === 'statistics';
  const now = useNow();
  const panelId = useId();
  const [isAdding, setIsAdding] = useState(false);
  usePeople();
  useShortcut('n', () => setIsAdding(true));
  const open = useCallback((id: string) => change({ intake: id }), [change]);
  const close = useCallback(() => change({ intake: '' }), [change]);
  const add = useCallback(() => setIsAdding(true), []);
  return (
    <div className="flex h-full">
      <div className="flex min-w-0 grow flex-col overflow-hidden">
        <PageHeader
          title="Intakes"
          actions={
            <>
              <SavedViews page="intakes" members={VIEW_MEMBERS} />
              {isAdmin && (
                <Button
                  icon={FormInput}
                  aria-pressed={isForms}
                  onClick={() => change({ view: isForms ? '' : 'forms' })}
                >
                  Forms
                </Button>
              )}
              <Button
                icon={ChartColumn}
                aria-pressed={isStats}
                onClick={() => change({ view: isStats ? '' : 'statistics' })}
              >
                Statistics
              </Button>
              <Button
                variant={openId === '' ? 'primary' : 'default'}
                icon={Plus}
                aria-keyshortcuts="n"
                onClick={add}
              >
                New Intake
              </Button>
            </>
          }
        >
          <Summary page={list.data} />
        </PageHeader>
        <div className={cx('px-4 pt-4 max-sm:pt-2 sm:px-9', (isStats || isForms) && 'hidden')}>
          <Tabs
            label="Intakes"
            tabs={tabsOf(list.data)}
            value={tab}
            onChange={(value) => change({ tab: value === 'open' ? '' : value })}
            panelId={panelId}
            aside={<IntakeTools address={address} onChange={change} />}
          />
        </div>
        <TabPanel
          id={panelId}
          value={tab}
          className="flex min-h-0 grow flex-col overflow-y-auto px-4 pt-4 max-sm:pt-2 sm:px-9"
        >
          {isForms ? (
            <FormsView />
          ) : isStats ? (
            <StatsView />
          ) : (
            <IntakesView
              tab={tab}
              owner={owner}
              search={search}
              isList={view === 'list'}
              openId={openId}
              onChange={change}
              list={list}
              now={now}
              onOpen={open}
              onAdd={add}
            />
          )}
        </TabPanel>
      </div>
      {openId !== '' && (
        <IntakePanel id={openId} now={now} parts={PARTS} onOpen={open} onClose={close} />
      )}
      {isAdding && (
        <IntakeDialog
          onClose={() => setIsAdding(false)}
          onSaved={({ id }) => {
            setIsAdding(false);
            change({ tab: '', search: '', intake: id });
          }}
        />
      )}
    </div>
  );
}

function ContactOfIntake(props: ContactFieldProps) {
  return <ContactDropdown {...props} fallback={<div className="h-9" />} />;
}

function CheckOfIntake(props: ComponentProps<IntakeCheck>) {
  return <ConflictCheck {...props} fallback={<div className="h-9" />} />;
}

const PARTS = {
  caseDialog: NewCaseDialog,
  contactField: ContactOfIntake,
  accessDialog: AccessDialog,
  conflictCheck: CheckOfIntake,
};

function Summary({ page }: { page: IntakePage | null }) {
  if (!page) return '\u00A0';
  const { counts, overdue } = page;
  const opened = openStages.reduce((sum, stage) => sum + counts[stage], 0);
  return (
    <>
      {`${formatCount(opened)} open`}
      {overdue > 0 && (
        <>
          {' · '}
          <span className="font-medium text-red">{`${formatCount(overdue)} ${plural(overdue, 'is', 'are')} late`}</span>
        </>
      )}
    </>
  );
}

function tabsOf(page: IntakePage | null) {
  const counts = page?.counts;
  const sum = (...stages: (keyof IntakePage['counts'])[]) =>
    counts && formatCount(stages.reduce((total, stage) => total + counts[stage], 0));
  return [
    { value: 'open', label: 'Open', count: sum(...openStages) },
    { value: 'closed', label: 'Closed', count: sum('accepted', 'declined', 'referred') },
    { value: 'spam', label: 'Spam', count: sum('spam') },
  ];
}

/** A key that works while nothing is being typed. */
function useShortcut(key: string, act: () => void): void {
  useDocumentKey((event) => {
    const { target } = event;
    const isTyping =
      target instanceof Element &&
      target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null;
    if (event.key !== key || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
}

interface IntakeToolsProps {
  address: IntakesAddress['address'];
  onChange: IntakesAddress['change'];
}

/** Search, owner, and board or list. */
function IntakeTools({ address, onChange: change }: IntakeToolsProps) {
  const { tab, owner, search, view } = address;
  const [text, setText] = useSearchText(search, (wanted) => change({ search: wanted }));
  const { people } = usePeople();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchInput
        value={text}
        onChange={setText}
        maxLength={MAX_SEARCH_LENGTH}
        className="w-40 max-sm:min-w-24 max-sm:flex-1"
      />
      <Select
        aria-label="Owner"
        className="w-36 max-sm:w-28"
        placeholder="Everyone"
        value={owner}
        onChange={({ target }) => change({ owner: target.value })}
        options={people.map(personOption)}
      />
      {tab === '' && (
        <span className="flex">
          <IconButton
            label="Board"
            icon={SquareKanban}
            aria-pressed={view !== 'list'}
            className="rounded-r-none aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
            onClick={() => change({ view: '' })}
          />
          <IconButton
            label="List"
            icon={LayoutList}
            aria-pressed={view === 'list'}
            className="-ml-px rounded-l-none aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
            onClick={() => change({ view: 'list' })}
          />
        </span>
      )}
    </div>
  );
}
