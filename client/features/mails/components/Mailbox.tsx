import MailOpen from 'lucide-react/icons/mail-open';
import { lazy, Suspense, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { CaseField } from '../../../core/case-field.ts';
import { cx } from '../../../ui/cx.ts';
import { ListPane } from './ListPane.tsx';
import { Place } from './Place.tsx';
import type { MailCalendarSlot } from './MailReader.tsx';
import { ReaderActions } from './ReaderActions.tsx';
import { SectionsPane } from './SectionsPane.tsx';
import { useChanging } from './use-changing.ts';
import { useComposer } from './use-composer.ts';
import { useMail } from './use-mail.ts';
import { useMailList } from './use-mail-list.ts';
import { useMailShortcuts } from './use-mail-shortcuts.ts';
import { useMailTo } from './use-mail-to.ts';
import { useMailboxAddress } from './use-mailbox-address.ts';
import { useWriting } from './use-writing.ts';

const ComposePanel = lazy(async () => ({
  default: (await import('./ComposePanel.tsx')).ComposePanel,
}));
const MailReader = lazy(async () => ({ default: (await import('./MailReader.tsx')).MailReader }));

interface MailboxProps {
  caseField: CaseField;
  calendar: MailCalendarSlot;
}

/** Sections, list and reader, as three panes, two panes or separate screens, depending on the width. */
export function Mailbox({ caseField, calendar }: MailboxProps) {
  const address = useMailboxAddress();
  const { query, mail: open, close } = address;
  const { list, refresh, reach } = useMailList(query);
  const composer = useComposer();
  const { opening, compose, answer, openDraft } = useWriting(composer);
  useMailTo(composer);
  const mail = useMail(open, close);
  const changing = useChanging({ mail, section: query.section, onClose: close });
  // Moved between its places, so that uploads and what is typed go on.
  const [panel] = useState(() => document.createElement('div'));
  const page = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLDivElement>(null);
  useMailShortcuts(page, {
    c: compose,
    '/': () => search.current?.querySelector('input')?.focus(),
    ...(open !== null && { u: close, Escape: close }),
    ...(changing?.archive && { e: changing.archive }),
    ...(changing && { '#': changing.trash }),
    ...(changing?.markUnread && { U: changing.markUnread }),
    ...(mail?.draftId === null && {
      r: () => answer(mail, 'reply'),
      a: () => answer(mail, 'replyAll'),
      f: () => answer(mail, 'forward'),
    }),
  });
  const { composing } = composer;
  // A small one stays at hand while other mails are read.
  const isBelow =
    mail !== undefined && !composing?.isSmall && composing?.written.inReplyTo === mail.id;
  const handleOpen = (id: string) => {
    if (query.section === 'drafts') void openDraft(id);
    else address.open(id);
  };
  return (
    <div ref={page} className="@container h-full">
      <div className="relative grid h-full grid-cols-1 grid-rows-[auto_minmax(0,1fr)] @2xl:grid-cols-[20rem_minmax(0,1fr)] @5xl:grid-cols-[172px_340px_minmax(0,1fr)] @5xl:grid-rows-1">
        <SectionsPane
          list={list}
          isBehind={open !== null}
          onCompose={compose}
          onRefresh={refresh}
        />
        <ListPane
          list={list}
          open={open}
          opening={opening}
          search={search}
          reach={reach}
          onFind={address.find}
          onOpen={handleOpen}
          onStep={address.open}
          onRefresh={refresh}
          onCompose={compose}
        />
        <div
          // Scrolls each mail to its top.
          key={open}
          className={cx(
            'row-span-2 min-h-0 min-w-0 overflow-y-auto @2xl:col-start-2 @2xl:row-start-1 @5xl:col-start-3 @5xl:row-span-1',
            open === null ? '@max-2xl:hidden' : '@max-2xl:absolute @max-2xl:inset-0',
          )}
        >
          {open === null ? (
            <NothingOpen />
          ) : (
            <Suspense>
              <MailReader
                id={open}
                mail={mail}
                onBack={close}
                calendar={calendar}
                below={isBelow && <Place of={panel} />}
                actions={
                  mail && (
                    <ReaderActions
                      mail={mail}
                      changing={changing}
                      caseField={caseField}
                      onAnswer={(kind) => answer(mail, kind)}
                      onEditDraft={() => void openDraft(mail.id)}
                    />
                  )
                }
              />
            </Suspense>
          )}
        </div>
      </div>
      {!isBelow && <Place of={panel} />}
      {composing &&
        createPortal(
          <Suspense>
            <ComposePanel
              key={composing.id}
              composer={composer}
              composing={composing}
              caseField={caseField}
              isBelow={isBelow}
            />
          </Suspense>,
          panel,
        )}
    </div>
  );
}

function NothingOpen() {
  return (
    <div className="grid h-full place-items-center p-6 text-ink-3">
      <p className="flex items-center gap-2">
        <MailOpen /> Select an email to read it
      </p>
    </div>
  );
}
